import { adyenFake } from '../support/psps/adyen.ts'
import { playedAdyen } from './played-adyen.ts'
import { playedMollie } from './played-mollie.ts'
import { playedMultisafepay } from './played-multisafepay.ts'
import type { PlayedAccount } from './played-psp.ts'
import { playedStripe } from './played-stripe.ts'

/** The accounts that are played, two at each PSP, in the order in which commands count them. */
export function playedAccounts(): PlayedAccount[] {
  // Both of Adyen's are of one company, which has one memory of idempotency keys.
  const adyen = adyenFake()
  return ([0, 1] as const).flatMap((nth) => [
    playedMollie(nth),
    playedStripe(nth),
    playedMultisafepay(nth),
    playedAdyen(nth, adyen),
  ])
}
