import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

type Stored = { kv: object; alarm: number | null }
/** What a release had stored, as its file in test/fixtures has it. */
type State = {
  kv: readonly { name: string; value: string; expiration?: number }[]
  d1: Readonly<Record<string, readonly object[]>>
  objects: Readonly<
    Record<'PAYMENT_JOB' | 'JOB_LEDGER' | 'SANDBOX_PAYMENT', Readonly<Record<string, Stored>>>
  >
}

/** Puts back what a release had stored, at the time when it stored it. */
export const restoreState = async (state: State): Promise<void> => {
  for (const { name, value, expiration } of state.kv) {
    await env.TOKENS.put(name, value, expiration === undefined ? {} : { expiration })
  }
  for (const [table, rows] of Object.entries(state.d1)) {
    for (const row of rows) {
      const columns = Object.keys(row)
      const marks = columns.map(() => '?').join(', ')
      await env.DB.prepare(`insert into ${table} (${columns.join(', ')}) values (${marks})`)
        .bind(...Object.values(row))
        .run()
    }
  }
  for (const [binding, objects] of Object.entries(state.objects)) {
    for (const [name, { kv, alarm }] of Object.entries(objects)) {
      const namespace = env[binding as keyof State['objects']] as DurableObjectNamespace
      await runInDurableObject(namespace.getByName(name), async (_, { storage }) => {
        for (const [key, value] of Object.entries(kv)) storage.kv.put(key, value)
        if (alarm !== null) await storage.setAlarm(alarm)
      })
    }
  }
}
