import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { PROJECT } from '../wrangler.ts'
import { PRODUCTION, environmentSettings } from './environment.ts'
import { type Result, ok, refuse } from '../../platform/result.ts'
import { Settings, readSettings } from './settings.ts'

const Own = v.looseObject({ vars: v.optional(v.record(v.string(), v.string())) })

/** Where wrangler finds the settings of environments. */
const FOLDER = join('.wrangler', 'environments')

/** The settings of an environment, and the words by which wrangler finds them. */
type Config = { settings: Settings; args: string[] }

/**
 * Production is wrangler.toml as it stands. For another environment a file is written that wrangler reads, made of wrangler.toml and
 * of `wrangler.NAME.toml`, where there is one: it has only what is different.
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
      `${environment} would share ${shared.join(', ')} with production. Give the environment another name, or correct ${ownFile}.`,
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
