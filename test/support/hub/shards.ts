import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { JobRow } from '../../../src/job/core/row.ts'

/**
 * The hub with its index split by time: jobs before 2020 in DB, those of 2020 in INDEX_1, later ones in
 * INDEX_2.
 */
export const SHARDED: Cloudflare.Env = { ...env, INDEX_SHARDS: 'DB; 2020-01: INDEX_1; 2021-01: INDEX_2' }

/** Times (µs) in each period. */
export const EARLY = Date.UTC(2019, 5, 1) * 1000
export const LATE = Date.UTC(2020, 5, 1) * 1000
export const LATER = Date.UTC(2021, 5, 1) * 1000

/** Creates the tables of the later shards. fresh-hub.ts creates those of the first. */
export async function openShards(): Promise<void> {
  await applyD1Migrations(env.INDEX_1, env.TEST_MIGRATIONS)
  await applyD1Migrations(env.INDEX_2, env.TEST_MIGRATIONS)
}

/** The ids of two points of sale. */
export function posAt(which: 0 | 1): string {
  return `${which}`.padStart(32, '0')
}

export function row(changes: Partial<JobRow> = {}): JobRow {
  return {
    id: crypto.randomUUID(),
    created: LATE,
    pos: posAt(0),
    account: 'sandbox',
    paymentMethod: 'ideal',
    orderId: '7',
    orderNumber: 'A-7',
    currency: 'EUR',
    amount: 1250,
    paid: 0,
    status: 'PENDING',
    updated: LATE + 1,
    givenUpAt: null,
    sequence: 1,
    reference: null,
    announcement: 'announced',
    failingSince: null,
    paidAfter: null,
    refunded: 0,
    chargedBack: 0,
    movements: null,
    unapplied: 0,
    alsoPaidBy: null,
    authorized: 0,
    released: 0,
    captureBefore: null,
    terminal: null,
    tip: 0,
    foundBy: null,
    ...changes,
  }
}

/** The databases that have a row of the job. */
export async function placesOf(id: string): Promise<string[]> {
  const found = await Promise.all(
    (['DB', 'INDEX_1', 'INDEX_2'] as const).map(async (name) => {
      const there = await env[name].prepare('select 1 as x from jobs where id = ?').bind(id).first()
      return there ? [name] : []
    }),
  )
  return found.flat()
}

/** A database that is down. */
export function brokenDatabase(): D1Database {
  const fail = () => {
    throw new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.')
  }
  return { prepare: fail, batch: fail, exec: fail, withSession: fail, dump: fail }
}
