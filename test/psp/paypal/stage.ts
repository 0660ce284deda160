import { paypalFake } from '../../support/psps/paypal.ts'
import { type Act, type Stage, sendJson } from '../stages.ts'

export function stage() {
  const fake = paypalFake('byhand')
  // A refund by a bank account takes days.
  fake.manner.refunds = 'PENDING'
  const [{ clientId }] = fake.accounts
  const to =
    (list: 'authorizations' | 'captures', act: string, isSome: boolean): Act =>
    (job, amount) => {
      const id = fake.of(job)[list][0]?.id
      const url = `https://api-m.paypal.com/v2/payments/${list}/${id}/${act}`
      const value = (amount / 100).toFixed(2)
      const body = isSome ? { amount: { currency_code: 'EUR', value } } : undefined
      return sendJson(fake, 'POST', url, { authorization: `Bearer A21AA-1-${clientId}` }, body)
    }
  const refund = to('captures', 'refund', true)
  return {
    fake,
    method: 'paypal',
    byHand: {
      capture: to('authorizations', 'capture', true),
      cancel: to('authorizations', 'void', false),
      async refund(job, amount) {
        const answer = await refund(job, amount)
        fake.settle(job, 'refunds', 'COMPLETED')
        return answer
      },
    },
    endRefunds: (job: string) => fake.settle(job, 'refunds', 'COMPLETED'),
    countsRefundsLate: true,
  } satisfies Stage
}
