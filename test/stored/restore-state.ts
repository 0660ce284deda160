import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

type Row = object
/** What an object has stored. `sql` are the tables of one that has its own. */
export type StoredObject = {
  kv: object
  alarm: number | null
  sql?: Readonly<Record<string, readonly Row[]>>
}
type Binding = 'PAYMENT_JOB' | 'JOB_LEDGER' | 'SANDBOX_PAYMENT' | 'AUDIT_LOG'
/** What a release had stored, as its file in test/fixtures has it. */
export type State = {
  kv: readonly { name: string; value: string; expiration?: number }[]
  d1: Readonly<Record<string, readonly Row[]>>
  objects: Readonly<Partial<Record<Binding, Readonly<Record<string, StoredObject>>>>>
}

/** Puts back what a release had stored, at the time when it stored it. */
export async function restoreState(state: State): Promise<void> {
  for (const { name, value, expiration } of state.kv) {
    await env.TOKENS.put(name, value, expiration === undefined ? {} : { expiration })
  }
  for (const [table, rows] of Object.entries(state.d1)) {
    for (const row of rows) {
      await env.DB.prepare(insertInto(table, row))
        .bind(...Object.values(row))
        .run()
    }
  }
  for (const [binding, objects] of Object.entries(state.objects)) {
    for (const [name, { kv, alarm, sql = {} }] of Object.entries(objects)) {
      const namespace = env[binding as Binding] as DurableObjectNamespace
      await runInDurableObject(namespace.getByName(name), async (_, { storage }) => {
        for (const [key, value] of Object.entries(kv)) storage.kv.put(key, value)
        for (const [table, rows] of Object.entries(sql))
          for (const row of rows) storage.sql.exec(insertInto(table, row), ...Object.values(row))
        if (alarm !== null) await storage.setAlarm(alarm)
      })
    }
  }
}

function insertInto(table: string, row: Row): string {
  const columns = Object.keys(row)
  return `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
}
