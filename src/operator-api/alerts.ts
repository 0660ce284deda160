import { alertSecret, deliverAlert, listAlerts } from '../monitoring/alerts.ts'
import { type OperatorHandler, changed } from './handler.ts'
import { reply } from '../platform/http/operations.ts'
import { isoTime } from '../contract/timestamp.ts'

/** `GET /operator/v1/alerts`: those that last, newest first, and those that ended last. */
export const showAlerts: OperatorHandler<'listAlerts'> = async ({ env }) =>
  reply({
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
  })

/**
 * `POST /operator/v1/alerts/test`: sends a message at once, and says what the receiver answered.
 */
export const testAlert: OperatorHandler<'testAlert'> = async ({ env }) => {
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
  return changed(
    { delivered: is === 'delivered', outcome },
    {
      subject: id,
      before: null,
      after: { outcome },
    },
  )
}

/**
 * `POST /operator/v1/alerts/secret`: the secret that the receiver checks alerts with. A POST, for
 * the audit log has who saw it.
 */
export const showAlertSecret: OperatorHandler<'showAlertSecret'> = async ({ env }) =>
  changed(
    { signingSecret: await alertSecret(env) },
    {
      subject: 'alerts',
      before: null,
      after: null,
    },
  )
