import { hasRole } from '../contract/operator.ts'
import { readRoleTable } from '../platform/config.ts'
import { VERSION } from '../platform/version.ts'
import type { OperatorHandler } from './handler.ts'
import { reply } from '../platform/http/operations.ts'

/** What each variable of wrangler.toml means. */
const VARIABLES = [
  ['LOOPBACK_URLS', 'whether addresses may be on this machine: the local run alone'],
  ['HUB_HOSTS', 'host names that lead to the hub'],
  ['RETENTION_DAYS', 'days from the last change of a job to its deletion'],
  ['INDEX_SHARDS', 'the databases that hold the index of jobs'],
  ['ALERT_URL', 'where the operator is told of what fails; its host alone is shown'],
  ['JURISDICTION', 'where objects of jobs are kept'],
  ['ACCESS_TEAM', 'the team of Cloudflare Access that people come by'],
  ['ACCESS_AUD', 'the Access application'],
  ['ACCESS_ROLES', 'the role of each group'],
] as const satisfies readonly (readonly [name: keyof Env, meaning: string])[]

const SECRETS = [
  ['OPERATOR_TOKEN', 'opens the operator API'],
  ['SIGNING_ROOT', 'what signing secrets are derived from'],
  ['SEALING_KEY', 'seals the credentials of accounts'],
] as const satisfies readonly (readonly [name: keyof Env, meaning: string])[]

/**
 * `GET /operator/v1/settings`: the variables as they are. Of a secret it says whether it is set and
 * long enough.
 */
export const showSettings: OperatorHandler<'showSettings'> = async ({ env, config }, operator) => {
  const variables = VARIABLES.map(([name, meaning]) => ({
    name,
    meaning,
    value: name === 'ACCESS_ROLES' && !hasRole(operator, 'operator') ? howMany(env) : valueOf(env, name),
  }))
  const secrets = SECRETS.map(([name, meaning]) => ({
    name,
    meaning,
    value: config.weakSecrets.includes(name) ? (env[name] ? 'too short' : 'not set') : 'set',
  }))
  return reply({ version: VERSION, settings: [...variables, ...secrets] })
}

/** The path and the query of an ALERT_URL are secret at many receivers. */
function valueOf(env: Env, name: (typeof VARIABLES)[number][0]): string {
  return name === 'ALERT_URL'
    ? (URL.parse(env.ALERT_URL)?.origin ?? (env.ALERT_URL && 'no URL'))
    : (env[name] ?? '')
}

/**
 * ACCESS_ROLES may name people by their email addresses: operators alone read it, the others how
 * many names it has.
 */
function howMany(env: Env): string {
  const roles = readRoleTable(env.ACCESS_ROLES ?? '')
  return roles.ok ? `names: ${roles.value.size}` : 'unreadable'
}
