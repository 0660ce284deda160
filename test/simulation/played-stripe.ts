import { PATIENCE } from '../../src/psp/stripe/tables.ts'
import type { Refund } from '../support/psps/stripe-money-back.ts'
import {
  type Session,
  capturableOf,
  endReservation,
  idOf,
  isManual,
  lapse,
  receivedOf,
  reserve,
  sessionJson,
  totalOf,
} from '../support/psps/stripe-objects.ts'
import { capture } from '../support/psps/stripe-reserved.ts'
import { JOB_OF_INTENT, type StripeFake, stripeFake } from '../support/psps/stripe.ts'
import {
  type RequestKind,
  type HeldPayment,
  type HeldMove,
  type Nth,
  type PlayedAccount,
  type PspStatus,
  type Reservation,
  accountName,
  pathOf,
} from './played-psp.ts'
import { type PlayedReader, atReader, newPlayedReader, passTimeAt } from './stripe-readers.ts'

const DAY = 86_400_000

function heldRefund(made: Refund): HeldMove {
  return {
    id: made.id,
    amount: made.amount,
    hubId: made.metadata['refund'] ?? null,
    get state() {
      return made.status === 'succeeded'
        ? 'done'
        : made.status === 'failed' || made.status === 'canceled'
          ? 'failed'
          : 'pending'
    },
    set state(state) {
      made.status = state === 'done' ? 'succeeded' : state
    },
  }
}

const STATUS = {
  underway: 'pending',
  reserved: 'authorized',
  paid: 'paid',
  failed: 'failed',
  released: 'canceled',
} as const

/** The status and money of a session, by the status of its payment. */
const BECOMES: Record<Exclude<PspStatus, 'authorized'>, Pick<Session, 'status' | 'money'>> = {
  open: { status: 'open', money: 'none' },
  pending: { status: 'complete', money: 'underway' },
  paid: { status: 'complete', money: 'paid' },
  failed: { status: 'complete', money: 'failed' },
  canceled: { status: 'expired', money: 'none' },
  expired: { status: 'expired', money: 'none' },
}

/** Stripe lists no captures: `captured` notes each one. */
type HeldStripe = HeldPayment & { captured: (amount: number, hubId: string | null) => void }

function reservationOf(session: Session): Reservation | null {
  if (session.reservedAt === undefined) return null
  const [authorized, captured] = [totalOf(session.form), receivedOf(session)]
  return { authorized, captured, released: authorized - captured - capturableOf(session) }
}

/** `nth`: every other card allows several captures. */
function heldPayment(
  stripe: StripeFake,
  made: Session,
  nth: number,
  readers: readonly PlayedReader[],
): HeldStripe {
  const at = made.terminal ? atReader(stripe, made, readers) : null
  const captures: HeldMove[] = []
  const captured = (amount: number, hubId: string | null): void => {
    if (amount > 0) captures.push({ id: `capture-${captures.length}`, amount, hubId, state: 'done' })
  }
  return {
    captured,
    id: made.id,
    job: made.form.get('client_reference_id') ?? made.form.get(JOB_OF_INTENT) ?? '',
    get amount() {
      return totalOf(made.form)
    },
    method: made.form.get('allowed_payment_method_types[0]') ?? null,
    checkoutUrl: sessionJson({ ...made, status: 'open' }).url ?? '',
    expiresAt: at ? null : made.created * 1000 + DAY,
    get mayComeLate() {
      // Until the intent is cancelled, a reader may process it again.
      return at !== null && made.money === 'failed'
    },
    endsWhenCancelled: false,
    get status() {
      if (made.money !== 'none') return STATUS[made.money]
      if (at?.isCalledOff()) return 'canceled'
      return made.status === 'expired' ? 'expired' : 'open'
    },
    set status(status) {
      if (at) at.become(status)
      else if (status === 'authorized') reserve(made, nth % 2 === 1)
      else Object.assign(made, BECOMES[status])
    },
    isManual: isManual(made),
    get reservation() {
      return reservationOf(made)
    },
    captures,
    captureByHand(amount, isFinal) {
      const form = {
        amount_to_capture: String(amount),
        final_capture: String(isFinal || !made.isMulticapture),
      }
      capture(made, new Map(Object.entries(form)))
      captured(amount, null)
    },
    letGo: () => endReservation(made, 'requested_by_customer'),
    lapse: () => lapse(made, Date.now()),
    get chargedBack() {
      return made.disputes.reduce((sum, { amount, isWithdrawn }) => sum + (isWithdrawn ? amount : 0), 0)
    },
    set chargedBack(amount) {
      const [first] = made.disputes
      const id = first?.id ?? idOf('du_1')
      made.disputes = [
        amount > 0
          ? { id, amount, status: 'needs_response', isWithdrawn: true }
          : { id, amount: first?.amount ?? 0, status: 'won', isWithdrawn: false },
      ]
    },
    get refunds() {
      return made.refunds.map(heldRefund)
    },
    refundByHand(amount) {
      const refund: Refund = { id: idOf('re_3'), amount, status: 'pending', metadata: {} }
      made.refunds.push(refund)
      return heldRefund(refund)
    },
    atTerminal: at?.terminal ?? null,
    returnPath: (hasCancelled) => pathOf(made.form.get(hasCancelled ? 'cancel_url' : 'success_url')),
  }
}

/** An account at Stripe for the simulation. */
export function playedStripe(nth: Nth): PlayedAccount {
  const stripe = stripeFake()
  const account = stripe.accounts[nth]
  const secretKeyOf = (key: number) =>
    ('secretKey' in account ? String(account.secretKey) : '') + 'x'.repeat(key)
  const held: HeldStripe[] = []
  const readers: PlayedReader[] = []
  const sessions = new Map<string, Session>()
  const all = () => {
    for (const made of stripe.sessions().slice(held.length)) {
      sessions.set(made.id, made)
      held.push(heldPayment(stripe, made, held.length, readers))
    }
    return held
  }
  const heldOf = async (request: Request, path: readonly string[]): Promise<HeldStripe | null> => {
    const key = request.headers.get('idempotency-key')
    const [, resource, first] = path
    if (resource === 'payment_intents' && first !== undefined) return byIntent(first)
    if (resource === 'refunds') {
      const { searchParams } = new URL(request.url)
      const params = request.method === 'POST' ? new URLSearchParams(await textOf(request)) : searchParams
      const intent = params.get('payment_intent')
      return intent === null ? withRefund(first) : byIntent(intent)
    }
    const [id] = path.slice(3)
    const made = id ?? (key === null ? null : stripe.madeWith(key))
    return all().find((candidate) => candidate.id === made) ?? null
  }
  const withRefund = (id: string | undefined): HeldStripe | null =>
    all().find(({ refunds }) => refunds.some((refund) => refund.id === id)) ?? null
  const byIntent = (intent: string | undefined): HeldStripe | null =>
    all().find(({ id }) => sessions.get(id)?.intent === intent) ?? null
  const problem = (status: number, error: object) =>
    Response.json({ error: { type: 'invalid_request_error', ...error } }, { status })

  return {
    name: accountName('stripe', nth),
    psp: 'stripe',
    hosts: ['api.stripe.com'],
    patience: PATIENCE,
    credentials: (key) => ({ ...account, secretKey: secretKeyOf(key) }),
    proof: { header: 'authorization', of: (key) => `Bearer ${secretKeyOf(key)}` },
    addTerminal: (id) => void readers.push(newPlayedReader(stripe, id, nth)),
    addTimeouts(how, orders) {
      for (const reader of readers) reader.timeouts = Array.from({ length: Math.min(orders, 5) }, () => how)
    },
    takes: () => true,
    reserves: 'until the hub asks for it',
    repeats: false,
    countsWhenDone: false,
    showsRefunds: true,
    async handle(request) {
      passTimeAt(readers)
      const path = new URL(request.url).pathname.split('/').slice(1)
      if (path[1] !== 'payment_intents') return stripe.handle(request)
      const payment = byIntent(path[2])
      const text = await textOf(request)
      const before = payment?.reservation?.captured ?? 0
      const response = await stripe.handle(request)
      payment?.captured((payment.reservation?.captured ?? 0) - before, captureIn(text))
      return response
    },
    held: all,
    async read(request) {
      const path = new URL(request.url).pathname.split('/').slice(1)
      const body = await textOf(request)
      const payment = await heldOf(request, path)
      return {
        kind: payment?.atTerminal
          ? intentRequestKind(request.method, path)
          : requestKind(request.method, path, body),
        payment,
        key: request.headers.get('idempotency-key') ?? '',
      }
    },
    // Sessions always end after a day: the hub sets no time.
    setLifetime: () => {},
    forgetKeys: () => stripe.forgetKeys(),
    setManner: () => {},
    refusal: () => problem(400, { message: 'No new payments now', param: 'amount' }),
    notFound: () => problem(404, { code: 'resource_missing', message: 'No such checkout.session' }),
    busy: () => problem(409, { type: 'idempotency_error', message: 'The same request is under way' }),
    wrongKey: () => problem(401, { message: 'Invalid API Key provided' }),
    notifications: ({ id }) => stripe.tell(id, Date.now()),
  }
}

/** Returns the body as text: it is a form. */
async function textOf(request: Request): Promise<string> {
  return new TextDecoder().decode(await request.clone().arrayBuffer())
}

/** Returns the hub's id of the capture in a request. */
function captureIn(body: string): string | null {
  const names = [...new URLSearchParams(body).keys()]
  const ids = names.flatMap((name) => /^metadata\[([\da-f-]{36})\]$/.exec(name)?.[1] ?? [])
  return ids[0] ?? null
}

function intentRequestKind(method: string, [, resource, first, second]: readonly string[]): RequestKind {
  if (resource === 'refunds') return method === 'POST' ? 'refund' : 'other'
  if (second === 'cancel') return 'stop'
  return first === undefined ? 'announce' : 'look'
}

function requestKind(
  method: string,
  [, resource, first, second, third]: readonly string[],
  body: string,
): RequestKind {
  if (resource === 'refunds') return method === 'POST' ? 'refund' : 'other'
  if (resource === 'payment_intents' && first === undefined) return 'announce'
  if (resource === 'payment_intents') return captureIn(body) === null ? 'release' : 'capture'
  if (resource !== 'checkout' || first !== 'sessions') return 'other'
  if (third === 'expire') return 'stop'
  return second !== undefined ? 'look' : method === 'POST' ? 'announce' : 'other'
}
