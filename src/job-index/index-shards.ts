import { readConfig } from '../platform/config.ts'
import { type Place, shardOf, shardsBetween } from '../platform/index-shards.ts'
import type { Micros } from '../contract/timestamp.ts'

/** The databases that the index of jobs is spread over. */
export type IndexShards = {
  all: readonly D1Database[]
  /** The one that has a job's row. */
  of: (place: Place) => D1Database
  /** Those that have the jobs created in a time (`to` is not in it), or those of one point of sale. */
  between: (from: Micros, to: Micros, pos: string | null) => D1Database[]
}

/** The shards that INDEX_SHARDS names. Throws when it cannot be read, or names what is no database of the Worker. */
export function indexShards(env: Env): IndexShards {
  const { indexEpochs } = readConfig(env)
  if (!indexEpochs.ok) throw new Error(indexEpochs.error)
  const epochs = indexEpochs.value
  const named = (name: string): D1Database => databaseOf(env, name)
  const names = new Set(epochs.flatMap(({ shards }) => shards))
  return {
    all: Array.from(names, named),
    of: (place) => named(shardOf(epochs, place)),
    between: (from, to, pos) => shardsBetween(epochs, from, to, pos).map(named),
  }
}

/** Does something at each shard with those of the given jobs that are there, at all shards at once. */
export async function atShards<Job extends Place, Done>(
  shards: IndexShards,
  jobs: readonly Job[],
  act: (database: D1Database, jobs: readonly Job[]) => Promise<Done>,
): Promise<Done[]> {
  return Promise.all(Array.from(Map.groupBy(jobs, shards.of), ([database, there]) => act(database, there)))
}

/** The database that a binding's name stands for. Throws where there is none. */
export function databaseOf(env: Env, name: string): D1Database {
  const binding: unknown = Reflect.get(env, name)
  if (isDatabase(binding)) return binding
  throw new Error(`INDEX_SHARDS names ${name}, but wrangler.toml binds no D1 database of that name`)
}

function isDatabase(binding: unknown): binding is D1Database {
  return typeof binding === 'object' && binding !== null && 'prepare' in binding && 'batch' in binding
}
