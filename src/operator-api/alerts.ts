import { json } from '../platform/http/respond.ts'
import { alertSecret, deliverAlert } from '../monitoring/deliver-alert.ts'
import { type ChangeHandler, changed } from './changed.ts'
import { listAlerts } from '../monitoring/alerts.ts'
import type { AlertList, AlertSecret, AlertTested } from './contract/alerts.ts'
import type { OperatorHandler } from './permission.ts'
import { isoTime } from './instant.ts'

/** `GET /operator/v1/alerts`: those that last, newest first, and those that ended last. */
export const showAlerts: OperatorHandler<object> = async (_, { env }) =>
  json({
    isOn: Boolean(env.ALERT_URL),
    alerts: (await listAlerts(env.DB)).map(({ id, kind, subject, detail, since, toldAt, endedAt }) => ({
      id,
      kind,
      subject,
      detail,
      since: new Date(since).toISOString(),
      told: isoTime(toldAt),
      ended: isoTime(endedAt),
    })),
  } satisfies AlertList)

/** `POST /operator/v1/alerts/test`: sends a message at once, and says what the receiver answered. */
export const testAlert: ChangeHandler = async (_, { env }) => {
  const now = Date.now()
  const id = crypto.randomUUID()
  const { is, outcome } = await deliverAlert(env, {
    id: `alert_${id}_test`,
    type: 'alert.test',
    alert: id,
    kind: null,
    subject: 'test',
    detail: 'This is a test: nothing fails.',
    since: now,
    at: now,
  })
  return changed(json({ delivered: is === 'delivered', outcome } satisfies AlertTested), {
    subject: id,
    before: null,
    after: { outcome },
  })
}

/** `POST /operator/v1/alerts/secret`: the secret that the receiver checks alerts with. A POST, for the audit log has who saw it. */
export const showAlertSecret: ChangeHandler = async (_, { env }) =>
  changed(json({ signingSecret: await alertSecret(env) } satisfies AlertSecret), {
    subject: 'alerts',
    before: null,
    after: null,
  })
