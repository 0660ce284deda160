import { formatAmount } from '../contract/money.ts'
import type { MethodLimit, UsableMethod } from '../contract/payment-methods.ts'
import { type Usable, currenciesAt, limitsOf, reserveOf, usableMethods } from '../psp/adapters.ts'
import { reply } from '../platform/http/operations.ts'
import {
  type CustomerLanguage,
  LANGUAGES,
  customerLanguage,
  preferredLanguage,
} from '../platform/http/headers.ts'
import type { Limit } from '../psp/port.ts'
import type { Profile } from '../registry/profile.ts'
import type { PosHandler } from './handler.ts'
import { methodMeant, nameOf } from '../contract/method-names.ts'

/** Names are in the language of the query, or of `Accept-Language`, or in English. */
export const listPaymentMethods: PosHandler<'listPaymentMethods'> = async ({ request, query }, profile) => {
  const asked = customerLanguage(query.language ?? '', LANGUAGES)
  const language = asked ?? preferredLanguage(request, LANGUAGES)
  const { mode, pos, name } = profile
  const pointOfSale = { id: pos, ...(name === undefined ? {} : { name }) }
  const answer = { mode, pointOfSale, language, paymentMethods: represent(profile, language) }
  return reply(answer, { 'content-language': language, vary: 'Accept-Language' })
}

/** Lists each method once, with its other names as aliases. */
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
  const currencies = currenciesAt(method)
  const limits = limitsOf(method).map(representLimit)
  const capture = reserveOf(method)
  return {
    paymentMethod,
    ...(others.length > 0 ? { aliases: others.map((other) => other.paymentMethod) } : {}),
    name: nameOf(paymentMethod, language),
    ...(currencies ? { currencies: [...currencies] } : {}),
    ...(limits.length > 0 ? { limits } : {}),
    ...(capture ? { capture } : {}),
  }
}

function representLimit({ currency, minimum, maximum }: Limit): MethodLimit {
  return {
    currency,
    ...(minimum === undefined ? {} : { minimum: formatAmount(minimum, currency) }),
    ...(maximum === undefined ? {} : { maximum: formatAmount(maximum, currency) }),
  }
}
