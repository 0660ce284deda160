import type { AccountHealth } from '../contract/hub-health.ts'
import { type AccountCheck, listAccountChecks } from './check-accounts.ts'
import { listAccounts } from '../registry/accounts.ts'
import { waitingJobs } from '../job-index/waiting-jobs.ts'
import { readHint } from '../psp/breakers.ts'

/**
 * How each account is, by its last check or by a fresh one. An account with an open breaker is
 * `unavailable`, unless it answered a check after the breaker's pause.
 */
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
  return Promise.all(
    accounts.map(async ({ id, psp, mode }) => {
      const check = checkOf.get(id)
      const hint = await readHint(env, id)
      const isOpen = hint !== null && hint.until !== null && (check?.checkedAt ?? 0) < hint.until
      const isWell = check === undefined || check.state === 'working'
      const seen: Pick<AccountCheck, 'message'> & { state: AccountHealth['state']; since: number | null } =
        isOpen && isWell
          ? { state: 'unavailable', since: hint.since, message: 'It does not answer payments.' }
          : { state: check?.state ?? 'unknown', since: check?.since ?? null, message: check?.message ?? null }
      return {
        account: id,
        psp,
        mode,
        state: seen.state,
        since: seen.since === null ? null : new Date(seen.since).toISOString(),
        checked: check ? new Date(check.checkedAt).toISOString() : null,
        message: seen.message,
        waiting: waitOf.get(id) ?? 0,
      }
    }),
  )
}
