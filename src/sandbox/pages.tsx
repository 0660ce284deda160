import { type CustomerLanguage, customerLanguage, preferredLanguage } from '../platform/http/headers.ts'
import { readableAmount, shownText } from '../platform/pages/formats.ts'
import { page } from '../platform/pages/page.tsx'
import { CHOICES } from '../psp/sandbox/change.ts'
import type { AT_TERMINAL, Screen } from './terminal-page.tsx'
import type { Payment } from '../psp/sandbox/payment.ts'
import texts from './texts.json'

/** The page's languages: fewer than the customer's pages have, because only testers see it. */
export const LANGUAGES = ['en', 'nl', 'de', 'fr'] as const satisfies readonly CustomerLanguage[]

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

/** A translation that lacks a text does not compile. */
const TEXTS: Readonly<Record<(typeof LANGUAGES)[number], Readonly<Record<Text, string>>>> = texts

export function textsIn(language: (typeof LANGUAGES)[number]): Readonly<Record<string, string>> {
  return TEXTS[language]
}

/** Answers an address that leads to no payment. */
export function unknownPaymentPage(request: Request): Promise<Response> {
  const language = preferredLanguage(request, LANGUAGES)
  const { title, unknown } = TEXTS[language]
  return page({ title, language, status: 404, test: '' }, <h1>{unknown}</h1>)
}

/** Renders the hosted checkout page: one form, a button for each choice. */
export function checkoutPage(payment: Payment, request: Request): Promise<Response> {
  const { currency, amount, description } = payment
  const locale = payment.locale ?? ''
  const language = customerLanguage(locale, LANGUAGES) ?? preferredLanguage(request, LANGUAGES)
  const said = textsIn(language)
  // The customer only reserves the money of an order that is captured by hand.
  const isManual = payment.capture === 'manual'
  return page(
    { title: TEXTS[language].title, language, test: '' },
    <>
      <h1>{said.title}</h1>
      <p class="soft">{said.intro}</p>
      <p class="amount">{readableAmount(amount, currency, language, locale)}</p>
      <dl>
        <div>
          <dt>{said.order}</dt>
          <dd>
            <bdi>{shownText(description)}</bdi>
          </dd>
        </div>
      </dl>
      <form method="post">
        {Object.entries(CHOICES).map(([group, choices]) => (
          <>
            {group === 'ends' ? null : <p class="soft">{said[group]}</p>}
            {Object.keys(choices)
              .filter((choice) => !isManual || choice !== 'authorized')
              .map((choice) => (
                <button key={choice} name="outcome" value={choice} class={choice === 'paid' ? 'first' : ''}>
                  {said[isManual && choice === 'paid' ? 'authorized' : choice]}
                </button>
              ))}
          </>
        ))}
      </form>
    </>,
  )
}
