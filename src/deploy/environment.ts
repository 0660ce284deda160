import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as v from 'valibot'
import { type Result, ok, refuse } from '../contract/result.ts'
import { PROJECT } from '../programs/wrangler.ts'

const Route = v.union([v.string(), v.looseObject({ pattern: v.string() })])

/** The settings in wrangler.toml that a deploy reads or changes. It passes all others on. */
export const Settings = v.looseObject({
  name: v.string(),
  main: v.string(),
  account_id: v.optional(v.string()),
  routes: v.optional(v.array(Route)),
  route: v.optional(Route),
  vars: v.record(v.string(), v.string()),
  secrets: v.object({ required: v.array(v.string()) }),
  assets: v.looseObject({ directory: v.string() }),
  kv_namespaces: v.array(v.looseObject({ binding: v.string(), id: v.exactOptional(v.string()) })),
  d1_databases: v.array(
    v.looseObject({ binding: v.string(), database_name: v.string(), migrations_dir: v.string() }),
  ),
  queues: v.object({
    producers: v.array(v.looseObject({ queue: v.string() })),
    consumers: v.array(v.looseObject({ queue: v.string(), dead_letter_queue: v.optional(v.string()) })),
  }),
  ratelimits: v.array(v.looseObject({ namespace_id: v.string() })),
  r2_buckets: v.exactOptional(v.array(v.looseObject({ bucket_name: v.string() }))),
})
export type Settings = v.InferOutput<typeof Settings>

/** Reads a file of settings without wrangler's defaults. */
export async function readSettings(file: string): Promise<unknown> {
  // Imported late: `--help` does not need wrangler.
  const { experimental_readRawConfig: readRaw } = await import('wrangler')
  return (await readRaw({ config: join(PROJECT, file) })).rawConfig
}

/** The environment that wrangler.toml describes. */
export const PRODUCTION = 'production'

/** Returns whether a text can be part of the names of an environment's resources. */
export function isEnvironment(text: string): boolean {
  return /^[a-z][a-z0-9]{0,19}$/.test(text)
}

/** The file of an environment other than production, which has only the differences. */
const OwnSettings = v.looseObject({ vars: v.optional(v.record(v.string(), v.string())) })
type OwnSettings = v.InferOutput<typeof OwnSettings>

/** The settings that an environment shares with production, unless its own file has others. */
const TAKEN_OVER = `$schema name main account_id compatibility_date compatibility_flags minify keep_names
  upload_source_maps build rules define alias assets vars secrets observability exports durable_objects kv_namespaces
  d1_databases queues triggers ratelimits limits placement send_metrics`.split(/\s+/)
/** Settings that would lead customers to production, or that belong to other environments. */
const LEFT_OUT = ['env', 'route', 'routes', 'workers_dev', 'preview_urls']
/** The known members of stores. An environment does not take over ids, which are production's. */
const STORES = {
  kv_namespaces: ['binding', 'id'],
  d1_databases: ['binding', 'database_name', 'database_id', 'migrations_dir', 'migrations_table'],
}

/** Returns the settings that the environment's own file must replace, because it would share them with production. */
export function notTakenOver(production: Settings, own: OwnSettings): string[] {
  const settings = Object.keys(production).filter((name) => ![...TAKEN_OVER, ...LEFT_OUT].includes(name))
  const members = (['kv_namespaces', 'd1_databases'] as const).flatMap((name) =>
    production[name].flatMap((item) =>
      Object.keys(item).flatMap((member) => (STORES[name].includes(member) ? [] : [`${name}.${member}`])),
    ),
  )
  const isOpen = /(^|\s)\*=operator(\s|$)/.test(production.vars['ACCESS_ROLES'] ?? '')
  return [
    ...settings.filter((name) => !(name in own)),
    ...members.filter((member) => !((member.split('.')[0] ?? '') in own)),
    ...(isOpen && own.vars?.['ACCESS_ROLES'] === undefined ? ['vars.ACCESS_ROLES with *=operator'] : []),
  ]
}

/**
 * Makes the settings of an environment other than production: the same Worker, with other names for
 * everything that stores data or counts. `own` is its file, which replaces settings, except that variables are
 * added one by one. Leaves out what `notTakenOver` names.
 */
export function environmentSettings(
  production: Settings,
  environment: string,
  own: OwnSettings,
): Record<string, unknown> {
  const rename = (name: string) => renamed(name, production.name, environment)
  const { vars = {}, ...others } = own
  return {
    ...Object.fromEntries(Object.entries(production).filter(([name]) => TAKEN_OVER.includes(name))),
    name: rename(production.name),
    kv_namespaces: production.kv_namespaces.map(({ id: _id, ...namespace }) => namespace),
    d1_databases: production.d1_databases.map(({ database_id: _id, ...database }) => ({
      ...database,
      database_name: rename(database.database_name),
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

/** Turns payment-hub-reports into payment-hub-staging-reports. */
function renamed(name: string, worker: string, environment: string): string {
  return name === worker || name.startsWith(`${worker}-`)
    ? `${worker}-${environment}${name.slice(worker.length)}`
    : `${name}-${environment}`
}

/** Returns the environment's own four digits, because the account's limits share numbers. */
function counterOf(environment: string): number {
  return 1000 + (createHash('sha256').update(environment).digest().readUInt32BE() % 9000)
}

const FOLDER = join('.wrangler', 'environments')

type Config = { settings: Settings; args: string[] }

/**
 * Returns the settings of an environment. Production's are wrangler.toml as it is. Another's are
 * written to a file for wrangler, made of wrangler.toml and `wrangler.NAME.toml`, if that exists,
 * which has only the differences.
 */
export async function configOf(environment: string): Promise<Result<Config, string>> {
  const production = v.parse(Settings, await readSettings('wrangler.toml'))
  if (environment === PRODUCTION) return ok({ settings: production, args: [] })
  const ownFile = `wrangler.${environment}.toml`
  const own = v.parse(OwnSettings, existsSync(join(PROJECT, ownFile)) ? await readSettings(ownFile) : {})
  const strange = notTakenOver(production, own)
  if (strange.length > 0) {
    return refuse(
      `wrangler.toml has ${strange.join(', ')}, which ${environment} would share with production. Give ${environment} ` +
        `its own in ${ownFile}, and deploy again.`,
    )
  }
  const made = environmentSettings(production, environment, own)
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
  return ok({ settings, args: writeSettings(environment, settings) })
}

/** Writes settings to a file of an environment, and returns the words by which wrangler uses it. */
function writeSettings(environment: string, settings: Settings): string[] {
  mkdirSync(join(PROJECT, FOLDER), { recursive: true })
  const file = join(FOLDER, `${environment}.json`)
  writeFileSync(join(PROJECT, file), `${JSON.stringify(placed(settings, PROJECT), null, 2)}\n`)
  return ['--config', file]
}

/** Returns settings for a file in any folder: their paths are absolute, from the folder `root`. */
export function placed(settings: Settings, root: string): Settings {
  const { main, assets, d1_databases: databases } = settings
  const database = (one: (typeof databases)[number]) => ({
    ...one,
    migrations_dir: resolve(root, one.migrations_dir),
  })
  return {
    ...settings,
    main: resolve(root, main),
    assets: { ...assets, directory: resolve(root, assets.directory) },
    d1_databases: databases.map(database),
  }
}

/** Returns the names of the namespaces without an id in the settings: those that an upload would give them. */
export function unnamed({ name, kv_namespaces: namespaces }: Settings): string[] {
  return namespaces.filter(({ id }) => id === undefined).map(({ binding }) => namespaceOf(name, binding))
}

function namespaceOf(worker: string, binding: string): string {
  return `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`
}

/** Returns wrangler's words for settings in which each namespace has an id, by its name. */
export function withIds(
  environment: string,
  settings: Settings,
  ids: Readonly<Record<string, string>>,
): string[] {
  const namespaces = settings.kv_namespaces.map(({ binding, id }) => {
    const known = id ?? ids[namespaceOf(settings.name, binding)]
    return known === undefined ? { binding } : { binding, id: known }
  })
  return writeSettings(environment, { ...settings, kv_namespaces: namespaces })
}

/** Returns the names of all that an environment has at the account, each with its kind. */
function namesOf({ name, d1_databases: databases, queues, r2_buckets: buckets = [] }: Settings): string[] {
  return [
    `the Worker ${name}`,
    ...databases.map(({ database_name: database }) => `the database ${database}`),
    ...queues.consumers.map(({ queue }) => `the queue ${queue}`),
    ...buckets.map(({ bucket_name: bucket }) => `the bucket ${bucket}`),
  ]
}
