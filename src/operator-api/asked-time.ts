import { type Result, ok } from '../contract/result.ts'
import { invalidField, type Refusal } from '../platform/http/refusal.ts'
import { monthSpan } from '../platform/pages/zoned-time.ts'

export type AskedTime = { from?: number | undefined; to?: number | undefined; month?: string | undefined }

/**
 * The ends (ms) of the time that a query names, by its instants or by a month of the hub's zone.
 */
export function timeOf(
  { from, to, month }: AskedTime,
  zone: string,
): Result<{ from?: number | undefined; to?: number | undefined }, Refusal> {
  if (month === undefined) return ok({ from, to })
  return from === undefined && to === undefined
    ? ok(monthSpan(month, zone))
    : invalidField('month', 'goes with no `from` and no `to`')
}
