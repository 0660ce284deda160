import { type Payment, cents, hubIdOf, liveRefunds } from './payments.ts'
import { promise } from './violation.ts'

/** What the hub must never ask of a PSP. */

/** Nobody stops money that is on its way: the hub was told so. */
export const checkStop = ({ id, told }: Payment): void =>
  promise(
    told !== 'pending' && told !== 'authorized',
    `payment ${id} was to be stopped, although the PSP had told it as ${told}`,
  )

/** What a refund leaves: no more than was paid goes back by the hub's requests, and one request is one refund. */
export const checkRefundAsked = (payment: Payment, id: string | null, paid: number): void => {
  const own = liveRefunds(payment).filter((refund) => hubIdOf(refund) !== null)
  const sum = own.reduce((total, { amount }) => total + cents(amount.value), 0)
  promise(sum <= paid, `the hub asked for ${sum} cents back of payment ${payment.id}, which has ${paid}`)
  const same = payment.refunds.filter((refund) => hubIdOf(refund) === id)
  promise(id === null || same.length === 1, `refund ${id} was made ${same.length} times at the PSP`)
}
