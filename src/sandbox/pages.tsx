import { customerLanguage, preferredLanguage } from '../platform/http/headers.ts'
import { readableAmount, shownText } from '../platform/pages/formats.ts'
import { page } from '../platform/pages/page.tsx'
import { CHOICES } from '../psp/sandbox/change.ts'
import type { Payment } from '../psp/sandbox/payment.ts'
import { LANGUAGES, textsIn } from './texts.ts'

/** Answers an address without a payment or a terminal. */
export function unknownPaymentPage(request: Request): Promise<Response> {
  const language = preferredLanguage(request, LANGUAGES)
  const { title, unknown } = textsIn(language)
  return page({ title, language, status: 404, test: '' }, <h1>{unknown}</h1>)
}

export function checkoutPage(payment: Payment, request: Request): Promise<Response> {
  const { currency, amount, description } = payment
  const locale = payment.locale ?? ''
  const language = customerLanguage(locale, LANGUAGES) ?? preferredLanguage(request, LANGUAGES)
  const said = textsIn(language)
  // With manual capture the customer only reserves the money.
  const isManual = payment.capture === 'manual'
  return page(
    { title: said.title, language, test: '' },
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
