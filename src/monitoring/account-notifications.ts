import type { Notifications } from '../contract/accounts.ts'
import { isoTime } from '../contract/timestamp.ts'
import { accountsPaidLately } from '../job-index/not-well.ts'
import { type NotifiedAccount, readNotified } from '../registry/account-notifications.ts'

/** Whether the notifications of accounts come, by their ids. */
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
