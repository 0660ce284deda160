import { DurableObject } from 'cloudflare:workers'
import * as v from 'valibot'
import { isoDay } from '../contract/timestamp.ts'
import { log } from '../platform/log.ts'
import { namedObject } from '../platform/named-object.ts'
import { UnreadableError, storedShape } from '../platform/stored.ts'

type DirectoryPage = { ids: string[]; next: string | null }

const DAYS = 'days'

export const batchOfIds = storedShape(v.object({ ids: v.array(v.string()) }))

/** Reads a batch. Logs an unreadable one, which must not hide the day's others. */
function readableIds(stored: unknown): string[] {
  const batch = batchOfIds.read(stored)
  if (batch.ok) return batch.value.ids
  log.fault('stored.unreadable', new UnreadableError('a batch of the job directory', batch.error))
  return []
}

/**
 * The ids of the jobs of a UTC day. The platform lists no objects, so these are what a rebuild starts from.
 */
export class JobDirectory extends DurableObject<Env> {
  /** Adds a batch. The same ids may come again after a fault in their queue batch. */
  add(ids: string[]): void {
    this.ctx.storage.kv.put(`${Date.now()}-${crypto.randomUUID()}`, batchOfIds.write({ ids }))
  }

  /** Adds a batch of a backup, under a key with its first id, so that a repeated call changes nothing. */
  restore(ids: string[]): void {
    this.ctx.storage.kv.put(`restored-${ids[0] ?? ''}`, batchOfIds.write({ ids }))
  }

  /**
   * Returns about `limit` ids, from the batches after a key. Each id is on one page only, even if
   * several batches have it: the row of a restored job adds it again.
   */
  page(after: string | null, limit: number): DirectoryPage {
    const listed = this.#listedUntil(after)
    const ids: string[] = []
    for (const [key, batch] of this.ctx.storage.kv.list(after === null ? {} : { startAfter: after })) {
      for (const id of readableIds(batch)) {
        if (!listed.has(id)) ids.push(id)
        listed.add(id)
      }
      if (ids.length < limit) continue
      this.#listed = { until: key, ids: listed }
      return { ids, next: key }
    }
    return { ids, next: null }
  }

  /** The ids up to a key, kept for the next page: reading them again for each page would be quadratic. */
  #listed: { until: string; ids: Set<string> } | null = null

  #listedUntil(after: string | null): Set<string> {
    const kept = this.#listed
    this.#listed = null
    if (after === null) return new Set()
    if (kept?.until === after) return kept.ids
    // Another reader came in between, or the platform moved the object, so it reads them again.
    const all = Array.from(this.ctx.storage.kv.list(), ([key, batch]) => ({ key, batch }))
    return new Set(all.filter(({ key }) => key <= after).flatMap(({ batch }) => readableIds(batch)))
  }

  /** Returns those of the ids that no batch has. Holds all ids of the day in memory meanwhile. */
  missing(ids: string[]): string[] {
    const all = new Set(Array.from(this.ctx.storage.kv.list(), ([, batch]) => readableIds(batch)).flat())
    return ids.filter((id) => !all.has(id))
  }

  note(day: string): void {
    if (this.ctx.storage.kv.get(day) === undefined) this.ctx.storage.kv.put(day, true)
  }

  days(): string[] {
    return Array.from(this.ctx.storage.kv.list(), ([day]) => day)
  }
}

const noted = new Set<string>()

export async function addToDirectory(
  env: Env,
  jobs: readonly { id: string; created: number }[],
): Promise<void> {
  const byDay = Map.groupBy(jobs, ({ created }) => isoDay(created / 1000))
  await Promise.all(
    Array.from(byDay, async ([day, created]) => {
      await noteDay(env, day)
      await namedObject(env, env.JOB_DIRECTORY, day).add(created.map(({ id }) => id))
    }),
  )
}

/** Adds jobs of a backup to the day under which the backup has them. */
export async function restoreToDirectory(env: Env, day: string, ids: string[]): Promise<void> {
  await noteDay(env, day)
  await namedObject(env, env.JOB_DIRECTORY, day).restore(ids)
}

async function noteDay(env: Env, day: string): Promise<void> {
  if (!noted.has(day)) await namedObject(env, env.JOB_DIRECTORY, DAYS).note(day)
  noted.add(day)
}

export async function directoryDays(env: Env): Promise<string[]> {
  return namedObject(env, env.JOB_DIRECTORY, DAYS).days()
}

export async function directoryPage(
  env: Env,
  day: string,
  after: string | null,
  limit: number,
): Promise<DirectoryPage> {
  return namedObject(env, env.JOB_DIRECTORY, day).page(after, limit)
}

/** Returns the ids that the directory of a day lacks. */
export async function missingInDirectory(env: Env, day: string, ids: string[]): Promise<string[]> {
  return ids.length === 0 ? [] : namedObject(env, env.JOB_DIRECTORY, day).missing(ids)
}
