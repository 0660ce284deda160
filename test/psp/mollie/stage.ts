import { mollieFake } from '../../support/psps/mollie.ts'
import { type Act, type Stage, sendJson } from '../stages.ts'

export function stage(terminal = 'term_7MgL4wea46qkRcoTZjWEH') {
  const fake = mollieFake('live_byhand000001')
  Object.assign(fake.terminals[0] ?? {}, { id: terminal })
  const authorization = 'Bearer live_byhand000001'
  const to =
    (path: string, body?: (amount: number) => object): Act =>
    (job, amount) => {
      const id = fake.payments.find((payment) => payment.job === job)?.id
      const url = `https://api.mollie.com/v2/payments/${id}/${path}`
      return sendJson(fake, 'POST', url, { authorization }, body?.(amount))
    }
  const move = (amount: number) => ({
    amount: { currency: 'EUR', value: (amount / 100).toFixed(2) },
    description: 'By hand',
    metadata: {},
  })
  return {
    fake,
    byHand: {
      capture: to('captures', move),
      cancel: to('release-authorization'),
      refund: to('refunds', move),
    },
    failCapture: (job: string) => fake.endCaptures(job, 'failed'),
    endRefunds: (job: string) => fake.endRefunds(job, 'refunded'),
    terminal: { id: terminal },
    counter: {
      card: { brand: 'Visa', lastFour: '4335' },
      pay: fake.payAtTerminal,
      payLate: (job: string) => fake.bring(job, 'paid'),
      told: (job: string) => fake.notify(job, Date.now()),
    },
  } satisfies Stage
}
