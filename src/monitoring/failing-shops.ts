import type { State } from '../job/core/state.ts'
import { callJob } from '../job/call-job.ts'
import { type Counted, type FailingAtShop, failingShops } from '../job-index/not-well.ts'
import type { Mode } from '../contract/values.ts'
import { namedPos, posByMode } from '../registry/points-of-sale.ts'

/** For how many shops the hub looks up the last answer: each costs a call to a job's object. */
const MOST_ASKED = 50

export type ShopWithAnswer = FailingAtShop & { name: string; mode: Mode; lastOutcome: string | null }

/** Returns the live shops whose reports fail, then the test ones, each with its last answer. */
export async function allFailingShops(env: Env, counted: Counted): Promise<ShopWithAnswer[]> {
  const { live, test } = await posByMode(env.DB)
  // Apart, so that the many of one mode hide none of the other.
  const found = await Promise.all([live, test].map((of) => shopsWithAnswer(env, of, counted)))
  return found.flat()
}

/** Returns the shops among some whose reports fail, the one with most first, each with its last answer. */
export async function shopsWithAnswer(
  env: Env,
  of: readonly string[],
  counted: Counted,
): Promise<ShopWithAnswer[]> {
  const shops = (await failingShops(env, of, counted)).toSorted(
    (one, other) => other.failing + other.givenUp - one.failing - one.givenUp,
  )
  if (shops.length === 0) return []
  const ids = shops.map((shop) => shop.pos)
  const [known, outcomes] = await Promise.all([
    namedPos(env.DB, ids),
    Promise.all(shops.slice(0, MOST_ASKED).map(({ job }) => lastOutcomeOf(env, job))),
  ])
  return shops.map((shop, at) => {
    const { name, mode } = known.get(shop.pos) ?? { name: shop.pos, mode: 'live' }
    return Object.assign(shop, { name, mode, lastOutcome: outcomes[at] ?? null })
  })
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
