import * as v from 'valibot'
import { parseAmount } from '../domain/money.ts'
import { readText } from '../http/body.ts'
import type { Answer } from '../http/routes.ts'
import { seeOther } from '../http/redirect.ts'
import { readableAmount } from '../pages/amount.ts'
import { type PageLanguage, page, pageLanguage, preferredLanguage } from '../pages/page.tsx'
import { Outcome, type Payment } from './payment.ts'
import { TEXTS } from './texts.ts'
import { type SandboxRequest, sandboxPayment } from './stub.ts'

/** The hosted checkout page: one form, a button for each outcome. */
export const showCheckout = async (request: SandboxRequest, env: Env): Promise<Answer> => {
  const payment = await sandboxPayment(env, request.params.id)?.read()
  if (!payment) return unknownPayment(request)
  return payment.status === 'open' ? checkoutPage(payment, request) : seeOther(destination(payment))
}

/** Takes the customer's choice, and sends the customer back to where the payment came from. */
export const chooseOutcome = async (request: SandboxRequest, env: Env): Promise<Answer> => {
  const body = await readText(request)
  if (typeof body !== 'string') return body
  const outcome = v.safeParse(Outcome, new URLSearchParams(body).get('outcome'))
  if (!outcome.success) {
    return {
      refused: 'invalid',
      errors: [{ field: 'outcome', error: `must be one of ${Outcome.options.join(', ')}` }],
    }
  }
  const payment = await sandboxPayment(env, request.params.id)?.complete(outcome.output)
  return payment ? seeOther(destination(payment)) : unknownPayment(request)
}

const destination = (payment: Payment): string =>
  payment.status === 'canceled' ? (payment.cancelUrl ?? payment.redirectUrl) : payment.redirectUrl

const unknownPayment = (request: Request): Promise<Response> => {
  const language = preferredLanguage(request)
  const { title, unknown } = TEXTS[language]
  return page({ title, language, status: 404 }, <h1>{unknown}</h1>)
}

const checkoutPage = (payment: Payment, request: Request): Promise<Response> => {
  const language = pageLanguage(payment.locale ?? '') ?? preferredLanguage(request)
  const texts = TEXTS[language]
  return page(
    { title: texts.title, language },
    <>
      <h1>{texts.title}</h1>
      <p class="soft">{texts.intro}</p>
      <p class="amount">{readable(payment, language)}</p>
      <dl>
        <dt>{texts.order}</dt>
        <dd>{payment.description}</dd>
      </dl>
      <form method="post">
        {Outcome.options.map((outcome, place) => (
          <button key={outcome} name="outcome" value={outcome} class={place === 0 ? 'first' : ''}>
            {texts[outcome]}
          </button>
        ))}
      </form>
    </>,
  )
}

const readable = ({ amount: { value, currency } }: Payment, language: PageLanguage): string => {
  const parsed = parseAmount(value, currency)
  return parsed.ok ? readableAmount(parsed.minor, currency, language) : `${currency} ${value}`
}
