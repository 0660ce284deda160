import { siblingOf } from '../../contract/ids.ts'
import { DAY } from '../../contract/timestamp.ts'
import type { InstructionAnswer } from '../answer.ts'
import type { Call } from '../http-client.ts'
import type { Instruction, MadePayment, Psp } from '../port.ts'
import { instructedIn, refusedBy } from '../reading.ts'
import { shorten } from '../values.ts'
import { AT_MOLLIE, amountOf, keyOf, pathOf } from './payment.ts'
import { DESCRIPTION_LENGTH, PATIENCE } from './tables.ts'

/**
 * The calls that move a payment's money. The payment lists captures and refunds by the hub's ids, but shows a release
 * only by its status.
 */
export function instructions(
  call: Call,
  ask: Psp['ask'],
): Pick<Psp, 'refund' | 'capture' | 'release' | 'keyLife'> {
  const releaseAs = ({ reference }: MadePayment, id: string) =>
    call('POST', `${pathOf(reference)}/release-authorization`, { idempotencyKey: keyOf(id) })
  return {
    refund: (payment, wanted) => create(call, 'refund', payment, wanted),
    /**
     * Captures in parts. Mollie's captures cannot be marked as the last one, so a release of the rest follows a final
     * one that succeeded at once. After any other the hub releases the rest later.
     */
    async capture(payment, wanted) {
      const answer = await create(call, 'capture', payment, wanted)
      const isLast = wanted.isFinal && answer.is === 'taken' && answer.state === 'done'
      // The capture's own id is the key of another request.
      if (isLast) await releaseAs(payment, siblingOf(wanted.id, 1))
      return answer
    },
    /**
     * Releases "the full remaining authorized amount". Mollie does that later, if at all: "it is not
     * guaranteed that it will succeed". The payment is then `canceled`, or `paid` if a part was captured:
     * https://docs.mollie.com/reference/release-authorization
     */
    async release(payment, { id, currency }) {
      const { reference } = payment
      const answer = await releaseAs(payment, id)
      if (answer.is === 'unavailable') return answer
      // A release has no id of its own. The payment's id shows that Mollie accepted it.
      if (answer.status < 400) return { is: 'taken', reference, state: 'pending' }
      const refused = refusedBy(AT_MOLLIE, answer, 'release')
      if (answer.status !== 422) return refused
      // 422: the payment is not authorized, so it may have been released already.
      const seen = await ask(reference, currency)
      if (seen.is !== 'observed') return seen.is === 'unknown' ? refused : seen
      return seen.status === 'PENDING' ? refused : { is: 'taken', reference, state: 'done' }
    },
    // A repeated release releases nothing more.
    keyLife: { release: PATIENCE.authorized * DAY },
  }
}

/**
 * Creates a refund or a capture. The hub's id of one is its idempotency key. The metadata has it too, so that the
 * payment's list shows it: https://docs.mollie.com/reference/create-refund,
 * https://docs.mollie.com/reference/create-capture
 */
async function create(
  call: Call,
  kind: 'capture' | 'refund',
  { reference }: MadePayment,
  { id, amount, currency, description }: Instruction,
): Promise<InstructionAnswer> {
  const body = {
    amount: amountOf(amount, currency),
    description: shorten(description, DESCRIPTION_LENGTH),
    metadata: { [kind]: id },
  }
  const options = { body, idempotencyKey: keyOf(id) }
  return instructedIn(AT_MOLLIE, kind, await call('POST', `${pathOf(reference)}/${kind}s`, options))
}
