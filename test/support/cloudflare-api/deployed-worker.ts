import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Log, LogLevel, Miniflare, type MiniflareOptions, type Response } from 'miniflare'
import type { Account, Script } from './account.ts'
import type { Binding, Version } from './upload.ts'

type WorkerOptions = MiniflareOptions['workers'][number]
/** Answers the requests that the Worker sends to the internet. */
type Outside = (url: string, headers: Headers, body: string) => Response | Promise<Response>

/** A running Worker, exactly as uploaded, with its static files and queues. */
export type DeployedWorker = { url: URL; version: string; stop: () => Promise<void> }

/** Runs the live version on a local port, with TLS. */
export async function runDeployed(
  account: Account,
  script: Script,
  outside: Outside,
): Promise<DeployedWorker> {
  const version = script.versions.find(({ id }) => id === script.deployed.at(-1))
  if (!version) throw new Error(`${script.name} was never uploaded`)
  const folder = await mkdtemp(join(tmpdir(), 'deployed-worker-'))
  await writeAssets(account, version, folder)
  const runtime = new Miniflare({
    host: '127.0.0.1',
    port: 0,
    https: true,
    cf: false,
    log: new Log(LogLevel.NONE),
    handleStructuredLogs: () => {},
    resourcePersistencePath: join(folder, 'state'),
    telemetry: { enabled: false },
    workers: [workerOf(account, script, version, folder, outside)],
  })
  const url = await runtime.ready
  for (const binding of version.bindings) {
    if (binding.type === 'd1') await migrate(runtime, account, binding.name, binding.id)
  }
  await openAll(runtime, version)
  const stop = async () => {
    await runtime.dispose()
    await rm(folder, { recursive: true, force: true })
  }
  return { url, version: version.id, stop }
}

/**
 * Opens every part of the hub once. Otherwise a busy machine is so slow at the first request that the hub
 * reports its parts as slow.
 */
async function openAll(runtime: Miniflare, { bindings }: Version): Promise<void> {
  const token = bindings.find(({ name }) => name === 'OPERATOR_TOKEN')
  if (token?.type !== 'secret_text') return
  const headers = { authorization: `Bearer ${token.text}` }
  const looked = await runtime.dispatchFetch('https://hub.example.com/operator/v1/health', { headers })
  await looked.text()
}

async function writeAssets({ assets }: Account, version: Version, folder: string): Promise<void> {
  for (const [path, hash] of Object.entries(version.assets)) {
    const file = join(folder, 'assets', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, assets.get(hash)?.contents ?? '')
  }
}

/** Gives a database of the runtime the tables that the deploy created in the account. */
async function migrate(runtime: Miniflare, { databases }: Account, name: string, id: string): Promise<void> {
  const made =
    databases.get(id)?.sqlite.prepare('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL').all() ?? []
  const here = await runtime.getD1Database(name)
  const own = made.filter(({ sql }) => !String(sql).includes('sqlite_sequence'))
  await here.batch(own.map(({ sql }) => here.prepare(String(sql))))
  // The release checks that its migrations were applied.
  const applied = databases.get(id)?.sqlite.prepare('SELECT name FROM d1_migrations').all() ?? []
  for (const { name: migration } of applied) {
    await here.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(String(migration)).run()
  }
}

function workerOf(
  { queues }: Account,
  script: Script,
  { metadata, bindings, modules }: Version,
  folder: string,
  outside: Outside,
): WorkerOptions {
  return {
    config: {
      name: script.name,
      compatibilityDate: metadata.compatibility_date,
      compatibilityFlags: metadata.compatibility_flags,
      env: Object.fromEntries(bindings.map((binding) => [binding.name, bound(binding, script.name)])),
      exports: metadata.exports,
      assets: {
        directory: join(folder, 'assets'),
        hasUserWorker: true,
        runWorkerFirst: metadata.assets.config.run_worker_first,
        htmlHandling: metadata.assets.config.html_handling,
        notFoundHandling: metadata.assets.config.not_found_handling,
      },
      triggers: [...queues.values()].flatMap(({ queue_name: name, consumers }) =>
        consumers
          .filter((consumer) => consumer.script === script.name)
          .map(({ settings, dead_letter_queue: deadLetterQueue }) => ({
            type: 'queue' as const,
            name,
            maxBatchSize: settings.batch_size ?? 10,
            maxBatchTimeout: (settings.max_wait_time_ms ?? 5000) / 1000,
            maxRetries: settings.max_retries ?? 3,
            retryDelay: settings.retry_delay ?? 0,
            ...(deadLetterQueue === undefined ? {} : { deadLetterQueue }),
          })),
      ),
      manifest: {
        mainModule: metadata.main_module,
        modules: Object.fromEntries(
          Object.entries(modules).map(([name, contents]) => [name, { type: 'esm' as const, contents }]),
        ),
      },
    },
    dev: {
      outboundService: {
        type: 'fetcher',
        handler: async (request) =>
          outside(request.url, new Headers([...request.headers]), await request.text()),
      },
    },
  }
}

type Env = NonNullable<WorkerOptions['config']['env']>

function bound(binding: Exclude<Binding, { type: 'inherit' }>, worker: string): Env[string] {
  switch (binding.type) {
    case 'plain_text':
    case 'secret_text':
      return { type: 'text', value: binding.text }
    case 'kv_namespace':
      return { type: 'kv', id: binding.namespace_id }
    case 'd1':
      return { type: 'd1', id: binding.id }
    case 'queue':
      return { type: 'queue', name: binding.queue_name }
    case 'durable_object_namespace':
      return { type: 'durable-object', worker, exportName: binding.class_name }
    case 'ratelimit':
      return { type: 'rate-limit', namespace: binding.namespace_id, simple: binding.simple }
    case 'assets':
      return { type: 'assets' }
  }
}
