import type { JobKey } from '../job/rules/job-row.ts'
import { type Micros, isDay } from '../contract/timestamp.ts'

/** A time whose jobs have their rows in the same databases, until the next one begins. `shards` are D1 bindings. */
type Epoch = { from: Micros; shards: readonly [string, ...string[]] }
export type Epochs = readonly [Epoch, ...Epoch[]]

/** The part of a job's key that decides in which database its row is. */
export type Place = Pick<JobKey, 'created' | 'pos'>

/**
 * Reads INDEX_SHARDS: `DB; 2027-01: INDEX_1 INDEX_2` puts jobs created before 2027 (UTC) in DB, and later ones in
 * INDEX_1 or INDEX_2. A day (`2027-01-15`) will do too. Throws with what is wrong: rows in a wrong place would be
 * worse than rows that wait.
 */
export function readEpochs(text: string): Epochs {
  const [first = '', ...others] = text.split(';')
  const epochs: Epochs = [readFirst(first), ...others.map(readLater)]
  const late = epochs.findIndex(({ from }, at) => from <= (epochs[at - 1]?.from ?? -Infinity) && at > 0)
  if (late > 0) throw wrong(`"${others[late - 1]?.trim()}" does not begin later than what stands before it`)
  return epochs
}

/** The one shard that has a job's row. */
export function shardOf(epochs: Epochs, { created, pos }: Place): string {
  return pick(epochs.findLast(({ from }) => from <= created) ?? epochs[0], pos)
}

/** The shards that have the jobs created in a time (`to` is not in it), or those of one point of sale. */
export function shardsBetween(epochs: Epochs, from: Micros, to: Micros, pos: string | null): string[] {
  const touched = epochs.filter((epoch, at) => epoch.from < to && (epochs[at + 1]?.from ?? Infinity) > from)
  return [...new Set(touched.flatMap((epoch) => (pos === null ? epoch.shards : pick(epoch, pos))))]
}

function pick({ shards }: Epoch, pos: string): string {
  return shards[fnv1a(pos) % shards.length] ?? shards[0]
}

/** FNV-1a of 32 bits (draft-eastlake-fnv). Which hash it is must never change: it says where rows have been put. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

function readFirst(part: string): Epoch {
  if (part.includes(':')) {
    throw wrong(`"${part.trim()}" comes first, and takes all jobs before the next: it has no day`)
  }
  return { from: -Infinity, shards: readNames(part) }
}

function readLater(part: string): Epoch {
  const [day = '', names, ...rest] = part.split(':')
  if (names === undefined || rest.length > 0) {
    throw wrong(
      `"${part.trim()}" must be a month or day, a colon, and names, such as 2027-01: INDEX_1 INDEX_2`,
    )
  }
  return { from: readStart(day.trim()), shards: readNames(names) }
}

/** Midnight (UTC) at the beginning of a month or a day. */
function readStart(day: string): Micros {
  const first = day.length === 7 ? `${day}-01` : day
  if (!isDay(first)) throw wrong(`"${day}" is no month such as 2027-01, and no day such as 2027-01-15`)
  return Date.parse(`${first}T00:00:00Z`) * 1000
}

function readNames(text: string): Epoch['shards'] {
  const [first = '', ...others] = text.trim().split(/\s+/)
  const names = [first, ...others] as const
  const odd = names.find((name) => !/^[A-Za-z_]\w*$/.test(name))
  if (odd !== undefined) throw wrong(`"${odd}" is no name of a D1 binding`)
  if (new Set(names).size < names.length) throw wrong(`"${text.trim()}" has a name twice`)
  return names
}

function wrong(what: string): Error {
  return new Error(`INDEX_SHARDS cannot be read: ${what}`)
}
