import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { HOUR, isoTime } from '../contract/timestamp.ts'
import { log } from '../platform/log.ts'
import { connect } from '../psp/connect.ts'
import type { CheckResult } from '../psp/port.ts'
import { type AccountRow, listAccounts } from '../registry/accounts.ts'
import { accountChecks } from '../registry/schema.ts'
import { type Mode, liveFirst } from '../contract/values.ts'
import type { AccountHealth } from '../contract/hub-health.ts'
import { waitingJobs, accountsPaidLately } from '../job-index/not-well.ts'
import { closeBreaker, readHint } from '../psp/health/breakers.ts'
import type { Notifications } from '../contract/accounts.ts'
import { type NotifiedAccount, readNotified } from '../registry/account-notifications.ts'

type AccountCheck = typeof accountChecks.$inferSelect

async function listAccountChecks(database: D1Database): Promise<AccountCheck[]> {
  return drizzle(database).select().from(accountChecks)
}

export async function accountCheckOf(
  database: D1Database,
  account: string,
): Promise<AccountCheck | undefined> {
  const [check] = await drizzle(database)
    .select()
    .from(accountChecks)
    .where(eq(accountChecks.account, account))
  return check
}

async function writeAccountCheck(database: D1Database, check: AccountCheck): Promise<void> {
  await drizzle(database)
    .insert(accountChecks)
    .values(check)
    .onConflictDoUpdate({ target: accountChecks.account, set: check })
}

/** How many accounts the hub checks at the same time: a Worker has six connections. */
const AT_ONCE = 5
/** The hub writes an unchanged check once per this time (ms), because each write costs a row. */
const WRITTEN_EVERY = HOUR

type RecordedCheck = AccountCheck & { failedBefore: boolean }

export async function checkAccounts(env: Env, now: number) {
  const [accounts, known] = await Promise.all([listAccounts(env.DB), listAccountChecks(env.DB)])
  const before = new Map(known.map((check) => [check.account, check]))
  const checked: (RecordedCheck & { mode: Mode })[] = []
  const rest = [...accounts]
  const work = async (): Promise<void> => {
    for (let account = rest.shift(); account; account = rest.shift()) {
      const answer = await (await connect(env, account, '')).check()
      const recorded = await recordCheck(env, account.id, answer, before.get(account.id), now)
      checked.push({ ...recorded, mode: account.mode })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return checked
}

/** Stores a check if the state changed or the stored one is an hour old. Returns it even if D1 fails. */
export async function recordCheck(
  env: Env,
  account: AccountRow['id'],
  answer: CheckResult,
  before: AccountCheck | undefined,
  now: number,
): Promise<RecordedCheck> {
  const message = answer.is === 'working' ? null : answer.message
  const isNew = before?.state !== answer.is
  const check: AccountCheck = {
    account,
    state: answer.is,
    message,
    since: isNew ? now : before.since,
    checkedAt: now,
  }
  if (isNew) log.info('account.checked', { account, state: answer.is, before: before?.state ?? null })
  if (answer.is === 'working') await closeBreaker(env, account)
  try {
    if (isNew || now - before.checkedAt >= WRITTEN_EVERY) await writeAccountCheck(env.DB, check)
  } catch (error) {
    log.fault('account.check-failed', error, { account })
  }
  return {
    ...check,
    failedBefore: answer.is !== 'working' && before !== undefined && before.state !== 'working',
  }
}

/**
 * Returns the accounts' health from fresh checks, or from the stored ones if `fresh` is null. An open
 * breaker counts until a check closes it.
 */
export async function accountsHealth(
  env: Env,
  fresh: readonly AccountCheck[] | null,
): Promise<AccountHealth[]> {
  const accounts = (await listAccounts(env.DB)).toSorted(liveFirst)
  const ids = accounts.map(({ id }) => id)
  const [checks, waiting, notifications] = await Promise.all([
    fresh ?? listAccountChecks(env.DB),
    waitingJobs(env),
    notificationsOf(env, ids),
  ])
  const checkOf = new Map(checks.map((check) => [check.account, check]))
  const waitOf = new Map(waiting.map((jobs) => [jobs.account, jobs.waiting]))
  return Promise.all(
    accounts.map(async ({ id, psp, mode }) => {
      const check = checkOf.get(id)
      const hint = await readHint(env, id)
      const isOpen = hint !== null && hint.until !== null
      const isWell = check === undefined || check.state === 'working'
      const silent = 'It did not answer the last requests about payments.'
      const seen =
        isOpen && isWell ? { state: 'unavailable' as const, since: hint.since, message: silent } : check
      return {
        account: id,
        psp,
        mode,
        state: seen?.state ?? 'unknown',
        since: isoTime(seen?.since ?? null),
        checked: isoTime(check?.checkedAt ?? null),
        message: seen?.message ?? null,
        waiting: waitOf.get(id) ?? 0,
        notifications: notifications.get(id) ?? { state: 'none', last: null },
      }
    }),
  )
}

/** Returns whether the notifications of each account arrive, by account id. */
export async function notificationsOf(
  env: Env,
  accounts: readonly string[],
): Promise<Map<string, Notifications>> {
  const seen = await Promise.all(
    accounts.map(async (account) => ({ account, notified: await readNotified(env, account) })),
  )
  const silent = seen.filter(({ notified }) => notified.counted === null).map(({ account }) => account)
  const paid = await accountsPaidLately(env, silent, Date.now())
  return new Map(
    seen.map(({ account, notified }) => [
      account,
      { state: stateOf(notified, paid.has(account)), last: isoTime(notified.counted) },
    ]),
  )
}

function stateOf({ counted, refused }: NotifiedAccount, isPaid: boolean): Notifications['state'] {
  if (counted !== null) return 'working'
  if (refused !== null) return 'refused'
  return isPaid ? 'missing' : 'none'
}
