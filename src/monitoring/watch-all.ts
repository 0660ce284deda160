import {
  type AlertMessage,
  GIVEN_UP_FOR,
  FAILING_FOR,
  type Trouble,
  accountTrouble,
  alertMessage,
  backupTrouble,
  decideAlerts,
  inMode,
  indexTrouble,
  messageDue,
  RESERVED_FOR,
  moneyTrouble,
  reservationTrouble,
  shopTrouble,
} from './alert-rules.ts'
import type { AlertKind } from '../contract/hub-health.ts'
import { log } from '../platform/log.ts'
import { markSent, recentAlerts, writeAlerts } from './alerts.ts'
import { findJobs } from '../job-index/find-jobs.ts'
import { jobsByTime } from '../job-index/job-index.ts'
import { posByMode, posIds } from '../registry/points-of-sale.ts'
import { unlistedMode } from '../registry/profile.ts'
import { wrongDays } from '../job-index/nightly-check.ts'
import { waitingJobs } from '../job-index/not-well.ts'
import { checkAccounts } from './check-accounts.ts'
import { backupAge, backupBucket } from '../backup/bucket.ts'
import { lostRegistry } from '../registry/lost-registry.ts'
import { shopsWithAnswer } from './failing-shops.ts'
import { terminalsOff } from './terminals-off.ts'

/** Alerts the operator to all troubles. The next run does what this one cannot. */
export async function watchAll(env: Env, now: number): Promise<void> {
  const [shops, accounts, hub, money, reserved, terminals] = await Promise.all([
    unlessFaulty('shops', () => shopTroubles(env, now)),
    unlessFaulty('accounts', () => accountTroubles(env, now)),
    unlessFaulty('registry', () => hubTroubles(env, now)),
    unlessFaulty('money', () => moneyTroubles(env)),
    unlessFaulty('money', () => reservationTroubles(env, now)),
    unlessFaulty('terminals', () => terminalsOff(env, now)),
  ])
  const found = {
    'shop-failing': shops,
    'account-failing': accounts,
    'hub-failing': hub,
    'money-unapplied': money,
    'reservation-ending': reserved,
    'terminal-off': terminals,
  }
  await unlessFaulty('alerts', () => updateAlerts(env, found, now))
}

async function unlessFaulty<Seen>(part: string, look: () => Promise<Seen>): Promise<Seen | null> {
  try {
    return await look()
  } catch (error) {
    log.fault('watch.failed', error, { part })
    return null
  }
}

async function hubTroubles(env: Env, now: number): Promise<Trouble[]> {
  const bucket = backupBucket(env)
  const [lost, wrong, backup] = await Promise.all([
    lostRegistry(env),
    wrongDays(env.DB),
    bucket ? backupAge(bucket, now) : null,
  ])
  const registry = lost && { kind: 'hub-failing' as const, subject: 'registry', detail: lost.message }
  const troubles = [registry, indexTrouble(wrong), backup && backupTrouble(backup)]
  return troubles.filter((trouble) => trouble !== null)
}

async function shopTroubles(env: Env, now: number): Promise<Trouble[]> {
  const counted = { failingBefore: now - FAILING_FOR, givenUpAfter: now - GIVEN_UP_FOR }
  const shops = await shopsWithAnswer(env, await posIds(env.DB), counted)
  return shops.flatMap((shop) => inMode(shop.mode, shopTrouble(shop)))
}

/**
 * The most payments that a look finds of a kind: the newest of those with money that pays no order, and
 * of those with reserved money the ones that end next. If there are more, no alert of the kind ends.
 */
const MOST_PAYMENTS = 50
const OF_PAYMENTS: ReadonlySet<AlertKind> = new Set(['money-unapplied', 'reservation-ending'])

async function moneyTroubles(env: Env): Promise<Trouble[]> {
  const { live } = await posByMode(env.DB)
  const filter = { figures: ['unapplied'] as const }
  const search = { keys: [], pos: null, among: live, filter, after: null }
  const { rows } = await findJobs(env, { ...search, ...ALWAYS, limit: MOST_PAYMENTS })
  return rows.map(moneyTrouble)
}
const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER }

async function reservationTroubles(env: Env, now: number): Promise<Trouble[]> {
  const { live } = await posByMode(env.DB)
  const wanted = { from: 0, to: now + RESERVED_FOR, limit: MOST_PAYMENTS, among: live }
  return (await jobsByTime(env, 'captureBefore', wanted)).map(reservationTrouble)
}

async function accountTroubles(env: Env, now: number): Promise<Trouble[]> {
  const [checked, waiting] = await Promise.all([checkAccounts(env, now), waitingJobs(env)])
  const checks = new Map(checked.map((check) => [check.account, check]))
  const waits = new Map(waiting.map((jobs) => [jobs.account, jobs]))
  return [...new Set([...checks.keys(), ...waits.keys()])].flatMap((account) => {
    const { state, message, failedBefore, mode } = checks.get(account) ?? unchecked(account)
    const jobs = waits.get(account)
    const oldest = jobs ? jobs.oldest / 1000 : null
    const standing = { account, state, message, failedBefore, waiting: jobs?.waiting ?? 0, oldest }
    return inMode(mode, accountTrouble(standing, now))
  })
}

/** Stands in for the check that the sandbox and removed accounts do not have. */
function unchecked(account: string) {
  return { state: 'unknown' as const, message: null, failedBefore: false, mode: unlistedMode(account) }
}

type TroublesByKind = Readonly<Record<AlertKind, Trouble[] | null>>

/** Writes which alerts begin and end before it sends their messages, so a run that is cut off loses none. */
async function updateAlerts(env: Env, found: TroublesByKind, now: number): Promise<void> {
  const troubles = Object.values(found).flatMap((all) => all ?? [])
  const isKnown = (kind: AlertKind): boolean =>
    found[kind] !== null && !(OF_PAYMENTS.has(kind) && found[kind].length >= MOST_PAYMENTS)
  const open = (await recentAlerts(env.DB, now)).filter(({ endedAt }) => endedAt === null)
  const { begun, changed } = decideAlerts(open, troubles, isKnown, now, () => crypto.randomUUID())
  await writeAlerts(env.DB, begun, changed)
  for (const { id, kind, subject } of begun) log.warn('alert.begun', { alert: id, kind, subject })
  for (const { id, kind, subject, endedAt } of changed)
    if (endedAt !== null) log.info('alert.ended', { alert: id, kind, subject })
  // Without an ALERT_URL the hub sends nothing; once there is one, it sends the open alerts.
  if (!env.ALERT_URL) return
  const due = (await recentAlerts(env.DB, now)).flatMap((alert) => messageDue(alert, now) ?? [])
  await Promise.all(due.slice(0, MOST_SENT).map((message) => send(env, message, now)))
}

/** The most messages of one run: each takes two calls, and Cloudflare limits the calls of a run. */
const MOST_SENT = 100

async function send(env: Env, message: AlertMessage, now: number): Promise<void> {
  try {
    await env.ALERTS.send(alertMessage.write(message))
  } catch (error) {
    return log.fault('queue.send-failed', error)
  }
  await markSent(env.DB, message.alert, now)
}
