import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { State } from './restore-state.ts'

type Row = Record<string, unknown>

/** All that the hub has stored, as `restoreState` puts it back. `jobs` are the ids of all jobs, also of those that are purged. */
export async function dumpState(jobs: readonly string[]) {
  return {
    kv: await dumpKv(),
    d1: await dumpD1(),
    objects: {
      PAYMENT_JOB: await dumpObjects(env.PAYMENT_JOB, jobs),
      JOB_LEDGER: await dumpObjects(env.JOB_LEDGER, [
        'days',
        ...(await env.JOB_LEDGER.getByName('days').days()),
      ]),
      SANDBOX_PAYMENT: await dumpObjects(env.SANDBOX_PAYMENT, []),
      AUDIT_LOG: await dumpObjects(env.AUDIT_LOG, ['log']),
    },
  } satisfies State
}
export type Dumped = Awaited<ReturnType<typeof dumpState>>

/** What KV still has by the clock of the test: its own is years behind. */
async function dumpKv() {
  const { keys } = await env.TOKENS.list()
  const there = keys.filter(({ expiration = Infinity }) => expiration * 1000 > Date.now())
  return Promise.all(
    there.map(async ({ name, expiration }) => ({
      name,
      value: (await env.TOKENS.get(name)) ?? '',
      ...(expiration === undefined ? {} : { expiration }),
    })),
  )
}

const TABLES = `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'
  and name <> 'd1_migrations'`

/** The tables in an order in which they can be filled: those that others refer to come first. */
async function dumpD1() {
  const { results } = await env.DB.prepare(TABLES).all<{ name: string }>()
  const names = results.map(({ name }) => name)
  const tables = await Promise.all(
    [...new Set(['points_of_sale', 'psp_accounts', ...names])].map(async (name) => {
      const rows = await env.DB.prepare(`select * from ${name}`).all<Row>()
      return [name, rows.results] as const
    }),
  )
  return Object.fromEntries(tables)
}

/** The objects of a class under their names. A payment of the sandbox says its own. */
async function dumpObjects(namespace: DurableObjectNamespace, names: readonly string[]) {
  const known = new Map(names.map((name) => [namespace.idFromName(name).toString(), name]))
  const ids = await listDurableObjectIds(namespace)
  const objects = await Promise.all(
    ids.map(async (id) => {
      const stored = await runInDurableObject(namespace.get(id), (_, { storage }) => dumpStorage(storage))
      const name = known.get(id.toString()) ?? (stored.kv['payment'] as { id: string } | undefined)?.id
      if (name === undefined) throw new Error(`nobody knows the name of ${JSON.stringify(stored)}`)
      return [name, stored] as const
    }),
  )
  return Object.fromEntries(objects)
}

async function dumpStorage(storage: DurableObjectStorage) {
  const tables = storage.sql.exec<{ name: string }>(TABLES).toArray()
  const sql = Object.fromEntries(
    tables.map(({ name }) => [
      name,
      storage.sql.exec<Record<string, SqlStorageValue>>(`select * from ${name}`).toArray(),
    ]),
  )
  return {
    kv: Object.fromEntries(storage.kv.list()),
    alarm: await storage.getAlarm(),
    ...(tables.length > 0 ? { sql } : {}),
  }
}
