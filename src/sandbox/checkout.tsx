import * as v from 'valibot'
import { parseAmount } from '../domain/money.ts'
import { type Result, ok } from '../domain/result.ts'
import { readText } from '../http/body.ts'
import { invalidField } from '../http/invalid.ts'
import { seeOther } from '../http/respond.ts'
import type { Handler } from '../http/routes.ts'
import { readableAmount } from '../pages/formats.ts'
import { customerLanguage } from '../domain/customer-language.ts'
import { preferredLanguage } from '../http/accept-language.ts'
import { page } from '../pages/page.tsx'
import { shownText } from '../pages/shown-text.ts'
import { Choice, SLOW_OUTCOMES, Slow } from './change.ts'
import { Outcome, type Payment, isOpen } from './payment.ts'
import type { SandboxPayment } from './sandbox-payment.ts'
import { SANDBOX_LANGUAGES, type SandboxLanguage, TEXTS } from './texts.ts'
import { tooMany, visitPayment } from './stub.ts'

/** The hosted checkout page: one form, a button for each outcome. */
export const showCheckout: Handler<{ id: string }> = async (request, { env, params }) => {
  const payment = await visitPayment(request, env, params.id, async (stub) => stub.read())
  if (payment === 'too-many') return tooMany
  if (!payment) return unknownPayment(request)
  return isOpen(payment) ? ok(await checkoutPage(payment, request)) : seeOther(destination(payment))
}

/** Takes the customer's choice, and sends the customer back to where the payment came from. */
export const chooseOutcome: Handler<{ id: string }> = async (request, { env, params }) => {
  const body = await readText(request)
  if (!body.ok) return body
  const outcome = v.safeParse(Choice, new URLSearchParams(body.value).get('outcome'))
  if (!outcome.success) return invalidField('outcome', `must be one of ${Choice.options.join(', ')}`)
  const payment = await visitPayment(request, env, params.id, (stub) => choose(stub, outcome.output))
  if (payment === 'too-many') return tooMany
  return payment ? seeOther(destination(payment)) : unknownPayment(request)
}

/** How the payment then stands; null for one that there is not. A choice that comes too late changes nothing. */
const choose = async (stub: DurableObjectStub<SandboxPayment>, choice: Choice): Promise<Payment | null> => {
  if (v.is(Outcome, choice)) return stub.settle(choice)
  const changed = await stub.change(SLOW_OUTCOMES[choice])
  return changed?.ok ? changed.value : stub.read()
}

const destination = (payment: Payment): string =>
  payment.status === 'canceled' ? (payment.cancelUrl ?? payment.redirectUrl) : payment.redirectUrl

const unknownPayment = async (request: Request): Promise<Result<Response, never>> => {
  const language = preferredLanguage(request, SANDBOX_LANGUAGES)
  const { title, unknown } = TEXTS[language]
  return ok(await page({ title, language, status: 404 }, <h1>{unknown}</h1>))
}

const checkoutPage = (payment: Payment, request: Request): Promise<Response> => {
  const language =
    customerLanguage(payment.locale ?? '', SANDBOX_LANGUAGES) ?? preferredLanguage(request, SANDBOX_LANGUAGES)
  const texts = TEXTS[language]
  return page(
    { title: texts.title, language },
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
      </form>
    </>,
  )
}

const readable = ({ amount: { value, currency }, locale }: Payment, language: SandboxLanguage): string => {
  const parsed = parseAmount(value, currency)
  return parsed.ok ? readableAmount(parsed.value, currency, language, locale ?? '') : `${currency} ${value}`
}
