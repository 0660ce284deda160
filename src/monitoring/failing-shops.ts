import type { State } from '../job/core/state.ts'
import { callJob } from '../job/call-job.ts'
import { type Counted, type FailingAtShop, failingShops } from '../job-index/not-well.ts'
import { namedPos } from '../registry/points-of-sale.ts'

/** For how many shops the hub looks up the last answer: each costs a call to a job's object. */
const MOST_ASKED = 50

export type ShopWithAnswer = FailingAtShop & { name: string; lastOutcome: string | null }

/** Returns the shops whose reports fail, the one with most first, each with its last answer. */
export async function shopsWithAnswer(
  env: Env,
  pos: string | null,
  counted: Counted,
): Promise<ShopWithAnswer[]> {
  const shops = (await failingShops(env, pos, counted)).toSorted(
    (one, other) => other.failing + other.givenUp - one.failing - one.givenUp,
  )
  if (shops.length === 0) return []
  const ids = shops.map((shop) => shop.pos)
  const [names, outcomes] = await Promise.all([
    namedPos(env.DB, ids),
    Promise.all(shops.slice(0, MOST_ASKED).map(({ job }) => lastOutcomeOf(env, job))),
  ])
  return shops.map((shop, at) =>
    Object.assign(shop, { name: names.get(shop.pos)?.name ?? shop.pos, lastOutcome: outcomes[at] ?? null }),
  )
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
