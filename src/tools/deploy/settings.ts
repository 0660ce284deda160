import { join } from 'node:path'
import * as v from 'valibot'
import { PROJECT } from '../wrangler.ts'

/** What a deploy reads and changes of wrangler.toml, as it is written there; it passes everything else on. */
export const Settings = v.looseObject({
  name: v.string(),
  main: v.string(),
  account_id: v.optional(v.string()),
  vars: v.record(v.string(), v.string()),
  secrets: v.object({ required: v.array(v.string()) }),
  assets: v.looseObject({ directory: v.string() }),
  kv_namespaces: v.array(v.looseObject({ binding: v.string() })),
  d1_databases: v.array(
    v.looseObject({ binding: v.string(), database_name: v.string(), migrations_dir: v.string() }),
  ),
  queues: v.object({
    producers: v.array(v.looseObject({ queue: v.string() })),
    consumers: v.array(v.looseObject({ queue: v.string(), dead_letter_queue: v.optional(v.string()) })),
  }),
  ratelimits: v.array(v.looseObject({ namespace_id: v.string() })),
})
export type Settings = v.InferOutput<typeof Settings>

/** Reads a file of settings. Throws when there is something else in it than the deploy knows to handle. */
export async function readSettings(file: string): Promise<unknown> {
  // Loaded only now: `--help` need not wait for wrangler.
  const { experimental_readRawConfig: readRaw } = await import('wrangler')
  return (await readRaw({ config: join(PROJECT, file) })).rawConfig
}
