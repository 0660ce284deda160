import type { AccountHealth } from '../contract/hub-health.ts'
import { type AccountCheck, listAccountChecks } from './account-checks.ts'
import { listAccounts } from '../registry/accounts.ts'
import { waitingJobs } from '../job-index/waiting-jobs.ts'

/** How each account is, by its last check, or by those that were just made. */
export async function accountsHealth(
  env: Env,
  fresh: readonly AccountCheck[] | null,
): Promise<AccountHealth[]> {
  const [accounts, checks, waiting] = await Promise.all([
    listAccounts(env.DB),
    fresh ?? listAccountChecks(env.DB),
    waitingJobs(env),
  ])
  const checkOf = new Map(checks.map((check) => [check.account, check]))
  const waitOf = new Map(waiting.map((jobs) => [jobs.account, jobs.waiting]))
  return accounts.map(({ id, psp, mode }) => {
    const check = checkOf.get(id)
    return {
      account: id,
      psp,
      mode,
      state: check?.state ?? 'unknown',
      since: check ? new Date(check.since).toISOString() : null,
      checked: check ? new Date(check.checkedAt).toISOString() : null,
      message: check?.message ?? null,
      waiting: waitOf.get(id) ?? 0,
    }
  })
}
