import { SANDBOX_ACCOUNT } from '../registry/account.ts'
import { HOUR, MINUTE } from '../contract/timestamp.ts'
import type { AccountWeather } from '../contract/hub-health.ts'
import { type AccountRow, listAccounts } from '../registry/accounts.ts'
import { ANNOUNCE_BOUNDS } from '../job-index/counters.ts'
import { type AnnounceCounts, announceCounts, type ToldWeather, toldWeather } from '../job-index/weather.ts'

/** How long (ms) after its `until` what a place told still stands: it tells again each time that it has tried in vain. */
const TOLD_FOR = 3 * MINUTE
const HOURS = 24

/** The weather of an account and a method, with the hour (ms) in which it took an order last. */
export type Reported = AccountWeather & { lastTaken: number | null }

/** How the weather of a PSP's account names a payment method (src/job/carriers.ts). */
export type MethodOf = (psp: string, method: string) => string

/** How each account has taken orders in the last 24 hours, those in trouble first. */
export async function weatherReport(
  env: Env,
  now: number,
  methodOf: MethodOf,
): Promise<{ from: number; to: number; accounts: Reported[] }> {
  const to = Math.ceil(now / HOUR)
  const from = to - HOURS
  const [accounts, told, counts] = await Promise.all([
    listAccounts(env.DB),
    toldWeather(env.DB),
    announceCounts(env, from, to),
  ])
  const reported = accounts
    .filter(({ id }) => id !== SANDBOX_ACCOUNT.id)
    .flatMap((account) => {
      const ofAccount = told.filter((one) => one.account === account.id)
      const byMethod = Map.groupBy(
        counts.filter((one) => one.account === account.id),
        ({ method }) => methodOf(account.psp, method),
      )
      const inTrouble = ofAccount.filter((one) => one.is !== 'well' && isFresh(one, now))
      const methods = new Set([...byMethod.keys(), ...inTrouble.map(({ method }) => method)])
      return Array.from(methods, (method) =>
        weatherOf(account, method, byMethod.get(method) ?? [], ofAccount, now),
      )
    })
  return { from: from * HOUR, to: to * HOUR, accounts: reported.toSorted(inOrder) }
}

function isFresh({ until }: ToldWeather, now: number): boolean {
  return now < until + TOLD_FOR
}

function weatherOf(
  { id, psp, mode }: AccountRow,
  paymentMethod: string,
  counts: readonly AnnounceCounts[],
  ofAccount: readonly ToldWeather[],
  now: number,
): Reported {
  const told = ofAccount.find(({ method }) => method === paymentMethod)
  const times = [...ANNOUNCE_BOUNDS, null].map((_, at) => sum(counts.map((one) => one.times[at] ?? 0)))
  const taken = sum(times)
  const missed = sum(counts.map((one) => one.missed))
  const state = told && told.is !== 'well' ? (isFresh(told, now) ? told.is : 'unknown') : 'well'
  const lastHour = Math.max(0, ...counts.map((one) => one.lastHour))
  return {
    account: id,
    psp,
    mode,
    paymentMethod,
    state,
    since: told ? timeOf(told.since) : null,
    lastFault: told && told.lastFaultAt !== null ? timeOf(told.lastFaultAt) : null,
    asked: taken + missed,
    missed,
    availability: taken + missed === 0 ? null : Math.round((taken / (taken + missed)) * 10_000) / 10_000,
    p50: quantileOf(times, 0.5),
    p95: quantileOf(times, 0.95),
    lastTaken: lastHour === 0 ? null : lastHour * HOUR,
  }
}

/**
 * About the time (ms) within which a share of them were, if those between two bounds were spread evenly. More than the last bound is told as
 * that.
 */
export function quantileOf(times: readonly number[], share: number): number | null {
  const wanted = sum(times) * share
  if (wanted <= 0) return null
  let before = 0
  for (const [at, count] of times.entries()) {
    const low = ANNOUNCE_BOUNDS[at - 1] ?? 0
    const high = ANNOUNCE_BOUNDS[at] ?? low
    if (before + count >= wanted) return Math.round(low + ((high - low) * (wanted - before)) / count)
    before += count
  }
  return null
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}

const STATES = ['silent', 'slow', 'unknown', 'well']
function inOrder(one: Reported, other: Reported): number {
  return (
    STATES.indexOf(one.state) - STATES.indexOf(other.state) ||
    other.asked - one.asked ||
    (`${one.account} ${one.paymentMethod}` < `${other.account} ${other.paymentMethod}` ? -1 : 1)
  )
}
