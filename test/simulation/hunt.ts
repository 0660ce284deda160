import { storedOf } from '../support/jobs/job.ts'
import fc from 'fast-check'
import { inject } from 'vitest'
import { type KnownPos, makeKnownPos, withFirstRoute } from './known-pos.ts'
import { act } from './act.ts'
import { settleAll } from './aftermath.ts'
import { currencyAt } from './amounts.ts'
import type { Command } from './commands.ts'
import { rebuildIndex } from './index-promises.ts'
import { printJournals } from './journal-promises.ts'
import { checkPromises } from './promises.ts'
import { checkPurge } from './retention-promises.ts'
import { schedules } from './schedules.ts'
import { Violation } from './violation.ts'
import { type World, makeWorld, mulberry32, startOf } from './world.ts'

/** The longest time (ms) for shrinking a failing schedule. */
const SHRINK_FOR = 40_000

/** Every tenth schedule goes on until all its jobs are purged. */
const PURGED = 10

/** The point of sale as the last schedule left it; null after a failed one. */
let left: KnownPos | null = null

/** Returns the point of sale for a schedule: that of the last one if possible, else a new one. */
async function atStart(seed: number, schedule: readonly Command[]): Promise<KnownPos> {
  const pos = left && left.until <= startOf(seed) ? left : await makeKnownPos()
  return pos.isRouted && schedule[0]?.do !== 'route' ? withFirstRoute(pos) : pos
}

/** Plays one schedule to its end. Rejects with the promise that was broken. */
export async function play(seed: number, schedule: readonly Command[]): Promise<void> {
  const world = makeWorld(seed, await atStart(seed, schedule), currencyAt(mulberry32(~seed)()))
  left = null
  try {
    for (const command of schedule) await act(world, command)
    const all = await settleAll(world)
    await checkPromises(world, all)
    if (inject('simulation')?.isRecorded) await printJournals(world)
    const jobs = all.flatMap(({ job }) => (job ? [job] : []))
    if (seed % PURGED === 0) await checkPurge(world, jobs)
    left = world.psp.hasAll() ? world.leftPos() : null
  } catch (error) {
    await clearUp(world)
    throw error
  } finally {
    await world.end()
  }
}

/** Repairs the index after a failed schedule, for the next one on the same days. */
async function clearUp(world: World): Promise<void> {
  world.platform.clearFaults()
  await world.finish()
  const all = await Promise.all(world.ids().map((id) => world.platform.objectOf(id).read()))
  const jobs = all.flatMap((job) => (job ? [storedOf(job)] : []))
  await rebuildIndex(world, jobs).catch(() => {})
}

/**
 * Plays the schedule of a seed. Returns null if every promise was kept, else the broken one and the shortest
 * schedule that breaks it. `first`: the first seed that this runtime played.
 */
export async function hunt(seed: number, first: number): Promise<string | null> {
  const failureOf = (schedule: readonly Command[]): Promise<string | null> =>
    play(seed, schedule).then(() => null, describe)
  const [drawn = []] = fc.sample(schedules, { seed, numRuns: 1 })
  const failure = await failureOf(drawn)
  if (failure === null) return null
  // Once more, with a new point of sale.
  const rerun = await failureOf(drawn)
  const [schedule, broken] =
    rerun === null ? [drawn, failure] : await shorten(drawn, rerun, failureOf, performance.now() + SHRINK_FOR)
  const again = rerun === null ? `--from ${first} --seeds ${seed - first + 1} --lanes 1` : `--seed ${seed}`
  return [
    `seed ${seed}: ${broken}`,
    ...schedule.map((command) => `  ${JSON.stringify(command)}`),
    ...(rerun === null
      ? ['  By itself it keeps its promises: earlier seeds left something that matters.']
      : []),
    `  again: npm run simulate -- ${again}`,
  ].join('\n')
}

/** A violation explains itself; any other error needs its stack. */
function describe(error: unknown): string {
  if (error instanceof Violation) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/**
 * Shortens a failing list while it still fails: first without halves, then without smaller and smaller parts,
 * until every item is needed or `until` (ms) has passed. Returns the shortest list and its failure.
 */
async function shorten<Item, Failure>(
  list: readonly Item[],
  failure: Failure,
  failureOf: (list: readonly Item[]) => Promise<Failure | null>,
  until: number,
): Promise<[shortest: readonly Item[], failure: Failure]> {
  let [shortest, why] = [list, failure]
  let size = Math.ceil(list.length / 2)
  while (size >= 1 && performance.now() < until) {
    let shorter = false
    // From the end: what comes after the fault matters least.
    for (let from = shortest.length - size; from > -size && performance.now() < until; from -= size) {
      const without = [...shortest.slice(0, Math.max(from, 0)), ...shortest.slice(from + size)]
      const still = without.length < shortest.length ? await failureOf(without) : null
      if (still === null) continue
      ;[shortest, why] = [without, still]
      shorter = true
    }
    // Once single items are left out, others may have become needless too.
    size = size === 1 && shorter ? 1 : Math.floor(size / 2)
  }
  return [shortest, why]
}
