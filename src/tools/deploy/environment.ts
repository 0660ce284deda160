import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import type { Settings } from './settings.ts'

/** The environment that wrangler.toml itself describes. */
export const PRODUCTION = 'production'

/** Whether a text can be in the names of an environment's Worker, databases and queues. */
export function isEnvironment(text: string): boolean {
  return /^[a-z][a-z0-9]{0,19}$/.test(text)
}

/** What an environment says differently. */
export type OwnSettings = { vars?: Record<string, string> | undefined; [setting: string]: unknown }

/**
 * The settings of an environment beside production: the same Worker, with names of its own for all that holds data or counts.
 * `own` is what its file says differently, which replaces what stands here, but for variables, which are added one by one.
 * What leads customers to production is not taken over. Paths are made absolute, from the folder `root`.
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

/** A name with the environment in it, after that of the Worker: payment-hub-reports becomes payment-hub-staging-reports. */
function renamed(name: string, worker: string, environment: string): string {
  return name === worker || name.startsWith(`${worker}-`)
    ? `${worker}-${environment}${name.slice(worker.length)}`
    : `${name}-${environment}`
}

/** Rate limits are counted by a number of the account: that of an environment begins with four digits of its own. */
function counterOf(environment: string): number {
  return 1000 + (createHash('sha256').update(environment).digest().readUInt32BE() % 9000)
}
