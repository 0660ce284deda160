import { type Result, ok, refuse } from '../contract/result.ts'
import { DAY } from '../contract/timestamp.ts'
import { Role } from '../contract/operation.ts'
import { isZone } from './pages/time-text.ts'

/** Used if RETENTION_DAYS is not a number of days: the hub must store jobs in any case. */
const DEFAULT_RETENTION_DAYS = 400
/** Used if IP_ADDRESS_DAYS is not a number of days. */
const DEFAULT_IP_ADDRESS_DAYS = 30
/** 64 random hex digits have fewer different ones less than once in a million times. */
const LEAST_CHARACTERS = 12
const SECRET = /^([0-9a-f]{64}|[\w+/-]{43}=?)$/i

/** The accepted proofs of Cloudflare Access: the team, and the AUD tags of its applications. */
export type AccessConfig = { team: string; audiences: readonly string[]; roles: RoleTable }

export type Config = {
  retentionDays: number
  /** Milliseconds from a job's last change to its purge. */
  retention: number
  /** Milliseconds from a job's creation to the erasure of the customer's IP address. */
  addressRetention: number
  /** Addresses may be http on this machine. Only the local run allows that. */
  loopback: boolean
  /** The hub's other host names. Addresses of shops must not lead to them. */
  hosts: readonly string[]
  /** The time zone (IANA) for days and months in figures and exports. */
  timeZone: string
  weakSecrets: readonly string[]
  /** The settings of Cloudflare Access: null if it is off, or what is wrong with them. */
  access: Result<AccessConfig | null, string>
}

const configs = new WeakMap<object, Config>()

/** Reads the environment once for each isolate. Never throws: errors are data. */
export function readConfig(env: Env): Config {
  const known = configs.get(env)
  if (known) return known
  const retentionDays = daysOf(env.RETENTION_DAYS, DEFAULT_RETENTION_DAYS)
  const config: Config = {
    retentionDays,
    retention: retentionDays * DAY,
    addressRetention: daysOf(env.IP_ADDRESS_DAYS, DEFAULT_IP_ADDRESS_DAYS) * DAY,
    loopback: env.LOOPBACK_URLS === 'allowed',
    hosts: (env.HUB_HOSTS ?? '').split(/\s+/).filter(Boolean),
    timeZone: isZone(env.TIME_ZONE ?? '') ? env.TIME_ZONE : 'UTC',
    weakSecrets: weakSecrets(env),
    access: readAccess(env),
  }
  configs.set(env, config)
  return config
}

function daysOf(text: string | undefined, otherwise: number): number {
  const days = Number(text)
  return Number.isFinite(days) && days >= 1 ? days : otherwise
}

function readAccess(env: Env): Config['access'] {
  const team = env.ACCESS_TEAM ?? ''
  const audiences = (env.ACCESS_AUD ?? '').split(/\s+/).filter(Boolean)
  if (team === '' && audiences.length === 0) return ok(null)
  if (!/^[a-z0-9-]+$/.test(team)) return refuse('ACCESS_TEAM must be the TEAM of TEAM.cloudflareaccess.com.')
  if (audiences.length === 0) return refuse('ACCESS_AUD must have the AUD tag of the application.')
  const roles = readRoleTable(env.ACCESS_ROLES ?? '')
  return roles.ok ? ok({ team, audiences, roles: roles.value }) : roles
}

/** Returns the secrets that can be guessed: missing, malformed, or equal to another. */
function weakSecrets({ OPERATOR_TOKEN = '', SIGNING_ROOT = '', SEALING_KEY = '' }: Partial<Env>): string[] {
  // Only the first of several keys seals, so an old one may be short.
  const sealing = SEALING_KEY.split(/[\s,]+/).find(Boolean) ?? ''
  const secrets = Object.entries({ OPERATOR_TOKEN, SIGNING_ROOT, SEALING_KEY: sealing })
  return secrets
    .filter(([name, secret]) => {
      const isShared = secrets.some(
        ([other, same]) => other !== name && same.toLowerCase() === secret.toLowerCase(),
      )
      return isShared || !SECRET.test(secret) || new Set(secret).size < LEAST_CHARACTERS
    })
    .map(([name]) => name)
}

/** Roles by `group:NAME`, `email:ADDRESS` or `service:ID` of Access; `*` is for everyone. */
type RoleTable = ReadonlyMap<string, Role>

/** An entry ends with its role, so names may have spaces: `group:Payment Admins=operator`. */
const ENTRY = `\\s*((?:group|email|service):\\S[^=]*|\\*)=(${Role.options.join('|')})(?:\\s+|$)`

/** Reads `ACCESS_ROLES`, or returns what is wrong with it, so that no role gets lost unnoticed. */
export function readRoleTable(text: string): Result<RoleTable, string> {
  const roles = new Map<string, Role>()
  const entry = new RegExp(ENTRY, 'y')
  const end = text.trimEnd().length
  for (let place = 0; place < end; place = entry.lastIndex) {
    const [, name = '', written] = entry.exec(text) ?? []
    const role = Role.options.find((option) => option === written)
    if (!role) return refuse(`ACCESS_ROLES cannot be read from ${JSON.stringify(text.slice(place, end))} on.`)
    if (roles.has(name)) return refuse(`ACCESS_ROLES has ${JSON.stringify(name)} twice.`)
    roles.set(name, role)
  }
  return ok(roles)
}

/** Returns the highest role of these names, or null if none has a role. */
export function roleOf(roles: RoleTable, names: readonly string[]): Role | null {
  const theirs = new Set([...names, '*'].map((name) => roles.get(name)))
  return Role.options.findLast((role) => theirs.has(role)) ?? null
}
