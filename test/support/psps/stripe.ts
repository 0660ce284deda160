import type { FakePsp, Outcome, SentNotification } from './fake-psp.ts'
import { type Account, answer } from './stripe-api.ts'
import { type RefundStatus, disputeJson } from './stripe-money-back.ts'
import {
  API_VERSION,
  type Session,
  chargeJson,
  endReservation,
  eventJson,
  idOf,
  intentJson,
  isManual,
  refundJson,
  reserve,
  sessionJson,
} from './stripe-objects.ts'
import { capture } from './stripe-reserved.ts'
import type { Form } from './stripe-parameters.ts'
import { type Reader, newReader, present, readerJson } from './stripe-terminal.ts'

export const JOB_OF_INTENT = 'payment_intent_data[metadata][payment_job]'

function accountOf(name: string): Account {
  return {
    // Joined here, so that no text in this project looks like a key of Stripe.
    credentials: {
      secretKey: ['sk', 'live', `51Fake${name}000000000000000000`].join('_'),
      webhookSecret: ['whsec', `fake${name}0000000000000000000000`].join('_'),
    },
    sessions: new Map(),
    readers: new Map(),
    answers: new Map(),
  }
}

/**
 * Events at Stripe other than the end of a payment. Each function returns Stripe's notifications about it.
 */
export type StripeFake = FakePsp & {
  /**
   * The customer's money is now in this state. `multicapture`: reserved on a card that allows several
   * captures.
   */
  setMoney: (job: string, money: 'underway' | 'reserved' | 'multicapture' | 'paid' | 'failed') => void
  /** The shop captures a part of reserved money in Stripe's dashboard, or releases all of it. */
  captureThere: (job: string, amount: number, isFinal: boolean, at: number) => Promise<SentNotification[]>
  releaseThere: (job: string, at: number) => Promise<SentNotification[]>
  /** Gives the payment's refunds a final status. Stripe sends an event for each. */
  endRefunds: (job: string, status: RefundStatus, at: number) => Promise<SentNotification[]>
  /** The customer's bank disputes an amount, or the existing dispute changes its status. */
  dispute: (
    job: string,
    dispute: { amount: number; status: string; isWithdrawn: boolean },
    at: number,
  ) => Promise<SentNotification[]>
  /** All sessions, in order of creation. */
  sessions: () => Session[]
  madeWith: (key: string) => string | null
  /** Adds a reader to an account, by default the first. */
  addReader: (changes?: Partial<Reader>, nth?: 0 | 1) => Reader
  /** A customer presents a card at a reader, like Stripe's test helper of that name. */
  present: (reader: Reader, form: Form) => void
  /** The payment intents at terminals. */
  intents: () => { id: string; status: string }[]
  /**
   * An event about a reader, or about the current state of a job's payment intent. `at` (ms): when Stripe
   * signs it.
   */
  tellReader: (reader: Reader, type: string, at: number) => Promise<SentNotification>
  tellIntent: (job: string, type: string, at: number) => Promise<SentNotification>
  /** Stripe drops idempotency keys after a day. */
  forgetKeys: () => void
  /**
   * All events about the current state of a session, its refunds and disputes. `at` (ms): when Stripe signs
   * them.
   */
  tell: (id: string, at: number) => Promise<SentNotification[]>
}

/** Stripe's Checkout Sessions, refunds, disputes, and the events of an account's webhook endpoint. */
export function stripeFake(): StripeFake {
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
        ({ form }) => (form.get('client_reference_id') ?? form.get(JOB_OF_INTENT)) === job,
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
      if (outcome === 'paid' && isManual(session)) reserve(session, false)
      else Object.assign(session, OUTCOMES[outcome])
    },
    async notify(job, at) {
      const [{ credentials }, session] = ofJob(job)
      return Promise.all(eventsOf(session, at).map((event) => send(event, at, credentials.webhookSecret)))
    },
    setMoney(job, money) {
      const [, session] = ofJob(job)
      if (money === 'reserved' || money === 'multicapture') reserve(session, money === 'multicapture')
      else Object.assign(session, { status: 'complete', money })
    },
    async captureThere(job, amount, isFinal, at) {
      const [{ credentials }, session] = ofJob(job)
      capture(
        session,
        new Map([
          ['amount_to_capture', String(amount)],
          ['final_capture', String(isFinal)],
        ]),
      )
      const events = [
        eventJson('payment_intent.amount_capturable_updated', intentJson(session), at),
        ...(isFinal ? [eventJson('charge.captured', chargeJson(session), at)] : []),
      ]
      return Promise.all(events.map((event) => send(event, at, credentials.webhookSecret)))
    },
    async releaseThere(job, at) {
      const [{ credentials }, session] = ofJob(job)
      endReservation(session, 'requested_by_customer')
      return [
        await send(
          eventJson('payment_intent.canceled', intentJson(session), at),
          at,
          credentials.webhookSecret,
        ),
      ]
    },
    async endRefunds(job, status, at) {
      const [{ credentials }, session] = ofJob(job)
      for (const refund of session.refunds) refund.status = status
      const events = [
        eventJson('charge.refunded', chargeJson(session), at),
        ...session.refunds.flatMap((refund) => {
          const type = status === 'failed' ? 'refund.failed' : 'refund.updated'
          return [eventJson(type, refundJson(session, refund), at)]
        }),
      ]
      return Promise.all(events.map((event) => send(event, at, credentials.webhookSecret)))
    },
    async dispute(job, told, at) {
      const [{ credentials }, session] = ofJob(job)
      const dispute = { id: session.disputes[0]?.id ?? idOf('du_1'), ...told }
      const isNew = session.disputes.length === 0
      session.disputes = [dispute]
      const type = isNew ? 'charge.dispute.created' : 'charge.dispute.closed'
      return [await send(eventJson(type, disputeJson(session, dispute), at), at, credentials.webhookSecret)]
    },
    sessions: () => accounts.flatMap(({ sessions }) => [...sessions.values()]),
    madeWith(key) {
      const given = accounts.map(({ answers }) => answers.get(key)).find((answered) => answered !== undefined)
      return given && 'id' in given.answer.body ? String(given.answer.body.id) : null
    },
    addReader(changes, nth = 0) {
      const reader = newReader(changes)
      accounts[nth].readers.set(reader.id, reader)
      return reader
    },
    present(reader, form) {
      const account = accounts.find(({ readers }) => readers.get(reader.id) === reader)
      if (account) present(account, reader, form)
    },
    intents: () =>
      accounts
        .flatMap(({ sessions }) => [...sessions.values()])
        .filter(({ terminal }) => terminal !== undefined)
        .map((session) => intentJson(session)),
    tellReader: (reader, type, at) =>
      send(eventJson(type, readerJson(reader), at), at, accounts[0].credentials.webhookSecret),
    tellIntent(job, type, at) {
      const [{ credentials }, session] = ofJob(job)
      return send(eventJson(type, intentJson(session), at), at, credentials.webhookSecret)
    },
    forgetKeys() {
      for (const { answers } of accounts) answers.clear()
    },
    async tell(id, at) {
      const account = accounts.find(({ sessions }) => sessions.has(id))
      const session = account?.sessions.get(id)
      if (!account || !session) throw new Error(`Stripe has no session ${id}`)
      const events = [
        ...(session.terminal ? intentEventsOf(session, at) : eventsOf(session, at)),
        ...(session.refunds.length > 0 ? [eventJson('charge.refunded', chargeJson(session), at)] : []),
        ...session.disputes.map((held) =>
          eventJson('charge.dispute.updated', disputeJson(session, held), at),
        ),
      ]
      return Promise.all(events.map((event) => send(event, at, account.credentials.webhookSecret)))
    },
  }
}

/**
 * A customer who goes to `cancel_url` leaves the session open. A customer who fails did so with a method that
 * takes days.
 */
const OUTCOMES: Record<Outcome, Partial<Session>> = {
  paid: { status: 'complete', money: 'paid' },
  failed: { status: 'complete', money: 'failed' },
  cancelled: {},
  expired: { status: 'expired' },
}

function eventsOf(session: Session, at: number): object[] {
  const { status, money } = session
  const ofSession = (type: string) => eventJson(type, sessionJson(session), at)
  if (status === 'open') return []
  if (status === 'expired') return [ofSession('checkout.session.expired')]
  const ofReservation = {
    reserved: 'payment_intent.amount_capturable_updated',
    released: 'payment_intent.canceled',
  }
  return [
    ofSession('checkout.session.completed'),
    ...(money === 'failed' ? [ofSession('checkout.session.async_payment_failed')] : []),
    ...(money === 'reserved' || money === 'released'
      ? [eventJson(ofReservation[money], intentJson(session), at)]
      : []),
  ]
}

const INTENT_EVENTS: Partial<Record<Session['money'], string>> = {
  paid: 'succeeded',
  failed: 'payment_failed',
  released: 'canceled',
}

/** Stripe's events about a payment intent at a terminal. */
function intentEventsOf(session: Session, at: number): object[] {
  const type = INTENT_EVENTS[session.money]
  return type ? [eventJson(`payment_intent.${type}`, intentJson(session), at)] : []
}

const encoder = new TextEncoder()

async function send(event: object, at: number, secret: string): Promise<SentNotification> {
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
