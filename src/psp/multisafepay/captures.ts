import { DAY } from '../../contract/timestamp.ts'
import type { InstructionAnswer } from '../answer.ts'
import { type Call, unavailable } from '../http-client.ts'
import type { Instructed, Instruction, MadePayment } from '../port.ts'
import { instructedIn, stateOf } from '../reading.ts'
import { shorten, urlPart } from '../values.ts'
import {
  type Order,
  decidingWord,
  isOf,
  isUnknown,
  orderAt,
  orderIn,
  pathOf,
  relatedIn,
  relatedOf,
} from './order.ts'
import { ledgerOf, meaningOf, partsIn, readingOf, sumOf } from './standing.ts'
import { DESCRIPTION_LENGTH } from './tables.ts'

type Wanted = Parameters<Instructed['check']>[1]

/**
 * Captures reserved money: https://docs.multisafepay.com/reference/capturepayment. MultiSafepay has no
 * idempotency key. The hub's id of the capture is the id of its order (`new_order_id`), which must be
 * unique, and the hub looks for it first: so it may repeat a request.
 */
export function captures(call: Call): Instructed {
  const release = releases(call)

  async function make(payment: MadePayment, wanted: Instruction): Promise<InstructionAnswer> {
    const { reference } = payment
    const body = {
      amount: wanted.amount,
      new_order_id: wanted.id,
      new_order_status: 'completed',
      reason: reasonOf(wanted),
    }
    const answer = await call('POST', `${pathOf(reference)}/capture`, { body })
    const asked = instructedIn(readingOf(reference), 'capture', answer)
    if (asked.is !== 'refused') return asked
    // MultiSafepay may refuse it because it was made before, and the answer was lost.
    const known = await check(payment, { ...wanted, reference: null })
    return known.is === 'taken' ? known : asked
  }

  async function check(payment: MadePayment, wanted: Wanted): Promise<InstructionAnswer> {
    const { reference } = payment
    const order = await orderAt(call, reference)
    if ('is' in order) return order
    const listed = listedIn(order, wanted)
    if (listed) return listed
    const answer = await call('GET', pathOf(wanted.id))
    if (answer.is === 'unavailable') return answer
    const own = orderIn(answer.body, wanted.id)
    if (own) {
      const shown = { id: wanted.reference, status: decidingWord(own) }
      return stateOf(readingOf(reference), 'capture', shown)
    }
    const { captured = 0, held = 0 } = ledgerOf(order) ?? {}
    const unlisted = captured - sumOf(partsIn(order))
    // "After a full capture, the transaction status updates to Completed": it has no order of its own.
    if (held === 0 && unlisted === wanted.amount)
      return { is: 'taken', reference: wanted.reference, state: 'done' }
    const isToldMore = wanted.reference !== null || (held > 0 && unlisted > 0) || relatedIn(order) === null
    return isToldMore || !isUnknown(answer)
      ? unavailable('MultiSafepay does not list the capture.')
      : { is: 'unknown' }
  }

  return {
    keyLife: DAY,
    async instruct(payment, wanted) {
      const order = await orderAt(call, payment.reference)
      if ('is' in order) return order
      const listed = listedIn(order, { ...wanted, reference: null })
      const made = listed ?? (await make(payment, wanted))
      const rest = (ledgerOf(order)?.held ?? 0) - (listed ? 0 : wanted.amount)
      if (!wanted.isFinal || made.is !== 'taken' || rest <= 0) return made
      const released = await release.instruct(payment, wanted)
      // The hub repeats it then: it finds the capture, and goes on to release the rest.
      return released.is === 'unavailable' ? released : made
    },
    check,
  }
}

/**
 * Releases what is still held: https://docs.multisafepay.com/reference/cancelauthorizedorder. A
 * request that is repeated releases nothing twice.
 */
export function releases(call: Call): Instructed {
  async function check({ reference }: MadePayment, wanted: Wanted): Promise<InstructionAnswer> {
    const order = await orderAt(call, reference)
    if ('is' in order) return order
    const { released = 0 } = ledgerOf(order) ?? {}
    if (released > 0 || meaningOf(order)?.is === 'ended')
      return { is: 'taken', reference: wanted.reference, state: 'done' }
    if (wanted.reference === null) return { is: 'unknown' }
    const made = relatedOf(order, 'auth-cancellation').find(isOf({ ...wanted, id: '' }))
    const status = made?.status ?? 'initialized'
    return stateOf(readingOf(reference), 'release', { id: wanted.reference, status })
  }

  return {
    keyLife: DAY,
    async instruct(payment, wanted) {
      const { reference } = payment
      const body = { status: 'cancelled', reason: reasonOf(wanted) }
      const answer = await call('PATCH', `/capture/${urlPart(reference)}`, { body })
      const asked = instructedIn(readingOf(reference), 'release', answer)
      if (asked.is === 'unavailable') return asked
      const known = await check(payment, {
        ...wanted,
        reference: 'reference' in asked ? asked.reference : null,
      })
      return known.is === 'taken' || known.is === 'failed' ? known : asked
    },
    check,
  }
}

/** The reason that MultiSafepay's dashboard shows. */
function reasonOf({ description }: Instruction): string {
  return shorten(description, DESCRIPTION_LENGTH)
}

function listedIn(order: Order, wanted: Wanted): InstructionAnswer | null {
  const one = relatedOf(order, 'capture').find(isOf(wanted))
  const shown = one && { id: one.transaction_id ?? null, status: one.status }
  return shown ? stateOf(readingOf(order.order_id), 'capture', shown) : null
}
