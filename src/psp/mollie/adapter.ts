import { type Call, apiClient } from '../http-client.ts'
import {
  type Connection,
  type Notification,
  type NotificationReading,
  type Psp,
  defineAdapter,
} from '../port.ts'
import { announcedIn, checkedIn } from '../reading.ts'
import { instructions } from './instructions.ts'
import { AT_MOLLIE, announcement, callsAbout, jobIn, keyOf, pathOf } from './payment.ts'
import { mollieSettlements } from './settlements.ts'
import { TERMINALS, terminals } from './terminal.ts'
import { Credentials, LIMITS, METHODS, RESERVES, UNSUPPORTED, modeOf } from './tables.ts'

/** Mollie's Payments API v2: https://docs.mollie.com/reference/payments-api */
const ENDPOINT = 'https://api.mollie.com/v2'

function open({ fetch, endpoint = ENDPOINT, credentials }: Connection<Credentials>): Psp {
  const callAs = (secret: string): Call => {
    const account = { headers: { authorization: `Bearer ${secret}` }, secret }
    return apiClient({ fetch, endpoint, authorise: () => account, keyHeader: 'idempotency-key' })
  }
  const { apiKey, organisationToken } = credentials
  const call = callAs(apiKey)
  const about = callsAbout(call, AT_MOLLIE)

  return {
    async announce(payment, deadline) {
      const options = { body: announcement(payment), idempotencyKey: keyOf(payment.job), deadline }
      return announcedIn(AT_MOLLIE, await call('POST', '/payments', options), payment)
    },
    ...about,
    terminals: terminals(call),
    async jobOf(reference) {
      const answer = await call('GET', pathOf(reference))
      return answer.is === 'answered' ? jobIn(answer.body) : null
    },
    ...instructions(call, about.ask),
    readNotification,
    accepted: 'OK',
    ...(organisationToken === undefined ? {} : { payouts: mollieSettlements(callAs(organisationToken)) }),
    check: async () => checkedIn(AT_MOLLIE, await call('GET', '/methods')),
  }
}

export const mollie = defineAdapter({
  name: 'Mollie',
  credentials: Credentials,
  methods: METHODS,
  unsupported: UNSUPPORTED,
  limits: LIMITS,
  reserves: RESERVES,
  references: /^tr_\w+$/,
  settlesParts: true,
  terminals: TERMINALS,
  modeOf,
  open,
})

/**
 * Reads a notification: a form with only the payment's id, which Mollie does not sign. The job is in the
 * address that the hub sent with the payment: https://docs.mollie.com/reference/webhooks
 */
export async function readNotification({ job, body }: Notification): Promise<NotificationReading> {
  const reference = new URLSearchParams(body).get('id')
  const payments = job && reference ? [{ job, reference, claimedStatus: null }] : []
  return { is: 'about', payments, unsigned: true }
}
