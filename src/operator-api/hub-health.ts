import type { FailingShop } from '../contract/failing-reports.ts'
import type {
  AccountHealth,
  Alert as ShownAlert,
  Credential,
  HubHealth,
  PartHealth,
  MoneySum as ShownSum,
  UnknownAccount,
} from '../contract/hub-health.ts'
import { formatAmount } from '../contract/money.ts'
import { type MoneySum, reservedSums, unappliedSums } from '../job-index/money-sums.ts'
import { dueCredentials } from '../registry/credential-age.ts'
import { posByMode, posIds } from '../registry/points-of-sale.ts'
import { hasRole } from '../contract/operation.ts'
import { Mode } from '../contract/values.ts'
import { isoTime, MINUTE } from '../contract/timestamp.ts'
import { accountsHealth, checkAccounts } from '../monitoring/check-accounts.ts'
import { type Alert, GIVEN_UP_FOR, RESERVED_FOR } from '../monitoring/alert-rules.ts'
import { alertSecret, deliverAlert, listAlerts as alertsOf } from '../monitoring/alerts.ts'
import { shopsWithAnswer } from '../monitoring/failing-shops.ts'
import { lookAt, lookAtParts, lookAtRows } from '../monitoring/hub-parts.ts'
import { reply } from '../platform/http/operations.ts'
import { readRoleTable } from '../platform/config.ts'
import { unknownAccounts } from '../registry/account-notifications.ts'
import { VERSION } from '../platform/version.ts'
import { representShop } from './reports.ts'
import { type OperatorHandler, changed, lackOf } from './serve.ts'

/** How long (ms) the checks of all accounts together may take. */
const CHECKS_DEADLINE = 25_000

const NEEDED = new Set(['KV', 'payment jobs'])

/** Answers even while everything else is down: each part has a few seconds, and a fault is its state. */
export const showHubHealth: OperatorHandler<'showHubHealth'> = async (asked, operator) => {
  const { env, isHead, query } = asked
  const isAsked = query.check === '1' && !isHead
  // A check asks each PSP, so it needs a higher role.
  const lack = isAsked ? lackOf('support', operator, asked) : null
  if (lack) return lack
  const now = Date.now()
  let accounts: AccountHealth[] = []
  let shops: FailingShop[] = []
  let strangers: UnknownAccount[] = []
  const unapplied: SumsByMode = { live: [], test: [] }
  const reservedEndsSoon: SumsByMode = { live: [], test: [] }
  let credentials: Credential[] = []
  let isLost = false
  const [rows, ...parts] = await Promise.all([
    lookAtRows(env),
    ...lookAtParts(env, (lost) => (isLost = lost)),
    lookAt('accounts', async () => {
      accounts = await accountsHealth(env, null)
      strangers = await unknownAccounts(env)
      const due = await dueCredentials(env.DB, now)
      credentials = due.filter(({ kind }) => kind === 'api-key' || hasRole(operator, 'operator'))
      return { message: null }
    }),
    lookAt('reports', async () => {
      const counted = { failingBefore: now - MINUTE, givenUpAfter: now - GIVEN_UP_FOR }
      shops = (await shopsWithAnswer(env, await posIds(env.DB), counted)).map(representShop)
      return { message: null }
    }),
    lookAt('money', async () => {
      const shopsOf = await posByMode(env.DB)
      const read = async (mode: Mode) => {
        const [open, ending] = await Promise.all([
          unappliedSums(env, shopsOf[mode]),
          reservedSums(env, shopsOf[mode], now + RESERVED_FOR),
        ])
        unapplied[mode] = open.map(representSum)
        reservedEndsSoon[mode] = ending.map(representSum)
      }
      await Promise.all(Mode.options.map(read))
      return { message: null }
    }),
  ])
  if (rows.message !== null) parts.push(rows)
  if (isAsked) {
    const check = async () => {
      accounts = await accountsHealth(env, await checkAccounts(env, now))
      return { state: 'working', message: null } as const
    }
    parts.push(await lookAt('account checks', check, CHECKS_DEADLINE))
  }
  const state = isLost ? 'failing' : worstOf(parts, accounts)
  return reply({
    state,
    version: VERSION,
    parts,
    accounts,
    shops,
    unknownAccounts: strangers,
    unapplied,
    reservedEndsSoon,
    credentials,
  })
}

type SumsByMode = HubHealth['unapplied']

function representSum({ currency, amount, payments }: MoneySum): ShownSum {
  return { currency, amount: formatAmount(amount, currency), payments }
}

function worstOf(parts: readonly PartHealth[], accounts: readonly AccountHealth[]): HubHealth['state'] {
  const ill = parts.filter(({ state }) => state === 'failing' || state === 'slow')
  if (ill.some(({ part, state }) => state === 'failing' && NEEDED.has(part))) return 'failing'
  const isAccountIll = accounts.some(
    ({ mode, state }) => mode === 'live' && (state === 'refused' || state === 'unavailable'),
  )
  return ill.length > 0 || isAccountIll ? 'impaired' : 'working'
}

const VARIABLES = [
  ['LOOPBACK_URLS', 'whether addresses may be on this machine: only in the local run'],
  ['HUB_HOSTS', 'host names that lead to the hub'],
  ['RETENTION_DAYS', 'days from the last change of a job to its deletion'],
  ['TIME_ZONE', 'the time zone of the days and months in figures and exports'],
  ['IP_ADDRESS_DAYS', "days from the creation of a job to the erasure of the customer's IP address"],
  ['INDEX_SHARDS', 'the databases that hold the index of jobs'],
  ['ALERT_URL', 'where the hub sends alerts; only its host is shown'],
  ['SECURITY_CONTACT', 'who takes reports of weaknesses, in security.txt'],
  ['JURISDICTION', 'where Cloudflare keeps the objects of jobs'],
  ['ACCESS_TEAM', 'the Cloudflare Access team that lets operators in'],
  ['ACCESS_AUD', 'the Access application'],
  ['ACCESS_ROLES', 'the role of each group'],
] as const satisfies readonly (readonly [name: keyof Env, meaning: string])[]

const SECRETS = [
  ['OPERATOR_TOKEN', 'opens the operator API'],
  ['SIGNING_ROOT', 'what signing secrets are derived from'],
  ['SEALING_KEY', 'seals the credentials of accounts'],
] as const satisfies readonly (readonly [name: keyof Env, meaning: string])[]

export const showSettings: OperatorHandler<'showSettings'> = async ({ env, config }, operator) => {
  const variables = VARIABLES.map(([name, meaning]) => ({
    name,
    meaning,
    value: name === 'ACCESS_ROLES' && !hasRole(operator, 'operator') ? howMany(env) : valueOf(env, name),
  }))
  const secrets = SECRETS.map(([name, meaning]) => ({
    name,
    meaning,
    value: config.weakSecrets.includes(name) ? (env[name] ? 'weak' : 'not set') : 'set',
  }))
  return reply({ version: VERSION, settings: [...variables, ...secrets] })
}

/** Returns a variable's value; of ALERT_URL only the origin, because its path and query may be secret. */
function valueOf(env: Env, name: (typeof VARIABLES)[number][0]): string {
  return name === 'ALERT_URL'
    ? (URL.parse(env.ALERT_URL)?.origin ?? (env.ALERT_URL && 'no URL'))
    : (env[name] ?? '')
}

/** Counts the names in ACCESS_ROLES, for those who may not read them: they may be email addresses. */
function howMany(env: Env): string {
  const roles = readRoleTable(env.ACCESS_ROLES ?? '')
  return roles.ok ? `names: ${roles.value.size}` : 'unreadable'
}

export const listAlerts: OperatorHandler<'listAlerts'> = async ({ env }) =>
  reply({ isOn: Boolean(env.ALERT_URL), alerts: (await alertsOf(env.DB)).map(representAlert) })

function representAlert({ wellSince: _wellSince, since, toldAt, endedAt, ...alert }: Alert): ShownAlert {
  return { ...alert, since: isoTime(since), told: isoTime(toldAt), ended: isoTime(endedAt) }
}

export const testAlert: OperatorHandler<'testAlert'> = async ({ env }) => {
  const now = Date.now()
  const id = crypto.randomUUID()
  const { is, outcome } = await deliverAlert(env, {
    id: `alert_${id}_test`,
    type: 'alert.test',
    alert: id,
    kind: null,
    subject: 'test',
    detail: 'This is a test: nothing is wrong.',
    since: now,
    at: now,
  })
  return changed({ delivered: is === 'delivered', outcome }, { subject: id, after: { outcome } })
}

/** A POST, so that the audit log records who saw the secret. */
export const showAlertSecret: OperatorHandler<'showAlertSecret'> = async ({ env }) =>
  changed({ signingSecret: await alertSecret(env) }, { subject: 'alerts' })
