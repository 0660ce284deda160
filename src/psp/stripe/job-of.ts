import * as v from 'valibot'
import type { Call } from '../http-client.ts'
import { urlPart } from '../values.ts'
import { SESSIONS, sessionPath } from './pull.ts'

export const Metadata = v.fallback(v.nullish(v.object({ payment_job: v.optional(v.string()) })), null)

/** A session as far as it says which job it is of. */
export const SessionOfJob = v.object({
  id: v.string(),
  client_reference_id: v.nullish(v.string()),
  metadata: Metadata,
})

export function jobIn({ client_reference_id, metadata }: v.InferOutput<typeof SessionOfJob>): string | null {
  return client_reference_id || metadata?.payment_job || null
}

/** https://docs.stripe.com/api/checkout/sessions/list: those of a payment intent, which has one. */
export function sessionsOf(intent: string): string {
  return `${SESSIONS}?payment_intent=${urlPart(intent)}&limit=1`
}

export const Sessions = v.object({ data: v.array(v.unknown()) })

/** The job of a session, or of its payment intent, which is what Stripe's dashboard shows. */
export async function jobOf(call: Call, reference: string): Promise<string | null> {
  const isIntent = reference.startsWith('pi_')
  const answer = await call('GET', isIntent ? sessionsOf(reference) : sessionPath(reference))
  const body = answer.is === 'answered' ? answer.body : null
  const found = isIntent && v.is(Sessions, body) ? body.data[0] : body
  const session = v.safeParse(SessionOfJob, found)
  return session.success ? jobIn(session.output) : null
}
