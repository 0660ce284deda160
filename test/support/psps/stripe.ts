import type { FakePsp, Outcome, SentNotification } from './fake-psp.ts'
import { type Account, answer } from './stripe-api.ts'
import { API_VERSION, type Session, eventJson, idOf } from './stripe-objects.ts'

const accountOf = (name: string): Account => ({
  // Put together here: nothing that looks like a key of Stripe's is to be found in a text of this project.
  credentials: {
    secretKey: ['sk', 'live', `51Fake${name}000000000000000000`].join('_'),
    webhookSecret: ['whsec', `fake${name}0000000000000000000000`].join('_'),
  },
  sessions: new Map(),
  answers: new Map(),
})

/** Stripe's Checkout Sessions, and the events of an account's webhook endpoint. */
export const stripeFake = (): FakePsp => {
  const accounts = [accountOf('One'), accountOf('Two')] as const

  const handle = async (request: Request): Promise<Response> => {
    const { status, body, replayed } = await answer(accounts, request)
    return Response.json(body, {
      status,
      headers: {
        'request-id': idOf('req_'),
        'stripe-version': API_VERSION,
        ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
      },
    })
  }

  const ofJob = (job: string): [Account, Session] => {
    for (const account of accounts) {
      const session = [...account.sessions.values()].find(
        ({ form }) => form.get('client_reference_id') === job,
      )
      if (session) return [account, session]
    }
    throw new Error(`Stripe has no session for ${job}`)
  }

  return {
    origins: ['https://api.stripe.com'],
    accounts: [accounts[0].credentials, accounts[1].credentials],
    handle,
    bring(job, outcome) {
      const [, session] = ofJob(job)
      if (session.status !== 'open') throw new Error(`the session is ${session.status}`)
      Object.assign(session, OUTCOMES[outcome])
    },
    async notify(job, at) {
      const [{ credentials }, session] = ofJob(job)
      const sent = eventsOf(session).map((type) =>
        send(eventJson(type, session, at), at, credentials.webhookSecret),
      )
      return Promise.all(sent)
    },
  }
}

/** A customer who goes to `cancel_url` leaves the session open. One who fails did so with a method that takes days. */
const OUTCOMES: Record<Outcome, Partial<Session>> = {
  paid: { status: 'complete', money: 'paid' },
  failed: { status: 'complete', money: 'failed' },
  cancelled: {},
  expired: { status: 'expired' },
}

const eventsOf = ({ status, money }: Session): string[] => {
  if (status === 'open') return []
  if (status === 'expired') return ['checkout.session.expired']
  return [
    'checkout.session.completed',
    ...(money === 'failed' ? ['checkout.session.async_payment_failed'] : []),
  ]
}

const encoder = new TextEncoder()

const send = async (event: object, at: number, secret: string): Promise<SentNotification> => {
  const body = JSON.stringify(event, null, 2)
  const time = Math.floor(at / 1000)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(`${time}.${body}`)))
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return {
    url: null,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': `t=${time},v1=${hex}`,
    },
    body,
  }
}
