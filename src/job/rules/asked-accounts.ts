import * as v from 'valibot'
import { Integer } from '../../contract/integer.ts'

/**
 * How the announcement of a job went when it was created, and never after: the time (ms) that the account took which answered,
 * those that were asked in vain, and those that were not asked first, for they were in trouble `since` (ms).
 */
export const AskedAccounts = v.object({
  milliseconds: v.exactOptional(Integer),
  silent: v.exactOptional(v.array(v.string())),
  skipped: v.exactOptional(
    v.array(v.object({ account: v.string(), why: v.picklist(['silent', 'slow']), since: Integer })),
  ),
})
export type AskedAccounts = v.InferOutput<typeof AskedAccounts>
export type SkippedAccounts = NonNullable<AskedAccounts['skipped']>
