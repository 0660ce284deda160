import { storedOf } from '../support/job.ts'
import fc from 'fast-check'
import { type KnownPos, makeKnownPos, routedAnew } from './known-pos.ts'
import { act } from './act.ts'
import { settleAll } from './aftermath.ts'
import { currencyAt } from './amounts.ts'
import type { Command } from './commands.ts'
import { rebuildIndex } from './index-promises.ts'
import { checkPromises } from './promises.ts'
import { checkPurge } from './retention-promises.ts'
import { schedules } from './schedules.ts'
import { Violation } from './violation.ts'
import { type World, makeWorld, mulberry32, startOf } from './world.ts'

/** How long (ms) a failing schedule may be shrunk. */
const SHRINK_FOR = 40_000

/** One schedule in so many goes on until all its jobs are purged. */
const PURGED = 10

/** The point of sale as the last schedule has left it; null once a schedule has failed. */
let left: KnownPos | null = null

/** A point of sale as a schedule has it at its start. */
async function atStart(seed: number, schedule: readonly Command[]): Promise<KnownPos> {
  const pos = left && left.until <= startOf(seed) ? left : await makeKnownPos()
  return pos.isRouted && schedule[0]?.do !== 'route' ? routedAnew(pos) : pos
}

/** Plays one schedule to its end. Rejects with the promise that was broken. */
async function play(seed: number, schedule: readonly Command[]): Promise<void> {
  const world = makeWorld(seed, await atStart(seed, schedule), currencyAt(mulberry32(~seed)()))
  left = null
  try {
    for (const command of schedule) await act(world, command)
    const all = await settleAll(world)
    await checkPromises(world, all)
    const jobs = all.flatMap(({ job }) => (job ? [job] : []))
    if (seed % PURGED === 0) await checkPurge(world, jobs)
    left = world.leaves()
  } catch (error) {
    await clearUp(world)
    throw error
  } finally {
    await world.end()
  }
}

/**
 * What a schedule that failed has left in the index is no fault of the next one on the same days.
 */
async function clearUp(world: World): Promise<void> {
  world.platform.mends()
  await world.finish()
  const all = await Promise.all(world.ids().map((id) => world.platform.objectOf(id).read()))
  const jobs = all.flatMap((job) => (job ? [storedOf(job)] : []))
  await rebuildIndex(world, jobs).catch(() => {})
}

/**
 * Plays the schedule of a seed; `first` is where the seeds that were played here began. Null when
 * every promise is kept; else what was broken, by which shortest schedule.
 */
export async function hunt(seed: number, first: number): Promise<string | null> {
  const failureOf = (schedule: readonly Command[]): Promise<string | null> =>
    play(seed, schedule).then(() => null, describe)
  const [drawn = []] = fc.sample(schedules, { seed, numRuns: 1 })
  const failure = await failureOf(drawn)
  if (failure === null) return null
  // Now with a point of sale of its own.
  const alone = await failureOf(drawn)
  const [schedule, broken] =
    alone === null ? [drawn, failure] : await shorten(drawn, alone, failureOf, performance.now() + SHRINK_FOR)
  const again = alone === null ? `--from ${first} --seeds ${seed - first + 1} --lanes 1` : `--seed ${seed}`
  return [
    `seed ${seed}: ${broken}`,
    ...schedule.map((command) => `  ${JSON.stringify(command)}`),
    ...(alone === null ? ['  Alone it keeps its promises: it matters what the seeds before have left.'] : []),
    `  again: npm run simulate -- ${again}`,
  ].join('\n')
}

/** A broken promise speaks for itself; anything else is a fault that nobody expected. */
function describe(error: unknown): string {
  if (error instanceof Violation) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/**
 * Shortens a failing list for as long as it goes on failing: without halves first, then without
 * smaller and smaller parts, until nothing can be left out or `until` (ms) is past. Gives the
 * shortest list and its failure.
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
    // Once single ones are left out, what was needed before may be needless now.
    size = size === 1 && shorter ? 1 : Math.floor(size / 2)
  }
  return [shortest, why]
}
