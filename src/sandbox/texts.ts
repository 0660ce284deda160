import type { Progress } from '../contract/terminals.ts'
import type { CustomerLanguage } from '../platform/http/headers.ts'
import type { AT_TERMINAL, CHOICES } from '../psp/sandbox/change.ts'
import type { Payment } from '../psp/sandbox/payment.ts'
import texts from './texts.json'

/** The languages of the sandbox's pages: fewer than customers have, because only testers see them. */
export const LANGUAGES = ['en', 'nl', 'de', 'fr'] as const satisfies readonly CustomerLanguage[]

/** The screens of a terminal: off, ready, the progress of a payment, or how it ended. */
export type Screen =
  | 'off'
  | 'ready'
  | Progress
  | Exclude<Payment['status'], 'open' | 'pending' | 'authorized'>

type ChoiceGroup<Choices> = Choices extends unknown ? keyof Choices : never
type Text =
  | 'title'
  | 'intro'
  | 'order'
  | 'unknown'
  | Exclude<keyof typeof CHOICES, 'ends'>
  | ChoiceGroup<(typeof CHOICES)[keyof typeof CHOICES]>
  | 'terminal'
  | `terminal-${keyof typeof AT_TERMINAL | 'on' | 'off'}`
  | `screen-${Screen}`

const TEXTS: Readonly<Record<(typeof LANGUAGES)[number], Readonly<Record<Text, string>>>> = texts

export function textsIn(
  language: (typeof LANGUAGES)[number],
): Readonly<Record<Text, string> & Record<string, string>> {
  return TEXTS[language]
}
