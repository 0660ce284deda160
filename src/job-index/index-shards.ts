import { type Micros, isDay } from '../contract/timestamp.ts'
import { type Result, ok, refuse } from '../contract/result.ts'

type Shard = { from: Micros; name: string }

export type Span = { from: Micros; to: Micros }

const ALWAYS: Span = { from: -Infinity, to: Infinity }

/** Runs a query at each shard that may have jobs of a span. The newest shard's rows come first. */
export async function inShards<Row>(
  env: Env,
  query: (database: D1Database) => Promise<readonly Row[]>,
  span: Span = ALWAYS,
): Promise<Row[]> {
  return (await Promise.all(shardsOf(env, span).map(query))).flat()
}

/** Calls `act` at each shard with its share of the jobs. */
export async function atShards<Job extends { created: Micros }, Done>(
  env: Env,
  jobs: readonly Job[],
  act: (database: D1Database, jobs: readonly Job[]) => Promise<Done>,
): Promise<Done[]> {
  const shards = readShards(env)
  const byShard = Map.groupBy(jobs, ({ created }) => shardAt(shards, created))
  return Promise.all(Array.from(byShard, ([database, there]) => act(database, there)))
}

export function shardsOf(env: Env, { from, to }: Span): D1Database[] {
  const shards = readShards(env)
  const touched = shards.filter((shard, at) => shard.from < to && (shards[at - 1]?.from ?? Infinity) > from)
  return [...new Set(touched.map(({ database }) => database))]
}

/** Returns the database of a binding. Throws if wrangler.toml binds none of that name. */
export function databaseOf(env: Env, name: string): D1Database {
  const binding: unknown = Reflect.get(env, name)
  if (isDatabase(binding)) return binding
  throw new Error(`INDEX_SHARDS names ${name}, but wrangler.toml binds no D1 database of that name`)
}

/** Returns the bindings in INDEX_SHARDS, newest first, or what is wrong with the text. */
export function shardNames(env: Env): Result<string[], string> {
  const shards = parseShards(env.INDEX_SHARDS ?? '')
  return shards.ok ? ok(shards.value.map(({ name }) => name)) : shards
}

type BoundShard = { from: Micros; database: D1Database }

/** Throws if INDEX_SHARDS is unreadable. Rows then wait in the queue instead of going astray. */
function readShards(env: Env): BoundShard[] {
  const shards = parseShards(env.INDEX_SHARDS ?? '')
  if (!shards.ok) throw new Error(shards.error)
  return shards.value.map(({ from, name }) => ({ from, database: databaseOf(env, name) }))
}

function shardAt(shards: readonly BoundShard[], created: Micros): D1Database {
  const shard = shards.find(({ from }) => from <= created)
  if (!shard) throw new Error('the first shard has no beginning')
  return shard.database
}

/** One shard: `DB`, or a later shard with its first month or day: `2027-01: INDEX_1`. */
const SHARD = /^(?:([\d-]+)\s*:)?\s*([A-Za-z_]\w*)$/

/** Reads `DB; 2027-01: INDEX_1`, newest first: jobs before 2027 (UTC) are in DB. */
export function parseShards(text: string): Result<readonly Shard[], string> {
  const shards: Shard[] = []
  for (const part of text.split(';').map((one) => one.trim())) {
    const [, day, name] = SHARD.exec(part) ?? []
    if (name === undefined) return unreadable(`"${part}" names no D1 binding, as in 2027-01: INDEX_1`)
    const from = day === undefined ? -Infinity : startOf(day)
    if (from === null)
      return unreadable(`"${day}" is neither a month such as 2027-01 nor a day such as 2027-01-15`)
    const before = shards[0]?.from
    if (before === undefined ? day !== undefined : from <= before)
      return unreadable(`"${part}" must begin later than the part before it; the first part has no day`)
    shards.unshift({ from, name })
  }
  return ok(shards)
}

function unreadable(why: string): Result<never, string> {
  return refuse(`INDEX_SHARDS cannot be read: ${why}`)
}

function startOf(text: string): Micros | null {
  const day = text.length === 7 ? `${text}-01` : text
  return isDay(day) ? Date.parse(`${day}T00:00:00Z`) * 1000 : null
}

function isDatabase(binding: unknown): binding is D1Database {
  return typeof binding === 'object' && binding !== null && 'prepare' in binding && 'batch' in binding
}
