import { stripeFake } from '../../support/psps/stripe.ts'
import type { Act, Stage } from '../stages.ts'

export function stage(terminal?: string, captures: 'once' | 'several' = 'once') {
  const double = stripeFake()
  const reader = double.addReader(terminal === undefined ? {} : { id: terminal })
  const bringInParts = (job: string) => double.setMoney(job, 'multicapture')
  const fake = captures === 'once' ? double : { ...double, bring: bringInParts }
  const capture: Act = (job, amount) => fake.captureThere(job, amount, false, Date.now())
  const cancel: Act = (job) => fake.releaseThere(job, Date.now())
  const intentOf = (job: string) => fake.intents().find(({ id }) => id === fake.madeWith(job))
  const pay = (job: string, tip = 0) => {
    fake.present(reader, new Map([['amount_tip', String(tip)]]))
    if (intentOf(job)?.status !== 'succeeded') throw new Error('the payment is over')
  }
  return {
    fake,
    reader,
    intentOf,
    byHand: { capture, cancel },
    endRefunds: (job: string) => fake.endRefunds(job, 'succeeded', Date.now()),
    terminal: reader,
    counter: {
      card: { brand: 'visa', lastFour: '4242' },
      pay,
      payLate: pay,
      told: async (job: string) => [await fake.tellIntent(job, 'payment_intent.succeeded', Date.now())],
    },
  } satisfies Stage & Record<string, unknown>
}
