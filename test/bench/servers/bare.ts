import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unstable_readConfig } from 'wrangler'
import { PROJECT } from '../../../src/tools/wrangler.ts'
import { openClients } from '../load.ts'
import { startRuntime } from './runtime.ts'
import type { Server } from './server.ts'

const WORKER = join(import.meta.dirname, 'bare-worker.js')
const NAME = 'bare'

/** What the hub stores of a new job and of the sandbox's payment, as found in the objects' SQLite files (bytes). */
const JOB_SIZE = 950
const PAYMENT_SIZE = 630
/** What it sends to the queue of the index (bytes). */
const ROW_SIZE = 360
const QUEUE = 'rows'

/** The sizes of the hub's answers (bytes), and its token with the record that KV holds of it. */
export type Sizes = { created: number; read: number; token: string; record: string }

/** Runs the yardstick of all ratios: a Worker on the same platform that does what has to be done at the least. */
export async function startBare(
  sizes: Sizes,
  stateDir: string,
  tell: (line: string) => void,
): Promise<Server> {
  const { compatibility_date, compatibility_flags } = unstable_readConfig({
    config: join(PROJECT, 'wrangler.toml'),
  })
  const object = { type: 'durable-object', storage: 'sqlite' } as const
  const text = (value: number) => ({ type: 'text', value: String(value) }) as const
  const runtime = await startRuntime(
    {
      config: {
        name: NAME,
        compatibilityDate: String(compatibility_date),
        compatibilityFlags: compatibility_flags,
        env: {
          TOKENS: { type: 'kv', id: 'TOKENS' },
          STORED: { type: 'durable-object', worker: NAME, exportName: 'Stored' },
          ANNOUNCED: { type: 'durable-object', worker: NAME, exportName: 'Announced' },
          LIMIT: { type: 'rate-limit', namespace: '1', simple: { limit: 1e9, period: 10 } },
          ROWS: { type: 'queue', name: QUEUE },
          DB: { type: 'd1', id: 'DB' },
          JOB_SIZE: text(JOB_SIZE),
          ROW_SIZE: text(ROW_SIZE),
          PAYMENT_SIZE: text(PAYMENT_SIZE),
          CREATED_SIZE: text(sizes.created),
          READ_SIZE: text(sizes.read),
        },
        exports: { Stored: object, Announced: object },
        triggers: [{ type: 'queue', name: QUEUE, maxBatchSize: 100, maxBatchTimeout: 2 }],
        manifest: {
          mainModule: 'index.js',
          modules: { 'index.js': { type: 'esm', contents: await readFile(WORKER, 'utf8') } },
        },
      },
    },
    stateDir,
    tell,
  )
  const tokens = await runtime.miniflare.getKVNamespace('TOKENS')
  await tokens.put(sizes.token, sizes.record)
  const database = await runtime.miniflare.getD1Database('DB')
  await database.prepare('create table rows (id text primary key, value text not null)').run()
  const clients = openClients(runtime.url)
  return {
    name: 'bare',
    url: runtime.url,
    token: sizes.token,
    clients,
    pids: runtime.pids,
    stop: async () => {
      await clients.close()
      await runtime.stop()
    },
  }
}
