import * as v from 'valibot'
import { Integer } from '../../contract/values.ts'

/**
 * Which accounts the order could not go to when the job was created: those that were asked in vain, and those that were not
 * asked, because they had not answered others since (ms).
 */
export const AskedAccounts = v.object({
  silent: v.exactOptional(v.array(v.string())),
  skipped: v.exactOptional(v.array(v.object({ account: v.string(), since: Integer }))),
})
export type AskedAccounts = v.InferOutput<typeof AskedAccounts>
export type SkippedAccounts = NonNullable<AskedAccounts['skipped']>
