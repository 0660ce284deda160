import { AT_COUNTER, TERMINALS, adyenFake } from '../../support/psps/adyen.ts'
import type { Act, Stage } from '../stages.ts'

/** Its terminals say nothing of a payment until a card has paid, so that adyen/whole-terminal.test.ts plays them. */
export function stage(_terminal?: string, captures: 'once' | 'several' = 'once') {
  const fake = adyenFake(captures)
  const capture: Act = async (job, amount) => Response.json(fake.byHand(job, 'captures', amount))
  const cancel: Act = async (job) => Response.json(fake.byHand(job, 'cancels'))
  const refund: Act = async (job, amount) => [
    await fake.tellRefund(fake.byHand(job, 'refunds', amount).pspReference),
  ]
  return {
    fake,
    byHand: { capture, cancel, refund },
    terminal: { id: TERMINALS[0], credentials: AT_COUNTER },
    isOnce: true,
    failCapture: () => fake.failCapture(fake.captures().at(-1)?.pspReference ?? ''),
  } satisfies Stage
}
