import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'

/** What the local run needs of wrangler.toml, as wrangler reads it. */
export const Settings = v.object({
  name: v.string(),
  compatibility_date: v.string(),
  compatibility_flags: v.array(v.string()),
  vars: v.record(v.string(), v.string()),
  assets: v.object({
    directory: v.string(),
    binding: v.string(),
    run_worker_first: v.boolean(),
    html_handling: v.literal('none'),
    not_found_handling: v.literal('none'),
  }),
  exports: v.record(
    v.string(),
    v.object({ type: v.literal('durable-object'), storage: v.literal('sqlite') }),
  ),
  kv_namespaces: v.array(v.object({ binding: v.string() })),
  d1_databases: v.array(v.object({ binding: v.string() })),
  durable_objects: v.object({ bindings: v.array(v.object({ name: v.string(), class_name: v.string() })) }),
  queues: v.object({
    producers: v.array(v.object({ binding: v.string(), queue: v.string() })),
    consumers: v.array(
      v.object({
        queue: v.string(),
        max_batch_size: v.number(),
        max_batch_timeout: v.number(),
        max_retries: v.number(),
        retry_delay: v.number(),
        dead_letter_queue: v.exactOptional(v.string()),
      }),
    ),
  }),
  ratelimits: v.array(
    v.object({
      name: v.string(),
      namespace_id: v.string(),
      simple: v.object({ limit: v.number(), period: v.picklist([10, 60]) }),
    }),
  ),
})
export type Settings = v.InferOutput<typeof Settings>

/**
 * The settings of a build stand beside its modules: loading wrangler for them would take a hub two
 * seconds at each start.
 */
function fileIn(bundle: string): string {
  return join(bundle, 'settings.json')
}

/** Writes the settings of wrangler.toml, as wrangler read them, into the folder of a build. */
export async function writeSettings(bundle: string, read: unknown): Promise<void> {
  return writeFile(fileIn(bundle), JSON.stringify(v.parse(Settings, read)))
}

/** The settings of what was built into a folder. */
export async function readSettings(bundle: string): Promise<Settings> {
  return v.parse(Settings, JSON.parse(await readFile(fileIn(bundle), 'utf8')))
}
