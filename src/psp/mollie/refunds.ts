import { type RefundAnswer, ofOrderOrAccount } from '../answer.ts'
import * as v from 'valibot'
import { toDecimal } from '../../contract/money.ts'
import { type Called, type Call, DEADLINE, postUntilFree, isConflict, unavailable } from '../http-client.ts'
import { withDeadline } from '../../platform/deadline.ts'
import type { PaidPayment, RefundRequest } from '../port.ts'
import { shorten, decimalsAt, urlPart } from '../values.ts'
import { toRefused, unknownWord } from './payment.ts'
import { MollieRefundStatus, REFUND_STATUSES, DESCRIPTION_LENGTH, UNITS } from './tables.ts'

const Refund = v.object({ id: v.string(), status: v.string(), metadata: v.optional(v.unknown()) })
type Refund = v.InferOutput<typeof Refund>

/** A list of refunds, of which only those that can be read count: others are not the hub's. */
const Refunds = v.object({
  _embedded: v.object({ refunds: v.array(v.fallback(v.nullable(Refund), null)) }),
  _links: v.optional(v.object({ next: v.nullish(v.object({ href: v.string() })) })),
})

/**
 * https://docs.mollie.com/reference/create-refund. The hub's id of the refund is its idempotency
 * key and in its metadata.
 */
export function refund(call: Call, payment: PaidPayment, wanted: RefundRequest): Promise<RefundAnswer> {
  const { currency } = wanted
  const body = {
    amount: { currency, value: toDecimal(wanted.amount, decimalsAt(currency, UNITS)) },
    description: shorten(wanted.description, DESCRIPTION_LENGTH),
    metadata: { refund: wanted.id },
  }
  return withDeadline(DEADLINE, async (deadline) => {
    const options = { body, idempotencyKey: wanted.id, deadline }
    return toAsked(await postUntilFree(call, pathOf(payment), options, isConflict))
  })
}

/**
 * https://docs.mollie.com/reference/get-refund: the refund by Mollie's id, or found by the hub's id
 * where Mollie's answer to the request was lost.
 */
export function askRefund(
  call: Call,
  payment: PaidPayment,
  { id, reference }: RefundRequest & { reference: string | null },
): Promise<RefundAnswer> {
  return withDeadline(DEADLINE, async (deadline) =>
    reference === null
      ? findRefund(call, payment, id, deadline)
      : toSeen(await call('GET', `${pathOf(payment)}/${urlPart(reference)}`, { deadline })),
  )
}

/** How many pages of 250 refunds are looked through. */
const PAGES = 5

/**
 * https://docs.mollie.com/reference/list-refunds: the newest first. `from` is the first of the next
 * page.
 */
async function findRefund(
  call: Call,
  payment: PaidPayment,
  id: string,
  deadline: AbortSignal,
): Promise<RefundAnswer> {
  let from = ''
  for (let page = 0; page < PAGES; page++) {
    const answer = await call('GET', `${pathOf(payment)}?limit=250${from}`, { deadline })
    if (answer.is === 'unavailable') return answer
    const list = v.safeParse(Refunds, answer.body)
    if (answer.status !== 200 || !list.success)
      return unavailable(`Mollie answered ${answer.status} without refunds.`)
    const { _embedded, _links } = list.output
    const found = _embedded.refunds.find((candidate) => candidate && isOf(candidate, id))
    if (found) return answerOf(found)
    const next = _links?.next?.href
    if (!next) return { is: 'unknown' }
    const first = URL.parse(next)?.searchParams.get('from')
    if (!first) break
    from = `&from=${urlPart(first)}`
  }
  return unavailable('Mollie has too many refunds of the payment.')
}

function pathOf({ reference }: PaidPayment): string {
  return `/payments/${urlPart(reference)}/refunds`
}

function isOf({ metadata }: Refund, id: string): boolean {
  return v.is(v.object({ refund: v.literal(id) }), metadata)
}

/**
 * A 4xx says that no refund was made; but for one that says that another request under the key was
 * before it.
 */
function toAsked(answer: Called): RefundAnswer {
  if (answer.is === 'unavailable') return answer
  if (isConflict(answer)) return unavailable('Mollie has the same refund under way.')
  return answer.status >= 400
    ? ofOrderOrAccount(answer.status, toRefused(answer.body, 'refund'))
    : toTaken(answer.body)
}

function toSeen(answer: Called): RefundAnswer {
  if (answer.is === 'unavailable') return answer
  if (answer.status === 404 || answer.status === 410) return { is: 'unknown' }
  return answer.status === 200
    ? toTaken(answer.body)
    : unavailable(`Mollie answered ${answer.status} without the refund.`)
}

function toTaken(body: unknown): RefundAnswer {
  const taken = v.safeParse(Refund, body)
  return taken.success ? answerOf(taken.output) : unavailable('Mollie answered without the refund.')
}

function answerOf({ id, status }: Refund): RefundAnswer {
  if (!v.is(MollieRefundStatus, status)) return unknownWord(status, 'refund')
  const state = REFUND_STATUSES[status]
  return state === 'failed'
    ? { is: 'failed', message: `Mollie says that the refund is ${status}.` }
    : { is: 'taken', reference: id, state }
}
