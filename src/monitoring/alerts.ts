import { desc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { DAY } from '../contract/timestamp.ts'
import { readConfig } from '../platform/config.ts'
import { signingSecret, webhookHeaders } from '../platform/crypto/signing.ts'
import { refusedUrl } from '../platform/http/public-url.ts'
import { log } from '../platform/log.ts'
import { readMessage } from '../platform/read-message.ts'
import { inRequest, currentRequestId } from '../platform/request-context.ts'
import { alerts } from '../registry/schema.ts'
import { type DeliveryOutcome, post } from '../reports/deliver.ts'
import {
  type Alert,
  type AlertMessage,
  alertMessage,
  type AlertKind,
  GIVEN_UP_FOR,
  OWED_FOR,
  type Trouble,
  accountTrouble,
  decideAlerts,
  messageDue,
  shopTrouble,
} from './alert-rules.ts'
import { waitingJobs } from '../job-index/not-well.ts'
import { type CheckedAccount, checkAccounts } from './check-accounts.ts'
import { lostRegistry } from './hub-parts.ts'
import { shopsOwed } from './failing-shops.ts'

const MOST_ENDED = 100

/** Writes what was decided, all or nothing. Another run may have begun the same alert. */
async function writeAlerts(
  database: D1Database,
  begun: readonly Alert[],
  changed: readonly Alert[],
): Promise<void> {
  const db = drizzle(database)
  const [first, ...others] = [
    ...begun.map((alert) => db.insert(alerts).values(alert).onConflictDoNothing()),
    ...changed.map(({ id, wellSince, endedAt }) =>
      db.update(alerts).set({ wellSince, endedAt }).where(eq(alerts.id, id)),
    ),
  ]
  if (first) await db.batch([first, ...others])
}

async function recentAlerts(database: D1Database, now: number): Promise<Alert[]> {
  return drizzle(database)
    .select()
    .from(alerts)
    .where(or(isNull(alerts.endedAt), gt(alerts.endedAt, now - DAY)))
}

async function markTold(database: D1Database, id: string, now: number): Promise<void> {
  await drizzle(database).update(alerts).set({ toldAt: now }).where(eq(alerts.id, id))
}

export async function listAlerts(database: D1Database): Promise<Alert[]> {
  const db = drizzle(database)
  const [open, ended] = await db.batch([
    db.select().from(alerts).where(isNull(alerts.endedAt)).orderBy(desc(alerts.since)),
    db.select().from(alerts).where(isNotNull(alerts.endedAt)).orderBy(desc(alerts.endedAt)).limit(MOST_ENDED),
  ])
  return [...open, ...ended]
}

const LONGEST_DELAY = 3600

/** The `alerts` queue: sends each message until the operator's receiver takes it. */
export async function consumeAlerts(batch: MessageBatch, env: Env): Promise<void> {
  await Promise.all(batch.messages.map((message) => inRequest(() => deliver(env, batch.queue, message))))
}

async function deliver(env: Env, queue: string, message: Message): Promise<void> {
  const body = readMessage(queue, alertMessage, message)
  if (body === null) return
  const { is, outcome } = await deliverAlert(env, body)
  if (is === 'delivered') return message.ack()
  log.warn('alert.not-delivered', { alert: body.alert, message: body.id, outcome })
  // A 410 wants no more of it, and an ALERT_URL that is none now was changed since.
  if (is === 'stopped') return message.ack()
  message.retry({ delaySeconds: Math.min(30 * 2 ** (message.attempts - 1), LONGEST_DELAY) })
}

/** The secret that signs alerts, derived as those of shops are: no shop has this id. */
export function alertSecret(env: Env): Promise<string> {
  return signingSecret(env.SIGNING_ROOT, 'alerts', 1)
}

/** POSTs a message to the operator's receiver, signed as Standard Webhooks say. */
export async function deliverAlert(env: Env, message: AlertMessage): Promise<DeliveryOutcome> {
  const { hosts, loopback } = readConfig(env)
  const refused = refusedUrl(env.ALERT_URL, { own: hosts, loopback })
  if (refused) return { is: 'stopped', outcome: `ALERT_URL ${refused}` }
  const { id, type, alert, kind, subject, detail, since, at } = message
  const body = JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    data: { alert, kind, subject, detail, since: new Date(since).toISOString() },
  })
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'payment-hub',
    'x-request-id': currentRequestId(),
    ...(await webhookHeaders([await alertSecret(env)], id, Math.floor(Date.now() / 1000), body)),
  }
  return post(env.ALERT_URL, { headers, body })
}

/** Tells the operator which accounts and shops fail. What it does not get to, the next run does. */
export async function watchAll(env: Env, now: number): Promise<void> {
  const [shops, accounts, hub] = await Promise.all([
    unlessFaulty('shops', () => shopTroubles(env, now)),
    unlessFaulty('accounts', () => accountTroubles(env, now)),
    unlessFaulty('registry', () => registryTroubles(env)),
  ])
  const found = { 'shop-failing': shops, 'account-failing': accounts, 'hub-failing': hub }
  await unlessFaulty('alerts', () => tellOf(env, found, now))
}

async function unlessFaulty<Seen>(part: string, look: () => Promise<Seen>): Promise<Seen | null> {
  try {
    return await look()
  } catch (error) {
    log.fault('watch.failed', error, { part })
    return null
  }
}

async function registryTroubles(env: Env): Promise<Trouble[]> {
  const detail = await lostRegistry(env)
  return detail === null ? [] : [{ kind: 'hub-failing', subject: 'registry', detail }]
}

async function shopTroubles(env: Env, now: number): Promise<Trouble[]> {
  const counted = { owedBefore: now - OWED_FOR, givenUpAfter: now - GIVEN_UP_FOR }
  return (await shopsOwed(env, null, counted)).flatMap((shop) => shopTrouble(shop) ?? [])
}

async function accountTroubles(env: Env, now: number): Promise<Trouble[]> {
  const [checked, waiting] = await Promise.all([checkAccounts(env, now), waitingJobs(env)])
  const checks = new Map(checked.map((check) => [check.account, check]))
  const waits = new Map(waiting.map((jobs) => [jobs.account, jobs]))
  return [...new Set([...checks.keys(), ...waits.keys()])].flatMap((account) => {
    const { state, message, failedBefore } = checks.get(account) ?? UNCHECKED
    const jobs = waits.get(account)
    const oldest = jobs ? jobs.oldest / 1000 : null
    const standing = { account, state, message, failedBefore, waiting: jobs?.waiting ?? 0, oldest }
    return accountTrouble(standing, now) ?? []
  })
}

/** The sandbox, and what was removed, has no check. */
const UNCHECKED: Pick<CheckedAccount, 'message' | 'failedBefore'> & { state: 'unknown' } = {
  state: 'unknown',
  message: null,
  failedBefore: false,
}

type Found = Readonly<Record<AlertKind, Trouble[] | null>>

/** Writes what begins and ends, then sends by what is written: a cut-off run loses nothing. */
async function tellOf(env: Env, found: Found, now: number): Promise<void> {
  const troubles = Object.values(found).flatMap((all) => all ?? [])
  const isKnown = (kind: AlertKind): boolean => found[kind] !== null
  const open = (await recentAlerts(env.DB, now)).filter(({ endedAt }) => endedAt === null)
  const { begun, changed } = decideAlerts(open, troubles, isKnown, now, () => crypto.randomUUID())
  await writeAlerts(env.DB, begun, changed)
  for (const { id, kind, subject } of begun) log.warn('alert.begun', { alert: id, kind, subject })
  for (const { id, kind, subject, endedAt } of changed)
    if (endedAt !== null) log.info('alert.ended', { alert: id, kind, subject })
  // Without an ALERT_URL nobody is told; what is open once there is one is told then.
  if (!env.ALERT_URL) return
  const due = (await recentAlerts(env.DB, now)).flatMap((alert) => messageDue(alert, now) ?? [])
  await Promise.all(due.slice(0, MOST_TOLD).map((message) => tell(env, message, now)))
}

/** Messages that one run sends: each is two calls, and a run may make only so many. */
const MOST_TOLD = 100

async function tell(env: Env, message: AlertMessage, now: number): Promise<void> {
  try {
    await env.ALERTS.send(alertMessage.write(message))
  } catch (error) {
    return log.fault('queue.send-failed', error)
  }
  await markTold(env.DB, message.alert, now)
}
