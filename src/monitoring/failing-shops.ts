import type { State } from '../job/core/state.ts'
import { callJob } from '../job/call-job.ts'
import { type Counted, type FailingAtShop, failingShops } from '../job-index/not-well.ts'
import { namedPos } from '../registry/points-of-sale.ts'

/** Shops whose receiver's last answer is looked up: each is a call to a job's object. */
const MOST_ASKED = 50

export type ShopWithAnswer = FailingAtShop & { name: string; lastOutcome: string | null }

/** The shops whose reports fail, the one with most of them first. */
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

/** A job that cannot be asked now does not keep the others from being told. */
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
