import { apiClient } from '../../../../src/psp/http-client.ts'
import {
  type Connection,
  type NotificationReading,
  type Psp,
  defineAdapter,
} from '../../../../src/psp/port.ts'
import { BY_STATUS, type PspReading, announcedIn, checkedIn, seenIn } from '../../../../src/psp/reading.ts'
import { Credentials, METHODS, RESERVES } from './tables.ts'

const ENDPOINT = 'https://api.skeleton.example'

/** What is still to be written. The contract tests fail with it. */
function missing(what: string): never {
  throw new Error(`src/psp/skeleton/adapter.ts lacks ${what}`)
}

const AT_SKELETON: PspReading = {
  ...BY_STATUS,
  psp: 'Skeleton',
  patience: { methods: new Map(), otherwise: 14, authorized: 7 },
  read: () => missing('read: the payment that an answer shows, by a table of its words'),
  instructions: {},
  refuse: () => missing('refuse: why the PSP refused, in its own words'),
}

function open({ fetch, endpoint = ENDPOINT, credentials }: Connection<Credentials>): Psp {
  const { apiKey } = credentials
  const account = { headers: { authorization: `Bearer ${apiKey}` }, secret: apiKey }
  const call = apiClient({ fetch, endpoint, authorise: () => account, keyHeader: 'idempotency-key' })
  return {
    async announce(payment, deadline) {
      const body = missing('announce: the path and the body of a new payment')
      const answer = await call('POST', '/payments', { body, idempotencyKey: payment.job, deadline })
      return announcedIn(AT_SKELETON, answer, payment)
    },
    async ask(reference, currency) {
      const path = missing(`ask: the path of the payment ${reference}`)
      return seenIn(AT_SKELETON, await call('GET', path), currency)
    },
    stop: async () => missing('stop: how to end a payment that the customer has not paid'),
    refund: async () => missing('refund'),
    capture: async () => missing('capture'),
    release: async () => missing('release'),
    readNotification,
    accepted: 'OK',
    async check() {
      const path = missing('check: the path of a call that changes nothing')
      return checkedIn(AT_SKELETON, await call('GET', path))
    },
  }
}

export const skeleton = defineAdapter({
  name: 'Skeleton',
  credentials: Credentials,
  methods: METHODS,
  reserves: RESERVES,
  open,
})

async function readNotification(): Promise<NotificationReading> {
  return missing('readNotification: which payments a notification is about, and whether it is signed')
}
