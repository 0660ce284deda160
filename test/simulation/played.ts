import { adyenFake } from '../support/psps/adyen.ts'
import { playedAdyen } from './played-adyen.ts'
import { playedMollie } from './played-mollie.ts'
import { playedMultisafepay } from './played-multisafepay.ts'
import type { PlayedAccount } from './played-psp.ts'
import { playedStripe } from './played-stripe.ts'

/** Returns the simulated accounts, two at each PSP, in the order in which commands number them. */
export function playedAccounts(): PlayedAccount[] {
  // Both accounts at Adyen belong to one company, and share its idempotency keys.
  const adyen = adyenFake()
  return ([0, 1] as const).flatMap((nth) => [
    playedMollie(nth),
    playedStripe(nth),
    playedMultisafepay(nth),
    playedAdyen(nth, adyen),
  ])
}
