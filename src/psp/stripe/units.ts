import * as v from 'valibot'
import { fromPspUnits } from '../units.ts'
import { UNITS } from './tables.ts'

const Amount = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** An amount of Stripe's in minor units; null where it is in another currency, cannot be read, or they cannot hold it. */
export function minorUnits(value: unknown, of: string, currency: string): number | null {
  return v.is(Amount, value) && of === currency.toLowerCase() ? fromPspUnits(value, currency, UNITS) : null
}
