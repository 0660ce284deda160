import type { State } from '../job/core/state.ts'
import { callJob } from '../job/call-job.ts'
import { type CountedReports, type FailingAtShop, failingShops } from '../job-index/not-well.ts'
import { type Mode, liveFirst } from '../contract/values.ts'
import { namedPos } from '../registry/points-of-sale.ts'

/** The most shops whose last answer the hub looks up: each costs a call to a job's object. */
const MOST_ASKED = 50

export type ShopWithAnswer = FailingAtShop & { name: string; mode: Mode; lastOutcome: string | null }

/**
 * Returns the shops among `of` whose reports fail, each with its receiver's last answer. Live shops
 * come first, then those with the most such reports.
 */
export async function shopsWithAnswer(
  env: Env,
  of: readonly string[],
  counted: CountedReports,
): Promise<ShopWithAnswer[]> {
  const failing = await failingShops(env, of, counted)
  if (failing.length === 0) return []
  const ids = failing.map(({ pos }) => pos)
  const known = await namedPos(env.DB, ids)
  const shops = failing
    .map((shop) => Object.assign(shop, known.get(shop.pos) ?? { name: shop.pos, mode: 'live' as const }))
    .toSorted(
      (one, other) => liveFirst(one, other) || other.failing + other.givenUp - one.failing - one.givenUp,
    )
  const outcomes = await Promise.all(shops.slice(0, MOST_ASKED).map(({ job }) => lastOutcomeOf(env, job)))
  return shops.map((shop, at) => Object.assign(shop, { lastOutcome: outcomes[at] ?? null }))
}

/** Returns the outcome of a job's last try; null if its object fails, which must not hide other shops. */
async function lastOutcomeOf(env: Env, id: string): Promise<string | null> {
  try {
    const job = await callJob<State | null>(env, id, async (stub) => stub.read())
    return job?.report?.history.at(-1)?.outcome ?? null
  } catch {
    return null
  }
}
