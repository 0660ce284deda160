import { desc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { DAY, isoTime } from '../contract/timestamp.ts'
import { readConfig } from '../platform/config.ts'
import { signingSecret, webhookHeaders } from '../platform/crypto/signing.ts'
import { refusedUrl } from '../platform/http/public-url.ts'
import { log } from '../platform/log.ts'
import { readMessage } from '../platform/queues.ts'
import { inRequest, currentRequestId } from '../platform/request-context.ts'
import { alerts } from './schema.ts'
import { type DeliveryOutcome, post } from '../reports/deliver.ts'
import { type Alert, type AlertMessage, alertMessage } from './alert-rules.ts'

const MOST_ENDED = 100

/** Writes all changes or none. Skips an alert that another run has begun meanwhile. */
export async function writeAlerts(
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

export async function recentAlerts(database: D1Database, now: number): Promise<Alert[]> {
  return drizzle(database)
    .select()
    .from(alerts)
    .where(or(isNull(alerts.endedAt), gt(alerts.endedAt, now - DAY)))
}

export async function markSent(database: D1Database, id: string, now: number): Promise<void> {
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

/** Consumes the `alerts` queue: retries each message until the operator's receiver takes it. */
export async function consumeAlerts(batch: MessageBatch, env: Env): Promise<void> {
  await Promise.all(batch.messages.map((message) => inRequest(() => deliver(env, batch.queue, message))))
}

async function deliver(env: Env, queue: string, message: Message): Promise<void> {
  const body = readMessage(queue, alertMessage, message)
  if (body === null) return
  const { is, outcome } = await deliverAlert(env, body)
  if (is === 'delivered') return message.ack()
  log.warn('alert.not-delivered', { alert: body.alert, message: body.id, outcome })
  // No retry after a 410, nor while ALERT_URL is invalid.
  if (is === 'stopped') return message.ack()
  message.retry({ delaySeconds: Math.min(30 * 2 ** (message.attempts - 1), LONGEST_DELAY) })
}

/** Returns the secret that signs alerts, derived as for a shop with the id `alerts`, which no shop has. */
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
    timestamp: isoTime(at),
    data: { alert, kind, subject, detail, since: isoTime(since) },
  })
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'payment-hub',
    'x-request-id': currentRequestId(),
    ...(await webhookHeaders([await alertSecret(env)], id, Math.floor(Date.now() / 1000), body)),
  }
  return post(env.ALERT_URL, { headers, body })
}
