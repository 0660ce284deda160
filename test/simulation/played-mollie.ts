import { PATIENCE } from '../../src/psp/mollie/tables.ts'
import {
  type MolliePayment,
  type MollieCapture,
  type MollieMove,
  type MollieRefund,
  amountOf,
  isMollieCurrency,
  captureBeforeOf,
  minorOf,
  mollieNotifications,
  mollieProblem,
  setMollieStatus,
} from '../support/psps/mollie-payment.ts'
import { afterCaptures, chargeBackTo, chargedBackOf, letGo } from '../support/psps/mollie-money-back.ts'
import { type MollieTerminal, addTip } from '../support/psps/mollie-terminals.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import {
  type RequestKind,
  type HeldPayment,
  type HeldMove,
  type Nth,
  type PlayedAccount,
  type PlayedTerminal,
  type Reservation,
  accountName,
} from './played-psp.ts'

function heldRefund(made: MollieRefund): HeldMove {
  return {
    id: made.id,
    amount: minorOf(made.amount),
    hubId: hubIdOf(made, 'refund'),
    get state() {
      return made.status === 'refunded'
        ? 'done'
        : made.status === 'failed' || made.status === 'canceled'
          ? 'failed'
          : 'pending'
    },
    set state(state) {
      made.status = state === 'done' ? 'refunded' : state
    },
  }
}

const CAPTURE_STATES = { pending: 'pending', succeeded: 'done', failed: 'failed' } as const
const BECOMES = { pending: 'pending', done: 'succeeded', failed: 'failed' } as const

function heldCapture(payment: MolliePayment, made: MollieCapture): HeldMove {
  return {
    id: made.id,
    amount: minorOf(made.amount),
    hubId: hubIdOf(made, 'capture'),
    get state() {
      return CAPTURE_STATES[made.status]
    },
    set state(state) {
      made.status = BECOMES[state]
      afterCaptures(payment)
    },
  }
}

function hubIdOf({ metadata }: MollieMove<string>, kind: 'capture' | 'refund'): string | null {
  return (metadata as Record<string, string> | null)?.[kind] ?? null
}

/** A capture or refund made in Mollie's dashboard. */
function madeByHand(payment: MolliePayment, minor: number): Omit<MollieMove<string>, 'status' | 'id'> {
  const amount = amountOf(payment.request.amount.currency, minor)
  return { amount, description: 'Made at the PSP', metadata: null, key: null, fingerprint: '' }
}

function reservationOf({ status, authorizedAt, captures, request }: MolliePayment): Reservation | null {
  if (authorizedAt === null) return null
  const done = captures.filter((capture) => capture.status === 'succeeded')
  const [authorized, captured] = [
    minorOf(request.amount),
    done.reduce((sum, { amount }) => sum + minorOf(amount), 0),
  ]
  return { authorized, captured, released: status === 'authorized' ? 0 : authorized - captured }
}

/** How long (ms) a terminal works on a card before it waits for another. */
const AUTHORISES = 120_000

/** When (ms) a card was last read for a payment. */
const cardsRead = new WeakMap<MolliePayment, number>()

function passTimeAtTerminals(payments: readonly MolliePayment[]): void {
  for (const made of payments)
    if (made.status === 'open' && Date.now() >= (cardsRead.get(made) ?? Infinity) + AUTHORISES)
      made.atTerminal.isCardIn = false
}

function methodOf(request: object): string | null {
  return 'method' in request ? String(request.method) : null
}

function heldPayment(made: MolliePayment, terminals: readonly MollieTerminal[]): HeldPayment {
  return {
    id: made.id,
    job: made.job,
    get amount() {
      return minorOf(made.request.amount)
    },
    method: methodOf(made.request),
    checkoutUrl: made.checkoutUrl,
    expiresAt: made.expiresAt,
    mayComeLate: methodOf(made.request) === 'banktransfer',
    endsWhenCancelled: true,
    get status() {
      // Over, but no capture succeeded.
      return made.status === 'paid' && this.reservation?.captured === 0 ? 'canceled' : made.status
    },
    set status(status) {
      setMollieStatus(made, status)
    },
    isManual: made.request.captureMode === 'manual',
    get reservation() {
      return reservationOf(made)
    },
    get captures() {
      return made.captures.map((capture) => heldCapture(made, capture))
    },
    captureByHand(amount, isFinal) {
      const id = `cpt_elsewhere${made.captures.length}`
      made.captures.push({ id, status: 'succeeded', ...madeByHand(made, amount) })
      afterCaptures(made)
      if (isFinal) letGo(made, 'canceled')
    },
    letGo: () => letGo(made, 'canceled'),
    lapse() {
      if (Date.now() >= captureBeforeOf(made)) letGo(made, 'expired')
    },
    get chargedBack() {
      return chargedBackOf(made)
    },
    set chargedBack(amount) {
      chargeBackTo(made, amount)
    },
    get refunds() {
      return made.refunds.map(heldRefund)
    },
    refundByHand(amount) {
      const id = `re_elsewhere${made.refunds.length}`
      const refund: MollieRefund = { id, status: 'pending', ...madeByHand(made, amount) }
      made.refunds.push(refund)
      return heldRefund(refund)
    },
    atTerminal: terminalOf(made, terminals),
    returnPath: () => new URL(made.request.redirectUrl).pathname,
  }
}

function terminalOf(made: MolliePayment, terminals: readonly MollieTerminal[]): PlayedTerminal | null {
  const terminal = terminals.find(({ id }) => id === made.request.terminalId)
  return terminal === undefined
    ? null
    : {
        isSent: () => true,
        isWaiting: () => made.status === 'open',
        readCard() {
          made.atTerminal.isCardIn = true
          cardsRead.set(made, Date.now())
        },
        addTip: (tip) => addTip(made, tip),
        isConnected: (is) => void (terminal.isReachable = is),
      }
}

function mollieKey(credentials: object): string {
  return 'apiKey' in credentials ? String(credentials.apiKey) : ''
}

/** An account at Mollie for the simulation. */
export function playedMollie(nth: Nth): PlayedAccount {
  const mollie = mollieFake()
  const apiKeyOf = (key: number) => mollieKey(mollie.accounts[nth]) + 'x'.repeat(key)
  const held: HeldPayment[] = []
  const all = () => {
    for (const made of mollie.payments.slice(held.length)) held.push(heldPayment(made, mollie.terminals))
    return held
  }
  return {
    name: accountName('mollie', nth),
    psp: 'mollie',
    hosts: ['api.mollie.com'],
    patience: PATIENCE,
    credentials: (key) => ({ apiKey: apiKeyOf(key) }),
    proof: { header: 'authorization', of: (key) => `Bearer ${apiKeyOf(key)}` },
    addTerminal: (id, currency) =>
      void (mollie.terminals = [
        { id, description: 'Counter', status: 'active', currency, isReachable: true },
      ]),
    takes: isMollieCurrency,
    reserves: 'until the hub asks for it',
    repeats: false,
    countsWhenDone: false,
    showsRefunds: true,
    handle(request) {
      passTimeAtTerminals(mollie.payments)
      return mollie.handle(request)
    },
    held: all,
    async read(request) {
      const { method, url } = request
      const [, , , id, about] = new URL(url).pathname.split('/')
      const made = id ?? mollie.find(request)?.id
      const payment = all().find((candidate) => candidate.id === made) ?? null
      return { kind: requestKind(method, about, id), payment, key: await idIn(request) }
    },
    setLifetime: (life) => void (mollie.life = life),
    setManner({ captures, releases }) {
      const isSlow = releases !== 'at once'
      mollie.manner = { captures: captures === 'at once' ? 'succeeded' : 'pending', isReleaseSlow: isSlow }
    },
    forgetKeys() {
      for (const payment of mollie.payments) payment.keyUntil = 0
    },
    refusal: () => mollieProblem(422, 'Unprocessable Entity', 'No new payments now'),
    notFound: () => mollieProblem(404, 'Not Found', 'No payment exists'),
    busy: () => mollieProblem(409, 'Conflict', 'The same request is under way'),
    wrongKey: () => mollieProblem(401, 'Unauthorized Request', 'Missing authentication'),
    async notifications({ id }) {
      const made = mollie.payments.find((payment) => payment.id === id)
      return made ? mollieNotifications(made) : []
    },
  }
}

/** Returns the hub's id in a request's metadata. The idempotency key is derived from it. */
async function idIn(request: Request): Promise<string> {
  if (request.method !== 'POST') return ''
  const text = await request.clone().text()
  const { metadata } = JSON.parse(text || '{}') as { metadata?: Partial<Record<string, string>> }
  return metadata?.['refund'] ?? metadata?.['capture'] ?? metadata?.['paymentJob'] ?? ''
}

function requestKind(method: string, about: string | undefined, id: string | undefined): RequestKind {
  if (about === 'refunds') return method === 'POST' ? 'refund' : 'other'
  if (about === 'captures') return method === 'POST' ? 'capture' : 'other'
  if (about === 'release-authorization') return 'release'
  if (method === 'DELETE') return 'stop'
  return method === 'POST' ? 'announce' : id === undefined ? 'other' : 'look'
}
