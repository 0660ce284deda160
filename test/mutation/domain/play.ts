import { readFile } from 'node:fs/promises'
import type { CollectedTest } from './collected.ts'
import { findCover } from './cover.ts'
import type { Plan, Told } from './judge.ts'
import { loader, withCounts, withoutNotes } from './load.ts'
import { doesPass, withMutant } from './switch.ts'

const {
  script,
  mutants,
  count,
  testsOf,
  remembering,
  cover: known,
} = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as Plan
/** Waits until it is sent: a process that never rests sends nothing. */
function tell(told: Told): Promise<void> {
  return new Promise((resolve) => void process.send?.(told, undefined, {}, () => resolve()))
}

const cover = known ?? (await findCover(loader(withCounts(script)), count))
await tell({ is: 'covered', cover })
const load = loader(withoutNotes(script))
let tests = load()

/** So many times as often as without it may the code of a mutant be passed, before it is said never to end. */
const TIMES = 100
function mostPasses(mutant: string): number {
  return TIMES * (1 + (cover.running[mutant]?.passes ?? 0) + (cover.loading[mutant] ?? 0))
}

function nameOf({ file, name }: CollectedTest): string {
  return `${file}: ${name}`
}

/** The place of the first test that fails with a mutant on. Quick ones are asked first, for most mutants fail in most tests. */
async function firstFailing(
  copy: readonly CollectedTest[],
  places: readonly number[],
  mutant: string,
): Promise<number | null> {
  for (const place of places.toSorted((one, other) => (cover.ms[one] ?? 0) - (cover.ms[other] ?? 0))) {
    const test = copy[place]
    if (test !== undefined && !(await doesPass(test, mutant, mostPasses(mutant)))) return place
  }
  return null
}

async function passesAt(place: number, mutant: string): Promise<boolean> {
  const test = tests[place]
  return test === undefined || (await doesPass(test, mutant, mostPasses(mutant)))
}

/** By the tests that pass through it while they run; gives the test that fails. */
async function playRunning(mutant: string): Promise<string | null> {
  let places = cover.running[mutant]?.tests ?? []
  for (;;) {
    const failing = await firstFailing(tests, places, mutant)
    const test = failing === null ? undefined : tests[failing]
    if (failing === null || test === undefined) return null
    if (await passesAt(failing, '')) return nameOf(test)
    // It fails without the mutant as well: this one, or one before it, has spoilt what tests share.
    tests = load()
    const isKilled = !(await passesAt(failing, mutant))
    tests = load()
    if (isKilled) return nameOf(test)
    places = places.filter((place) => place !== failing)
  }
}

/** Slower tests (ms) are properties, and not asked where nearly all would have to be asked. */
const SLOW = 30

/**
 * By the same tests in a copy of its own, which has computed nothing yet that it could still know. Where modules pass through the mutant
 * while they are loaded, it is on then, and all quick tests are asked that import its file.
 */
async function playAlone(mutant: string, file: string): Promise<string | null> {
  let copy: readonly CollectedTest[] = []
  try {
    copy = await withMutant(mutant, mostPasses(mutant), load)
  } catch (error) {
    return `it cannot be loaded: ${String(error).slice(0, 80)}`
  }
  const importing = [...copy.keys()].filter(
    (place) => (cover.ms[place] ?? 0) < SLOW && testsOf[file]?.includes(copy[place]?.file ?? ''),
  )
  const places = cover.loading[mutant] === undefined ? (cover.running[mutant]?.tests ?? []) : importing
  const failing = await firstFailing(copy, places, mutant)
  const test = failing === null ? undefined : copy[failing]
  return test === undefined ? null : nameOf(test)
}

/** Those that need a copy come last: each takes much longer. */
const alone: (typeof mutants)[number][] = []
for (const mutant of mutants) {
  const { id, file } = mutant
  await tell({ is: 'begun', id })
  const by = await playRunning(id)
  if (by !== null) await tell({ is: 'killed', id, by })
  else if (cover.loading[id] !== undefined || remembering.includes(file)) alone.push(mutant)
  else await tell({ is: cover.running[id] === undefined ? 'reached by no test' : 'survived', id, by: '' })
}
for (const { id, file } of alone) {
  await tell({ is: 'begun', id })
  const by = await playAlone(id, file)
  await tell({ is: by === null ? 'survived' : 'killed', id, by: by ?? '' })
}
process.disconnect()
