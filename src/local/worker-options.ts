import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MiniflareOptions } from 'miniflare'
import * as v from 'valibot'
import type { Unstable_Config as Settings } from 'wrangler'
import { PROJECT } from '../programs/wrangler.ts'

export type WorkerOptions = MiniflareOptions['workers'][number]
type Config = WorkerOptions['config']

/**
 * Returns Miniflare's options for a Worker that was built into a folder. `values` are its secrets,
 * and the variables that the local run changes.
 */
export async function workerOptions(
  bundle: string,
  values: Record<string, string | undefined>,
  file = 'index.js',
): Promise<WorkerOptions> {
  const { env, ...config } = await readConfig(bundle)
  const texts = named(Object.entries(values), ([name, value]) => [
    name,
    { type: 'text', value: String(value) },
  ])
  const contents = await readFile(join(bundle, file), 'utf8')
  return {
    config: {
      ...config,
      env: { ...env, ...texts },
      manifest: { mainModule: 'index.js', modules: { 'index.js': { type: 'esm', contents } } },
    },
  }
}

/**
 * Turns wrangler.toml into Miniflare's form. Ids are those of `wrangler … --local`, so that both
 * use the same state.
 */
function configOf(settings: Settings): Config {
  const { name: worker = '', compatibility_date: compatibilityDate = '', assets = {}, queues } = settings
  const objects = settings.durable_objects.bindings
  return {
    name: worker,
    compatibilityDate,
    compatibilityFlags: settings.compatibility_flags,
    exports: named(objects, ({ class_name: name }) => [name, { type: 'durable-object', storage: 'sqlite' }]),
    triggers: (queues.consumers ?? []).map((consumer) => ({
      type: 'queue',
      name: consumer.queue,
      maxBatchSize: consumer.max_batch_size,
      maxBatchTimeout: consumer.max_batch_timeout,
      maxRetries: consumer.max_retries,
      retryDelay: consumer.retry_delay,
      deadLetterQueue: consumer.dead_letter_queue,
    })),
    assets: {
      directory: join(PROJECT, assets.directory ?? ''),
      hasUserWorker: true,
      runWorkerFirst: assets.run_worker_first,
      htmlHandling: assets.html_handling,
      notFoundHandling: assets.not_found_handling,
    },
    env: {
      ...named(Object.entries(settings.vars), ([name, value]) => [
        name,
        typeof value === 'string' ? { type: 'text', value } : { type: 'json', value },
      ]),
      [assets.binding ?? '']: { type: 'assets' },
      ...named(settings.kv_namespaces, ({ binding }) => [binding, { type: 'kv', id: binding }]),
      ...named(settings.d1_databases, ({ binding }) => [binding, { type: 'd1', id: binding }]),
      ...named(queues.producers ?? [], ({ binding, queue }) => [binding, { type: 'queue', name: queue }]),
      ...named(objects, ({ name, class_name: exportName }) => [
        name,
        { type: 'durable-object', worker, exportName },
      ]),
      ...named(settings.ratelimits, ({ name, namespace_id: namespace, simple }) => [
        name,
        { type: 'rate-limit', namespace, simple },
      ]),
    },
  }
}

function named<Item, const Binding>(
  items: readonly Item[],
  bind: (item: Item) => readonly [name: string, binding: Binding],
): Record<string, Binding> {
  return Object.fromEntries(items.map(bind))
}

/** Kept with the modules of a build, because loading wrangler for it would take two seconds. */
const FILE = 'config.json'

export function writeConfig(bundle: string, settings: Settings): Promise<void> {
  return writeFile(join(bundle, FILE), JSON.stringify(configOf(settings)))
}

/** Miniflare checks the settings itself. */
const Written = v.pipe(
  v.string(),
  v.parseJson(),
  v.custom<Config>((value) => value !== null),
)

export async function readConfig(bundle: string): Promise<Config> {
  return v.parse(Written, await readFile(join(bundle, FILE), 'utf8'))
}
