import type { State } from '../job/core/state.ts'
import { callJob } from '../job/call-job.ts'
import { type Counted, type FailingAtShop, failingShops } from '../job-index/not-well.ts'
import { type Mode, liveFirst } from '../contract/values.ts'
import { namedPos } from '../registry/points-of-sale.ts'

/** For how many shops the hub looks up the last answer: each costs a call to a job's object. */
const MOST_ASKED = 50

export type ShopWithAnswer = FailingAtShop & { name: string; mode: Mode; lastOutcome: string | null }

/**
 * Returns the shops of a list whose reports fail, each with its last answer: live ones first, and
 * those with most.
 */
export async function shopsWithAnswer(
  env: Env,
  of: readonly string[],
  counted: Counted,
): Promise<ShopWithAnswer[]> {
  const failing = await failingShops(env, of, counted)
  if (failing.length === 0) return []
  const known = await namedPos(
    env.DB,
    failing.map(({ pos }) => pos),
  )
  const shops = failing
    .map((shop) => Object.assign(shop, known.get(shop.pos) ?? { name: shop.pos, mode: 'live' as const }))
    .toSorted(
      (one, other) => liveFirst(one, other) || other.failing + other.givenUp - one.failing - one.givenUp,
    )
  const outcomes = await Promise.all(shops.slice(0, MOST_ASKED).map(({ job }) => lastOutcomeOf(env, job)))
  return shops.map((shop, at) => Object.assign(shop, { lastOutcome: outcomes[at] ?? null }))
}

/** Returns how a job's last try went; null if its object fails, which must hide no other shop. */
async function lastOutcomeOf(env: Env, id: string): Promise<string | null> {
  try {
    return outcomeOf(await callJob(env, id, (stub) => stub.read()))
  } catch {
    return null
  }
}

function outcomeOf(job: State | null): string | null {
  return job?.report?.history.at(-1)?.outcome ?? null
}
