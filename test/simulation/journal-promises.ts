import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { evolve } from '../../src/job/core/evolve.ts'
import type { Entry, Fact } from '../../src/job/core/facts.ts'
import { FORMAT, fold, keyOf, readEntry } from '../../src/job/core/journal.ts'
import { represent, representCreated } from '../../src/job/core/show.ts'
import type { State } from '../../src/job/core/state.ts'
import type { JobJson } from '../support/hub.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/** The entries that an object stores, oldest first. */
export function storedEntries({ kv }: DurableObjectStorage): Entry[] {
  return Array.from(kv.list({ start: '0', end: ':' }), ([key, stored]) => {
    const entry = readEntry(Number(key), stored)
    promise(entry.ok, `entry ${key} cannot be read by the release that wrote it`)
    if (!entry.ok) throw new Error(entry.error.detail)
    return entry.value
  })
}

/** Keeps the journals that were seen, and all that anybody was told of their jobs. */
export function keepJournals() {
  const kept = new Map<string, readonly string[]>()
  const told = new Map<string, Set<string>>()
  return {
    /** Takes in what an object stores and has in memory. */
    saw(id: string, entries: readonly Entry[], memory: State | null): void {
      const now = entries.map((entry) => JSON.stringify({ ...entry, personal: undefined }))
      const changed = memory === null ? -1 : (kept.get(id) ?? []).findIndex((entry, at) => entry !== now[at])
      promise(changed === -1, `entry ${changed + 1} of ${id} is not what it was`)
      kept.set(id, now)
      promise(
        JSON.stringify(fold(entries)) === JSON.stringify(memory),
        `what the object of ${id} has in memory is not what its journal says`,
      )
    },
    /** Somebody was told how a job stands. */
    tells(job: JobJson): void {
      const all = told.get(job.paymentJob) ?? new Set()
      told.set(job.paymentJob, all.add(JSON.stringify(job)))
    },
    /** All that was told of a job is what its journal said after one of its entries. */
    check(id: string, entries: readonly Entry[]): void {
      const said = new Set<string>()
      let state: State | null = null
      for (const entry of entries) {
        state = evolve(state, entry)
        said.add(JSON.stringify(represent(state))).add(JSON.stringify(representCreated(state)))
        checkRepeated(state, entry)
      }
      for (const one of told.get(id) ?? [])
        promise(said.has(one), `what was told of ${id} follows from no entry of its journal: ${one}`)
    },
  }
}

/** What a duty finds out, and is found out once more when the duty is done twice. */
const OF_DUTIES: ReadonlySet<Fact['is']> = new Set([
  'attempted',
  'notified',
  'seen',
  'unanswered',
  'stopped',
  'expired',
  'instructed',
  'instruction-answered',
  'report-tried',
  'row-written',
])

/** A duty that is done twice changes nothing that a shop can see. */
function checkRepeated(state: State, { number, at, facts }: Entry): void {
  // A customer who comes back once more is shown to have done so; and what ended the job is of before.
  const isOver = facts.some(({ is }) => is === 'expired')
  const isOnce = (fact: Fact) =>
    (fact.is === 'seen' && (isOver || fact.back === true)) || (fact.is === 'stopped' && isOver)
  const again = facts.filter((fact) => OF_DUTIES.has(fact.is) && !isOnce(fact))
  const after = evolve(state, { number: number + 1, at: at + 10, facts: again })
  promise(
    JSON.stringify(represent(after)) === JSON.stringify(represent(state)),
    `what entry ${number} of ${state.id} tells is told twice: ${JSON.stringify(again)}`,
  )
}

/**
 * A newer release appends a fact to a job that this one does not know: this one answers 503, and
 * writes nothing, until the newer one takes over again.
 */
export async function meetNewer(world: World, id: string): Promise<void> {
  const stub = world.platform.objectOf(id)
  const number = await runInDurableObject(stub, async (_, { storage }) => {
    const next = storedEntries(storage).length + 1
    const entry = { version: FORMAT + 1, at: Date.now() * 1000, facts: [{ is: 'unheard-of' }] }
    if (next > 1) await storage.put(keyOf(next), entry)
    return next
  })
  if (number === 1) return
  await evictDurableObject(stub)
  const all = () => runInDurableObject(stub, (_, { storage }) => JSON.stringify([...storage.kv.list()]))
  const before = await all()
  const response = await world.askAsShop(`/v2/paymentjobs/${id}`)
  promise(response.status !== 200, `${id} was shown although a newer release has written it`)
  await world.ask(`/return/${id}`)
  await runDurableObjectAlarm(stub)
  promise((await all()) === before, `something was written to ${id}, which a newer release has written`)
  await runInDurableObject(stub, (_, { storage }) => storage.delete(keyOf(number)))
  await evictDurableObject(stub)
  world.seen.delete(id)
}
