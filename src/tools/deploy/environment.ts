import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as v from 'valibot'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { PROJECT } from '../wrangler.ts'

/**
 * What a deploy reads and changes of wrangler.toml, as it is written there; it passes everything
 * else on.
 */
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

/**
 * Reads a file of settings. Throws when there is something else in it than the deploy knows to
 * handle.
 */
export async function readSettings(file: string): Promise<unknown> {
  // Loaded only now: `--help` need not wait for wrangler.
  const { experimental_readRawConfig: readRaw } = await import('wrangler')
  return (await readRaw({ config: join(PROJECT, file) })).rawConfig
}

/** The environment that wrangler.toml itself describes. */
export const PRODUCTION = 'production'

/** Whether a text can be in the names of an environment's Worker, databases and queues. */
export function isEnvironment(text: string): boolean {
  return /^[a-z][a-z0-9]{0,19}$/.test(text)
}

export type OwnSettings = { vars?: Record<string, string> | undefined; [setting: string]: unknown }

/**
 * The settings of an environment beside production: the same Worker, with names of its own for all
 * that holds data or counts. `own` is what its file says differently, which replaces what stands
 * here, but for variables, which are added one by one. What leads customers to production is not
 * taken over. Paths are made absolute, from the folder `root`.
 */
export function environmentSettings(
  production: Settings,
  environment: string,
  own: OwnSettings,
  root: string,
): Record<string, unknown> {
  const { env: _, route: _route, routes: _routes, workers_dev: _dev, ...rest } = production
  const rename = (name: string) => renamed(name, production.name, environment)
  const { vars = {}, ...others } = own
  return {
    ...rest,
    name: rename(production.name),
    main: resolve(root, production.main),
    assets: { ...production.assets, directory: resolve(root, production.assets.directory) },
    // Ids, where somebody has written them down, are those of production.
    kv_namespaces: production.kv_namespaces.map(({ id: _id, ...namespace }) => namespace),
    d1_databases: production.d1_databases.map(({ database_id: _id, ...database }) => ({
      ...database,
      database_name: rename(database.database_name),
      migrations_dir: resolve(root, database.migrations_dir),
    })),
    queues: {
      producers: production.queues.producers.map((producer) => ({
        ...producer,
        queue: rename(producer.queue),
      })),
      consumers: production.queues.consumers.map(({ dead_letter_queue: dead, ...consumer }) => ({
        ...consumer,
        queue: rename(consumer.queue),
        ...(dead === undefined ? {} : { dead_letter_queue: rename(dead) }),
      })),
    },
    ratelimits: production.ratelimits.map((limit) => ({
      ...limit,
      namespace_id: `${counterOf(environment)}${limit.namespace_id}`,
    })),
    ...others,
    vars: { ...production.vars, HUB_HOSTS: '', ALERT_URL: '', ...vars },
  }
}

/**
 * A name with the environment in it, after that of the Worker: payment-hub-reports becomes
 * payment-hub-staging-reports.
 */
function renamed(name: string, worker: string, environment: string): string {
  return name === worker || name.startsWith(`${worker}-`)
    ? `${worker}-${environment}${name.slice(worker.length)}`
    : `${name}-${environment}`
}

/**
 * Rate limits are counted by a number of the account: that of an environment begins with four
 * digits of its own.
 */
function counterOf(environment: string): number {
  return 1000 + (createHash('sha256').update(environment).digest().readUInt32BE() % 9000)
}

const Own = v.looseObject({ vars: v.optional(v.record(v.string(), v.string())) })

const FOLDER = join('.wrangler', 'environments')

type Config = { settings: Settings; args: string[] }

/**
 * Production is wrangler.toml as it stands. For another environment a file is written that wrangler
 * reads, made of wrangler.toml and of `wrangler.NAME.toml`, where there is one: it has only what is
 * different.
 */
export async function configOf(environment: string): Promise<Result<Config, string>> {
  const production = v.parse(Settings, await readSettings('wrangler.toml'))
  if (environment === PRODUCTION) return ok({ settings: production, args: [] })
  const ownFile = `wrangler.${environment}.toml`
  const own = existsSync(join(PROJECT, ownFile)) ? await readSettings(ownFile) : {}
  const made = environmentSettings(production, environment, v.parse(Own, own), PROJECT)
  const { success, output: settings, issues } = v.safeParse(Settings, made)
  if (!success) {
    const wrong = issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`).join('; ')
    return refuse(`${ownFile} cannot be used: ${wrong}. Correct it, and deploy again.`)
  }
  const shared = namesOf(settings).filter((name) => namesOf(production).includes(name))
  if (shared.length > 0) {
    return refuse(
      `${environment} would share ${shared.join(', ')} with production. Give the environment ` +
        `another name, or correct ${ownFile}.`,
    )
  }
  mkdirSync(join(PROJECT, FOLDER), { recursive: true })
  const file = join(FOLDER, `${environment}.json`)
  writeFileSync(join(PROJECT, file), `${JSON.stringify(settings, null, 2)}\n`)
  return ok({ settings, args: ['--config', file] })
}

/** All names under which an environment has something at the account, each with its kind. */
function namesOf({ name, d1_databases: databases, queues }: Settings): string[] {
  return [
    `the Worker ${name}`,
    ...databases.map(({ database_name: database }) => `the database ${database}`),
    ...queues.consumers.map(({ queue }) => `the queue ${queue}`),
  ]
}
