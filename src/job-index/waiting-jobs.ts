import { inShards } from './index-shards.ts'

/** Jobs that wait to be announced at an account: how many, a thousand at most, and when (µs) the oldest was created. */
export type WaitingJobs = { account: string; waiting: number; oldest: number }

/** SQL, because it leaps from account to account along the partial index: it reads the jobs that wait, and no others. */
export const WAITING_QUERY = `
  with recursive at(account) as (
    select min(account) from jobs indexed by jobs_unannounced where announcement = 'due' and status = 'PENDING'
    union all
    select (select min(account) from jobs indexed by jobs_unannounced
      where announcement = 'due' and status = 'PENDING' and account > at.account)
    from at where at.account is not null)
  select at.account,
    (select count(*) from (select 1 from jobs indexed by jobs_unannounced
      where announcement = 'due' and status = 'PENDING' and account = at.account limit 1000)) as waiting,
    (select min(created) from jobs indexed by jobs_unannounced
      where announcement = 'due' and status = 'PENDING' and account = at.account) as oldest
  from at where at.account is not null`

/** The accounts that have waiting jobs, of all shards together. */
export async function waitingJobs(env: Env): Promise<WaitingJobs[]> {
  const found = await inShards(
    env,
    async (database) => (await database.prepare(WAITING_QUERY).all<WaitingJobs>()).results,
  )
  const byAccount = Map.groupBy(found, ({ account }) => account)
  return Array.from(byAccount, ([account, parts]) => ({
    account,
    waiting: parts.reduce((sum, { waiting }) => sum + waiting, 0),
    oldest: Math.min(...parts.map(({ oldest }) => oldest)),
  }))
}
