import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MiniflareOptions } from 'miniflare'
import * as v from 'valibot'
import { PROJECT } from '../wrangler.ts'

export type WorkerOptions = MiniflareOptions['workers'][number]

/**
 * The Worker that was built into a folder as Miniflare takes it. `values` are its secrets, and the
 * variables that the local run changes. Ids are those that `wrangler … --local` uses, so that both
 * see the same state.
 */
export async function workerOptions(
  bundle: string,
  values: Record<string, string | undefined>,
  file = 'index.js',
): Promise<WorkerOptions> {
  const settings = await readSettings(bundle)
  const assets = siteOf(settings.assets)
  return {
    config: {
      name: settings.name,
      compatibilityDate: settings.compatibility_date,
      compatibilityFlags: settings.compatibility_flags,
      env: { ...bindings(settings, values), ...assets.env },
      exports: settings.exports,
      triggers: settings.queues.consumers.map(trigger),
      ...assets.config,
      manifest: {
        mainModule: 'index.js',
        modules: { 'index.js': { type: 'esm', contents: await readFile(join(bundle, file), 'utf8') } },
      },
    },
  }
}

/** The files of the site. Without them there is no binding, and the hub has nothing to show. */
function siteOf(assets: Settings['assets']) {
  const directory = join(PROJECT, assets.directory)
  if (!existsSync(directory)) return { env: {}, config: {} }
  return {
    env: { [assets.binding]: { type: 'assets' as const } },
    config: {
      assets: {
        directory,
        hasUserWorker: true,
        runWorkerFirst: assets.run_worker_first,
        htmlHandling: assets.html_handling,
        notFoundHandling: assets.not_found_handling,
      },
    },
  }
}

function trigger(consumer: Settings['queues']['consumers'][number]) {
  const { dead_letter_queue: deadLetterQueue } = consumer
  return {
    type: 'queue' as const,
    name: consumer.queue,
    maxBatchSize: consumer.max_batch_size,
    maxBatchTimeout: consumer.max_batch_timeout,
    maxRetries: consumer.max_retries,
    retryDelay: consumer.retry_delay,
    ...(deadLetterQueue === undefined ? {} : { deadLetterQueue }),
  }
}

function bindings(
  settings: Settings,
  values: Record<string, string | undefined>,
): NonNullable<WorkerOptions['config']['env']> {
  const { name: worker, queues, durable_objects: objects } = settings
  const texts = Object.entries({ ...settings.vars, ...values })
  return {
    ...named(texts, ([name, value]) => [name, { type: 'text', value: String(value) }]),
    ...named(settings.kv_namespaces, ({ binding }) => [binding, { type: 'kv', id: binding }]),
    ...named(settings.d1_databases, ({ binding }) => [binding, { type: 'd1', id: binding }]),
    ...named(queues.producers, ({ binding, queue }) => [binding, { type: 'queue', name: queue }]),
    ...named(objects.bindings, ({ name, class_name: exportName }) => [
      name,
      { type: 'durable-object', worker, exportName },
    ]),
    ...named(settings.ratelimits, ({ name, namespace_id: namespace, simple }) => [
      name,
      { type: 'rate-limit', namespace, simple },
    ]),
  }
}

function named<Item, const Binding>(
  items: readonly Item[],
  bind: (item: Item) => readonly [name: string, binding: Binding],
): Record<string, Binding> {
  return Object.fromEntries(items.map(bind))
}

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

/** Stand beside the modules of a build: loading wrangler for them would take two seconds. */
function fileIn(bundle: string): string {
  return join(bundle, 'settings.json')
}

export async function writeSettings(bundle: string, settings: Settings): Promise<void> {
  return writeFile(fileIn(bundle), JSON.stringify(settings))
}

export async function readSettings(bundle: string): Promise<Settings> {
  return v.parse(Settings, JSON.parse(await readFile(fileIn(bundle), 'utf8')))
}
