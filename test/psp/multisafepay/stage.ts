import { multisafepayFake } from '../../support/psps/multisafepay.ts'
import { type Act, type Stage, sendJson } from '../stages.ts'

export function stage(terminal = 'T1') {
  const fake = multisafepayFake()
  Object.assign(fake.terminals[0] ?? {}, { id: terminal })
  const { apiKey: api_key } = fake.accounts[0] as { apiKey: string }
  const to = (method: string, path: string, body: object) =>
    sendJson(fake, method, `https://api.multisafepay.com/v1/json${path}`, { api_key }, body)
  const reason = 'By hand'
  const capture: Act = (job, amount) =>
    to('POST', `/orders/${job}/capture`, { amount, new_order_status: 'completed', reason })
  const cancel: Act = (job) => to('PATCH', `/capture/${job}`, { status: 'cancelled', reason })
  return {
    fake,
    byHand: { capture, cancel },
    failCapture(job: string) {
      const part = fake.related(job).find(({ type }) => type === 'capture')
      fake.declineCapture(job, part?.order_id ?? '')
    },
    endRefunds(job: string) {
      for (const { type, refund_order_id: id } of fake.related(job))
        if (type === 'refund') fake.endRefund(job, id ?? '', 'completed')
    },
    countsRefundsLate: true,
    terminal: { id: terminal },
    counter: {
      card: { brand: 'VISA', lastFour: '1234' },
      pay: fake.payAtTerminal,
      payLate: (job: string) => fake.bring(job, 'paid'),
      told: (job: string) => fake.notify(job, Date.now()),
      declineSoftly: fake.declineAtTerminal,
    },
  } satisfies Stage
}
