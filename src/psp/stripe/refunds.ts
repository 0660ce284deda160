import * as v from 'valibot'
import { type Unavailable, type RefundAnswer, ofOrderOrAccount } from '../answer.ts'
import { withDeadline } from '../../platform/deadline.ts'
import { type Call, type Called, DEADLINE, postUntilFree, isConflict, unavailable } from '../http-client.ts'
import type { PaidPayment, RefundRequest } from '../port.ts'
import { toPspUnits, urlPart } from '../values.ts'
import { Session, intentIdOf, sessionPath, toRefused } from './session.ts'
import { UNITS } from './tables.ts'

/** https://docs.stripe.com/api/refunds/object: `status` */
export const RefundStatus = v.picklist(['pending', 'requires_action', 'succeeded', 'failed', 'canceled'])
export type RefundStatus = v.InferOutput<typeof RefundStatus>

export const REFUND_STATUSES: Record<RefundStatus, 'pending' | 'done' | 'failed'> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'done',
  failed: 'failed',
  canceled: 'failed',
}

const REFUNDS = '/v1/refunds'

/** https://docs.stripe.com/api/refunds/object */
const Refund = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  status: v.nullish(v.string()),
  failure_reason: v.fallback(v.nullish(v.string()), null),
  metadata: v.optional(v.unknown()),
})
type Refund = v.InferOutput<typeof Refund>

/** A list of refunds, of which only those that can be read count: others are not the hub's. */
const Refunds = v.object({ data: v.array(v.fallback(v.nullable(Refund), null)), has_more: v.boolean() })

/**
 * https://docs.stripe.com/api/refunds/create. The hub's id of the refund is its idempotency key and
 * in its metadata; the id of the job is there for notifications.
 */
export function refund(call: Call, payment: PaidPayment, wanted: RefundRequest): Promise<RefundAnswer> {
  return withDeadline(DEADLINE, async (deadline) => {
    const amount = toPspUnits(wanted.amount, wanted.currency, UNITS)
    if (amount === null)
      return { is: 'refused', message: `Stripe cannot refund that much ${wanted.currency}.` }
    const intent = await intentOf(call, payment, deadline)
    if (typeof intent === 'object' && intent !== null) return intent
    if (intent === null) return { is: 'refused', message: 'Stripe has no paid payment to refund.' }
    const body = new URLSearchParams({
      payment_intent: intent,
      amount: String(amount),
      'metadata[refund]': wanted.id,
      'metadata[payment_job]': payment.job,
    })
    const options = { body, idempotencyKey: wanted.id, deadline }
    return toAsked(await postUntilFree(call, REFUNDS, options, isConflict))
  })
}

/**
 * The refund by Stripe's id, or found by the hub's id where Stripe's answer to the request was
 * lost.
 */
export function askRefund(
  call: Call,
  payment: PaidPayment,
  { id, reference }: RefundRequest & { reference: string | null },
): Promise<RefundAnswer> {
  return withDeadline(DEADLINE, async (deadline) => {
    if (reference !== null) {
      return toSeen(await call('GET', `${REFUNDS}/${urlPart(reference)}`, { deadline }))
    }
    const intent = await intentOf(call, payment, deadline)
    if (typeof intent === 'object' && intent !== null) return intent
    // Nothing was taken, so nothing can be given back.
    return intent === null ? { is: 'unknown' } : findRefund(call, intent, id, deadline)
  })
}

/** How many pages of a hundred refunds are looked through. */
const PAGES = 5

/** https://docs.stripe.com/api/refunds/list: the newest first. */
async function findRefund(
  call: Call,
  intent: string,
  id: string,
  deadline: AbortSignal,
): Promise<RefundAnswer> {
  const path = `${REFUNDS}?payment_intent=${urlPart(intent)}&limit=100`
  let after = ''
  for (let page = 0; page < PAGES; page++) {
    const answer = await call('GET', path + after, { deadline })
    if (answer.is === 'unavailable') return answer
    const list = v.safeParse(Refunds, answer.body)
    if (answer.status !== 200 || !list.success) {
      return unavailable(`Stripe answered ${answer.status} without refunds.`)
    }
    const { data, has_more } = list.output
    const found = data.find((candidate) => candidate && isOf(candidate, id))
    if (found) return answerOf(found)
    const last = data.at(-1)
    if (!has_more) return { is: 'unknown' }
    if (!last) break
    after = `&starting_after=${urlPart(last.id)}`
  }
  return unavailable('Stripe has too many refunds of the payment.')
}

function isOf({ metadata }: Refund, id: string): boolean {
  return v.is(v.object({ refund: v.literal(id) }), metadata)
}

/** Stripe's id of what was paid; null where nobody has begun to pay. */
async function intentOf(
  call: Call,
  { reference }: PaidPayment,
  deadline: AbortSignal,
): Promise<string | null | Unavailable> {
  const answer = await call('GET', sessionPath(reference), { deadline })
  if (answer.is === 'unavailable') return answer
  const session = v.safeParse(Session, answer.body)
  return session.success
    ? intentIdOf(session.output)
    : unavailable(`Stripe answered ${answer.status} without the payment.`)
}

/**
 * A 4xx says that no refund was made; but for one that says that another request under the key was
 * before it.
 */
function toAsked(answer: Called): RefundAnswer {
  if (answer.is === 'unavailable') return answer
  if (isConflict(answer) || isUsedKey(answer.body)) return unavailable('Stripe has the same refund already.')
  if (answer.status < 400) return toTaken(answer)
  const refused = toRefused(answer.body, 'refund')
  return refused.is === 'refused' ? ofOrderOrAccount(answer.status, refused) : refused
}

/** https://docs.stripe.com/api/idempotent_requests */
function isUsedKey(body: unknown): boolean {
  return v.is(v.object({ error: v.object({ type: v.literal('idempotency_error') }) }), body)
}

function toSeen(answer: Called): RefundAnswer {
  if (answer.is === 'unavailable') return answer
  if (answer.status === 404) return { is: 'unknown' }
  return answer.status === 200
    ? toTaken(answer)
    : unavailable(`Stripe answered ${answer.status} without the refund.`)
}

function toTaken({ body }: Called & { is: 'answered' }): RefundAnswer {
  const taken = v.safeParse(Refund, body)
  return taken.success ? answerOf(taken.output) : unavailable('Stripe answered without the refund.')
}

/** A refund without a status is one that Stripe has taken. */
function answerOf({ id, status, failure_reason }: Refund): RefundAnswer {
  const word = status ?? 'pending'
  if (!v.is(RefundStatus, word)) {
    return unavailable(
      `Stripe answered with a status of the refund that is not known: ${word.slice(0, 100)}.`,
    )
  }
  const state = REFUND_STATUSES[word]
  const why = failure_reason ? ` (${failure_reason})` : ''
  return state === 'failed'
    ? { is: 'failed', message: `Stripe says that the refund is ${word}${why}.` }
    : { is: 'taken', reference: id, state }
}
