import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { evolve } from '../../src/job/core/evolve.ts'
import type { Entry, Fact } from '../../src/job/core/facts.ts'
import { FORMAT, fold, keyOf, readEntry } from '../../src/job/core/journal.ts'
import { represent, representCreated } from '../../src/job/core/show.ts'
import type { State } from '../../src/job/core/state.ts'
import type { PaymentJob } from '../../src/job/payment-job.ts'
import type { JobJson } from '../support/hub/hub.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/** The range of the keys of entries. */
const ENTRIES = { start: '0', end: ':' }

/** Returns the entries that an object stores, oldest first. */
export function storedEntries({ kv }: DurableObjectStorage): Entry[] {
  return Array.from(kv.list(ENTRIES), ([key, stored]) => {
    const entry = readEntry(Number(key), stored)
    promise(entry.ok, `entry ${key} cannot be read by the release that wrote it`)
    if (!entry.ok) throw new Error(entry.error.detail)
    return entry.value
  })
}

const { log } = console

/** Prints the journals of all jobs, as lines of a backup. */
export async function printJournals(world: World): Promise<void> {
  for (const id of new Set([...world.ids(), ...(world.test ? [world.test.id] : [])])) {
    const stored = await runInDurableObject(world.platform.objectOf(id), (_, { storage }) =>
      Array.from(storage.kv.list({ start: '0', end: ':' }), ([key, value]) => ({ key, value })),
    )
    if (stored.length > 0) log(JSON.stringify({ id, stored }))
  }
}

/** Remembers each journal as last read, and every state of a job that the hub showed. */
export function keepJournals() {
  const kept = new Map<string, readonly string[]>()
  const shown = new Map<string, Set<string>>()
  return {
    /** Notes an object's entries, which never change, and its memory, which follows from them. */
    note(id: string, entries: readonly Entry[], memory: State | null): void {
      const now = entries.map((entry) => JSON.stringify({ ...entry, personal: undefined }))
      const changed = memory === null ? -1 : (kept.get(id) ?? []).findIndex((entry, at) => entry !== now[at])
      promise(changed === -1, `entry ${changed + 1} of ${id} has changed`)
      kept.set(id, now)
      promise(
        JSON.stringify(fold(entries)) === JSON.stringify(memory),
        `the memory of the object of ${id} does not follow from its journal`,
      )
    },
    /** Notes a job that the hub showed to somebody. */
    noteShown(job: JobJson): void {
      const all = shown.get(job.paymentJob) ?? new Set()
      shown.set(job.paymentJob, all.add(JSON.stringify(job)))
    },
    /** Checks that every shown state of a job follows from its journal up to some entry. */
    check(id: string, entries: readonly Entry[]): void {
      const states = new Set<string>()
      let state: State | null = null
      for (const entry of entries) {
        state = evolve(state, entry)
        states.add(JSON.stringify(represent(state))).add(JSON.stringify(representCreated(state)))
        checkRepeated(state, entry)
      }
      for (const json of shown.get(id) ?? [])
        promise(states.has(json), `the hub showed ${id} as its journal never had it: ${json}`)
    },
  }
}

/** Facts that a duty records, and records again if it runs twice. */
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

/** Checks that a duty that runs twice changes nothing that a shop can see. */
function checkRepeated(state: State, { number, at, facts }: Entry): void {
  // Each return of a customer is shown, and only the first end of a job counts.
  const isOver = facts.some(({ is }) => is === 'expired')
  const isOnce = (fact: Fact) =>
    (fact.is === 'seen' && (isOver || fact.back === true)) || (fact.is === 'stopped' && isOver)
  const again = facts.filter((fact) => OF_DUTIES.has(fact.is) && !isOnce(fact))
  const after = evolve(state, { number: number + 1, at: at + 10, facts: again })
  promise(
    JSON.stringify(represent(after)) === JSON.stringify(represent(state)),
    `facts of entry ${number} of ${state.id} count twice: ${JSON.stringify(again)}`,
  )
}

/**
 * Evicts an object once all that it wrote is stored. The simulated queues take a message before that, for which
 * the platform would wait.
 */
export async function evict(world: World, id: string): Promise<void> {
  const stub = world.platform.objectOf(id)
  await world.idle()
  await runInDurableObject(stub, (_, { storage }) => storage.sync())
  await evictDurableObject(stub)
}

/**
 * Appends a fact that only a newer release knows. Until it is removed, this release must neither show the job
 * nor write to it. The entry comes while the object is out of memory, as at an upgrade: an object that has read
 * its journal does not read it again, and would append its own entry under the same number.
 */
export async function meetNewer(world: World, id: string): Promise<void> {
  const stub = world.platform.objectOf(id)
  await evict(world, id)
  const key = await runInDurableObject(stub, (object, { storage }) =>
    appendNewer(object as PaymentJob, storage),
  )
  if (key === null) return
  const all = () => runInDurableObject(stub, (_, { storage }) => JSON.stringify([...storage.kv.list()]))
  const before = await all()
  const response = await world.askAsShop(`/v2/paymentjobs/${id}`)
  promise(response.status !== 200, `${id} was shown although a newer release has written it`)
  await world.ask(`/return/${id}`)
  await runDurableObjectAlarm(stub)
  promise((await all()) === before, `something was written to ${id}, which a newer release has written`)
  await runInDurableObject(stub, (_, { storage }) => storage.delete(key))
  await evictDurableObject(stub)
  world.seen.delete(id)
}

/**
 * Appends the entry in one turn. Returns its key; null without a job, or if the object has read its journal
 * since it was evicted.
 */
function appendNewer(object: PaymentJob, storage: DurableObjectStorage): string | null {
  const { kv } = storage
  const number = Array.from(kv.list(ENTRIES)).length + 1
  if (number === 1) return null
  const key = keyOf(number)
  // Not by `kv`, whose writes may have to fail: that is a fault of this release.
  void storage.put(key, { version: FORMAT + 1, at: Date.now() * 1000, facts: [{ is: 'unheard-of' }] })
  try {
    object.read()
  } catch {
    return key
  }
  kv.delete(key)
  return null
}
