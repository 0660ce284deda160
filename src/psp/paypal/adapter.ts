import { refusedOrder } from '../answer.ts'
import { apiClient } from '../http-client.ts'
import { type Connection, type Psp, defineAdapter } from '../port.ts'
import { announcedIn, checkedIn } from '../reading.ts'
import { urlPart } from '../values.ts'
import { authoriseBy } from './access.ts'
import { callsAbout } from './confirm.ts'
import { instructions } from './instructions.ts'
import { EVENTS, readNotification } from './notification.ts'
import { AT_PAYPAL, ORDERS, announcement, jobIn, pathOf } from './order.ts'
import { moneyOf } from './parts.ts'
import { Credentials, METHODS, RESERVES } from './tables.ts'

/** PayPal's REST API: https://developer.paypal.com/api/rest/requests/ */
const ENDPOINTS = { live: 'https://api-m.paypal.com', test: 'https://api-m.sandbox.paypal.com' }

function open({ fetch, mode, credentials, endpoint = ENDPOINTS[mode] }: Connection<Credentials>): Psp {
  const call = apiClient({
    fetch,
    endpoint,
    authorise: authoriseBy({ fetch, endpoint, credentials }),
    keyHeader: 'paypal-request-id',
  })
  const { webhookId } = credentials

  return {
    async announce(payment, deadline) {
      const amount = moneyOf(payment.amount, payment.currency)
      if (!amount)
        return refusedOrder('refused_amount', `PayPal counts ${payment.currency} without decimals.`)
      const options = { body: announcement(payment, amount), idempotencyKey: payment.job, deadline }
      return announcedIn(AT_PAYPAL, await call('POST', ORDERS, options), payment)
    },
    ...callsAbout(call),
    async jobOf(reference) {
      const answer = await call('GET', pathOf(reference))
      return answer.is === 'answered' ? jobIn(answer.body) : null
    },
    ...instructions(call),
    readNotification: (notification) => readNotification(notification, { webhookId, fetch, call }),
    accepted: 'OK',
    check: async () =>
      checkedIn(AT_PAYPAL, await call('GET', `/v1/notifications/webhooks/${urlPart(webhookId)}`)),
  }
}

export const paypal = defineAdapter({
  name: 'PayPal',
  credentials: Credentials,
  methods: METHODS,
  reserves: RESERVES,
  webhook: `At developer.paypal.com: Apps & Credentials → the app → Add Webhook, with the events ${EVENTS.join(', ')}. Its id is the webhookId of this account.`,
  references: /^[A-Z0-9]{17}$/,
  open,
})
