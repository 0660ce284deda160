import * as v from 'valibot'
import { type CustomerLanguage, LANGUAGES, customerLanguage } from '../platform/customer-language.ts'
import { canonicalLanguage } from '../contract/language.ts'
import { currenciesOf } from '../contract/method-currencies.ts'
import type { Profile } from '../registry/profile.ts'
import { formatAmount } from '../contract/money.ts'
import { preferredLanguage } from '../platform/http/accept-language.ts'
import { invalid } from '../platform/http/invalid.ts'
import { type Limit, type Usable, limitsOf, usableMethods } from '../job/usable-methods.ts'
import type { PosHandler } from './authenticate.ts'
import { LONGEST } from './contract/lengths.ts'
import type { MethodLimit, PaymentMethods, UsableMethod } from './contract/payment-methods.ts'
import { methodMeant, nameOf } from './method-names.ts'
import { signedJson } from './signed.ts'

const Query = v.object({
  language: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(LONGEST.language, `must have at most ${LONGEST.language} characters`),
      v.check((text) => canonicalLanguage(text) !== undefined, 'must be a language code such as nl or nl-NL'),
    ),
  ),
})

/**
 * `GET /v2/paymentmethods?language=`: what an order of this point of sale may name as its `payment_method` now, from the copy of
 * its profile. The names are in the asked language, else in that of `Accept-Language`, else in English.
 */
export const listPaymentMethods: PosHandler<object> = async (request, { env }, profile) => {
  const query = v.safeParse(Query, Object.fromEntries(new URL(request.url).searchParams))
  if (!query.success) return invalid(query.issues)
  const asked = query.output.language
  const language =
    (asked === undefined ? undefined : customerLanguage(asked, LANGUAGES)) ??
    preferredLanguage(request, LANGUAGES)
  const { mode, pos, name } = profile
  const pointOfSale = { id: pos, ...(name === undefined ? {} : { name }) }
  const answer: PaymentMethods = { mode, pointOfSale, language, paymentMethods: represent(profile, language) }
  const headers = { 'content-language': language, vary: 'Accept-Language' }
  return signedJson(env, profile, 200, answer, headers)
}

/** Each method once: its other names stand with the first. */
function represent(profile: Profile, language: CustomerLanguage): UsableMethod[] {
  const methods = Map.groupBy(usableMethods(profile), ({ paymentMethod }) => methodMeant(paymentMethod))
  return [...methods.values()].flatMap(([method, ...others]) =>
    method ? [representMethod(method, others, language)] : [],
  )
}

function representMethod(
  method: Usable,
  others: readonly Usable[],
  language: CustomerLanguage,
): UsableMethod {
  const { paymentMethod } = method
  const currencies = currenciesOf(paymentMethod)
  const limits = limitsOf(method).map(representLimit)
  return {
    paymentMethod,
    ...(others.length > 0 ? { aliases: others.map((other) => other.paymentMethod) } : {}),
    name: nameOf(paymentMethod, language),
    ...(currencies ? { currencies: [...currencies] } : {}),
    ...(limits.length > 0 ? { limits } : {}),
  }
}

function representLimit({ currency, minimum, maximum }: Limit): MethodLimit {
  return {
    currency,
    ...(minimum === undefined ? {} : { minimum: formatAmount(minimum, currency) }),
    ...(maximum === undefined ? {} : { maximum: formatAmount(maximum, currency) }),
  }
}
