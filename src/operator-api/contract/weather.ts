import * as v from 'valibot'

/** What the operator API answers about how well accounts take orders. */

/**
 * How one account takes orders of a payment method; `*` stands for names that its PSP does not have. `state` is as a place of the hub
 * told it last, and `unknown` where that is long ago. `asked` are the payments of the time that were to go there, `missed` those that it could
 * not take: it did not answer, or had not answered others just before. `p50` and `p95` are about the milliseconds within which half and
 * 95 % of its answers came.
 */
export const AccountWeather = v.object({
  account: v.string(),
  psp: v.string(),
  mode: v.picklist(['test', 'live']),
  paymentMethod: v.string(),
  state: v.picklist(['well', 'slow', 'silent', 'unknown']),
  since: v.nullable(v.string()),
  lastFault: v.nullable(v.string()),
  asked: v.number(),
  missed: v.number(),
  availability: v.nullable(v.number()),
  p50: v.nullable(v.number()),
  p95: v.nullable(v.number()),
})
export type AccountWeather = v.InferOutput<typeof AccountWeather>

/** The answer of `GET /weather`: the accounts that were asked in the last 24 hours, or are in trouble; those in trouble first. */
export const Weather = v.object({ from: v.string(), to: v.string(), accounts: v.array(AccountWeather) })
export type Weather = v.InferOutput<typeof Weather>
