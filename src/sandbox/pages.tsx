import { parseAmount } from '../contract/money.ts'
import { customerLanguage, preferredLanguage } from '../platform/http/headers.ts'
import { readableAmount, shownText } from '../platform/pages/formats.ts'
import { page } from '../platform/pages/page.tsx'
import { Rough, Slow } from '../psp/sandbox/change.ts'
import { Outcome, type Payment } from '../psp/sandbox/payment.ts'
import { SANDBOX_LANGUAGES, type SandboxLanguage, TEXTS } from './texts.ts'

/** For an address that leads to no payment. */
export function unknownPaymentPage(request: Request): Promise<Response> {
  const language = preferredLanguage(request, SANDBOX_LANGUAGES)
  const { title, unknown } = TEXTS[language]
  return page({ title, language, status: 404, test: '' }, <h1>{unknown}</h1>)
}

/** The hosted checkout page: one form, a button for each outcome. */
export function checkoutPage(payment: Payment, request: Request): Promise<Response> {
  const language =
    customerLanguage(payment.locale ?? '', SANDBOX_LANGUAGES) ?? preferredLanguage(request, SANDBOX_LANGUAGES)
  const texts = TEXTS[language]
  return page(
    { title: texts.title, language, test: '' },
    <>
      <h1>{texts.title}</h1>
      <p class="soft">{texts.intro}</p>
      <p class="amount">{readable(payment, language)}</p>
      <dl>
        <div>
          <dt>{texts.order}</dt>
          <dd>
            <bdi>{shownText(payment.description)}</bdi>
          </dd>
        </div>
      </dl>
      <form method="post">
        {Outcome.options.map((outcome, place) => (
          <button key={outcome} name="outcome" value={outcome} class={place === 0 ? 'first' : ''}>
            {texts[outcome]}
          </button>
        ))}
        <p class="soft">{texts.slow}</p>
        {Slow.options.map((outcome) => (
          <button key={outcome} name="outcome" value={outcome}>
            {texts[outcome]}
          </button>
        ))}
        <p class="soft">{texts.rough}</p>
        {Rough.options.map((outcome) => (
          <button key={outcome} name="outcome" value={outcome}>
            {texts[outcome]}
          </button>
        ))}
      </form>
    </>,
  )
}

function readable({ amount: { value, currency }, locale }: Payment, language: SandboxLanguage): string {
  const parsed = parseAmount(value, currency)
  return parsed.ok ? readableAmount(parsed.value, currency, language, locale ?? '') : `${currency} ${value}`
}
