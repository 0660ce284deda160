import { playedAdyen } from './played-adyen.ts'
import { playedMollie } from './played-mollie.ts'
import { playedMultisafepay } from './played-multisafepay.ts'
import type { PlayedPsp } from './played-psp.ts'
import { playedStripe } from './played-stripe.ts'

/** The PSPs that are played, in the order in which commands count them. */
export const PLAYED: readonly (() => PlayedPsp)[] = [
  playedMollie,
  playedStripe,
  playedMultisafepay,
  playedAdyen,
]
