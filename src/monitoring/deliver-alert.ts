import { readConfig } from '../platform/config.ts'
import { signingSecret, webhookHeaders } from '../platform/crypto/signing.ts'
import type { AlertMessage } from './alert-rules.ts'
import type { DeliveryOutcome } from '../job/rules/reporting.ts'
import { refusedUrl } from '../platform/http/public-url.ts'
import { currentRequestId } from '../platform/request-context.ts'
import { post } from '../reports/deliver.ts'

/** The secret that signs alerts, derived as those of shops are: no shop has this id. */
export function alertSecret(env: Env): Promise<string> {
  return signingSecret(env.SIGNING_ROOT, 'alerts', 1)
}

/** POSTs a message to the operator's receiver, signed as Standard Webhooks say. By the same rules as a report: only a 2xx is delivered. */
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
