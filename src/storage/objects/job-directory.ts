import { DurableObject } from 'cloudflare:workers'

/** A page of a ledger: job ids, and the key to go on after; null at the end. */
export type DirectoryPage = { ids: string[]; next: string | null }

/** The ledger that lists the days there are ledgers of. */
const DAYS = 'days'

/**
 * The ids of the jobs born on one day (UTC), written by the index consumer a batch at a time. Objects cannot be listed
 * on the platform; this is what the index is rebuilt from when D1 has lost it. A day's ledger holds ids alone.
 */
export class JobLedger extends DurableObject<Env> {
  /** Adds a batch. The same ids may come again: a batch that failed later is written twice. */
  add(ids: string[]): void {
    this.ctx.storage.kv.put(`${Date.now()}-${crypto.randomUUID()}`, ids)
  }

  /** The batches after a key, up to about `limit` ids. */
  page(after: string | null, limit: number): DirectoryPage {
    const ids: string[] = []
    const found = this.ctx.storage.kv.list<string[]>(after === null ? {} : { startAfter: after })
    for (const [key, batch] of found) {
      ids.push(...batch)
      if (ids.length >= limit) return { ids, next: key }
    }
    return { ids, next: null }
  }

  /** Notes a day in the list of days. */
  note(day: string): void {
    if (this.ctx.storage.kv.get(day) === undefined) this.ctx.storage.kv.put(day, true)
  }

  days(): string[] {
    return Array.from(this.ctx.storage.kv.list(), ([day]) => day)
  }
}

/** Days that this isolate has seen noted. */
const noted = new Set<string>()

/** Enters jobs in the ledgers of the days they were born. */
export const addToDirectory = async (
  env: Env,
  jobs: readonly { id: string; created: number }[],
): Promise<void> => {
  const byDay = Map.groupBy(jobs, ({ created }) => dayOf(created))
  await Promise.all(
    Array.from(byDay, async ([day, born]) => {
      if (!noted.has(day)) await env.JOB_LEDGER.getByName(DAYS).note(day)
      noted.add(day)
      await env.JOB_LEDGER.getByName(day).add(born.map(({ id }) => id))
    }),
  )
}

export const directoryDays = async (env: Env): Promise<string[]> => env.JOB_LEDGER.getByName(DAYS).days()

export const directoryPage = async (
  env: Env,
  day: string,
  after: string | null,
  limit: number,
): Promise<DirectoryPage> => env.JOB_LEDGER.getByName(day).page(after, limit)

/** The UTC day of a moment in microseconds. */
const dayOf = (micros: number): string => new Date(micros / 1000).toISOString().slice(0, 10)
