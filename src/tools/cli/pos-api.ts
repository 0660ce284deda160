import * as v from 'valibot'
import { UsageError } from '../usage-error.ts'
import type { TestHub } from './chosen-hub.ts'

const Step = v.object({
  creationDate: v.string(),
  action: v.string(),
  status: v.string(),
  stage: v.exactOptional(v.string()),
  amountDue: v.string(),
  amountPaid: v.string(),
  amountRefunded: v.exactOptional(v.string()),
  amountChargedBack: v.exactOptional(v.string()),
})

/** What a trigger reads of a payment job. */
export const TriggeredJob = v.object({
  paymentJob: v.string(),
  payUrl: v.string(),
  status: v.string(),
  currency: v.string(),
  amountRefunded: v.exactOptional(v.string()),
  amountChargedBack: v.exactOptional(v.string()),
  payments: v.object({ steps: v.array(Step) }),
})
export type TriggeredJob = v.InferOutput<typeof TriggeredJob>

/** A job, with the address that its customer was given. */
type Linked = Pick<TriggeredJob, 'payUrl'>

const PATIENCE = 30_000

const Refusal = v.pipe(v.string(), v.parseJson(), v.object({ detail: v.string() }))

/** Why a hub refuses, in its own words (RFC 9457); null for an answer that does not say. */
export function detailOf(text: string): string | null {
  const read = v.safeParse(Refusal, text)
  return read.success ? read.output.detail : null
}

/**
 * A request to a hub as somebody outside makes it: an Error tells why there is no answer. A
 * redirect is not followed.
 */
async function send(hub: string, path: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(path, hub)
  let response: Response
  try {
    response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) })
  } catch {
    throw new Error(`No hub answers at ${url.origin}. Start one with \`npm run dev\`, or set HUB_URL.`)
  }
  if (response.status < 400) return response
  const text = await response.text()
  const detail = detailOf(text)
  const reason = detail ?? text.slice(0, 200).replaceAll(/\s+/g, ' ')
  const answered = `The hub at ${hub} answered ${response.status}: ${reason}`
  throw detail !== null && response.status === 422 ? new UsageError(answered) : new Error(answered)
}

/** The API of points of sale, and the sandbox, as far as a trigger needs them. */
export function posApi({ url, key }: TestHub) {
  const authorization = `Bearer ${key}`
  const json = async (response: Response): Promise<TriggeredJob> => {
    const read = v.safeParse(TriggeredJob, await response.json())
    if (!read.success) throw new Error(`What answers at ${url} is no hub that this program knows.`)
    return read.output
  }
  return {
    create: async (order: object): Promise<TriggeredJob> =>
      json(
        await send(url, '/v2/paymentjobs', {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(order),
        }),
      ),
    read: async (id: string): Promise<TriggeredJob> =>
      json(await send(url, `/v2/paymentjobs/${id}`, { headers: { authorization } })),
    advance: async (id: string, seconds: number): Promise<TriggeredJob> =>
      json(
        await send(url, `/v2/paymentjobs/${id}/advance`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ seconds }),
        }),
      ),
    /** The reference of a job's payment at the sandbox: the last part of where `payUrl` leads. */
    reference: async ({ payUrl }: Linked): Promise<string> => {
      const leads = (await send(url, new URL(payUrl).pathname)).headers.get('location') ?? ''
      const [, reference] = /\/sandbox\/checkout\/(\w+)$/.exec(leads) ?? []
      if (!reference) throw new Error(`The payUrl ${payUrl} leads to no page of the sandbox.`)
      return reference
    },
    act: async (reference: string, action: string, options: object): Promise<void> => {
      const path = `/sandbox/payments/${reference}/${action}`
      await (await send(url, path, { method: 'POST', body: JSON.stringify(options) })).body?.cancel()
    },
    /** The customer comes back from the page of the PSP. */
    comeBack: async ({ payUrl }: Linked): Promise<void> => {
      await (await send(url, new URL(payUrl).pathname.replace('/pay/', '/return/'))).body?.cancel()
    },
  }
}
export type PosApi = ReturnType<typeof posApi>
