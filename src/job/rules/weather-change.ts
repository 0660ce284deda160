import * as v from 'valibot'

/** What one place saw of an account and a payment method: in trouble since then, and left alone `until` (ms), or well again. */
export const WeatherChange = v.object({
  account: v.string(),
  method: v.string(),
  is: v.picklist(['well', 'slow', 'silent']),
  since: v.number(),
  until: v.number(),
  at: v.number(),
})
export type WeatherChange = v.InferOutput<typeof WeatherChange>
