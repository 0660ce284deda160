import { type Payment, liveRefunds } from './payments.ts'
import { promise } from './violation.ts'

/** What the hub must never ask of a PSP. */

/** Nobody stops money that is on its way: the hub was told so. */
export function checkStop({ id, told }: Payment): void {
  promise(
    told !== 'pending' && told !== 'authorized',
    `payment ${id} was to be stopped, although the PSP had told it as ${told}`,
  )
}

/** What a refund leaves: no more than was paid goes back by the hub's requests, and one request is one refund. */
export function checkRefundAsked(payment: Payment, id: string | null): void {
  const own = liveRefunds(payment).filter(({ hubId }) => hubId !== null)
  const sum = own.reduce((total, { cents }) => total + cents, 0)
  const { amount } = payment
  promise(sum <= amount, `the hub asked for ${sum} cents back of payment ${payment.id}, which has ${amount}`)
  const same = payment.refunds.filter(({ hubId }) => hubId === id)
  promise(id === null || same.length === 1, `refund ${id} was made ${same.length} times at the PSP`)
}
