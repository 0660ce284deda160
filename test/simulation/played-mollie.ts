import { PATIENCE } from '../../src/psp/mollie/tables.ts'
import {
  type MolliePayment,
  type MollieRefund,
  amountOf,
  isMollieCurrency,
  minorOf,
  mollieNotifications,
  mollieProblem,
} from '../support/psps/mollie-payment.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import {
  type Asked,
  type HeldPayment,
  type HeldRefund,
  type Nth,
  type PlayedAccount,
  accountName,
} from './played-psp.ts'

function heldRefund(made: MollieRefund): HeldRefund {
  return {
    id: made.id,
    amount: minorOf(made.amount),
    hubId: made.metadata === null ? null : ((made.metadata as { refund?: string }).refund ?? null),
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

function methodOf(request: object): string | null {
  return 'method' in request ? String(request.method) : null
}

function heldPayment(made: MolliePayment): HeldPayment {
  return {
    id: made.id,
    job: made.job,
    amount: minorOf(made.request.amount),
    method: methodOf(made.request),
    checkoutUrl: made.checkoutUrl,
    expiresAt: made.expiresAt,
    mayComeLate: methodOf(made.request) === 'banktransfer',
    endsWhenCancelled: true,
    get status() {
      return made.status
    },
    set status(status) {
      made.status = status
    },
    get chargedBack() {
      return made.chargedBack ?? 0
    },
    set chargedBack(amount) {
      made.chargedBack = amount
    },
    get refunds() {
      return made.refunds.map(heldRefund)
    },
    refundThere(amount) {
      const refund: MollieRefund = {
        id: `re_elsewhere${made.refunds.length}`,
        status: 'pending',
        amount: amountOf(made.request.amount.currency, amount),
        description: 'Made at the PSP',
        metadata: null,
        key: null,
        fingerprint: '',
      }
      made.refunds.push(refund)
      return heldRefund(refund)
    },
    backTo: () => new URL(made.request.redirectUrl).pathname,
  }
}

function mollieKey(credentials: object): string {
  return 'apiKey' in credentials ? String(credentials.apiKey) : ''
}

/** An account at Mollie, as the simulation moves it. */
export function playedMollie(nth: Nth): PlayedAccount {
  const mollie = mollieFake()
  const apiKeyOf = (key: number) => mollieKey(mollie.accounts[nth]) + 'x'.repeat(key)
  const held: HeldPayment[] = []
  const all = () => {
    for (const made of mollie.payments.slice(held.length)) held.push(heldPayment(made))
    return held
  }
  return {
    name: accountName('mollie', nth),
    psp: 'mollie',
    host: 'api.mollie.com',
    patience: PATIENCE,
    credentials: (key) => ({ apiKey: apiKeyOf(key) }),
    proof: { header: 'authorization', of: (key) => `Bearer ${apiKeyOf(key)}` },
    takes: isMollieCurrency,
    reserves: 'until the hub asks for it',
    repeats: false,
    countsWhenDone: false,
    showsRefunds: true,
    handle: (request) => mollie.handle(request),
    held: all,
    async read(request) {
      const { method, url } = request
      const [, , , id, about] = new URL(url).pathname.split('/')
      const made = id ?? mollie.find(request)?.id
      const payment = all().find((candidate) => candidate.id === made) ?? null
      return { asked: askedBy(method, about, id), payment, key: await idIn(request) }
    },
    lives: (life) => void (mollie.life = life),
    forgetsKeys() {
      for (const payment of mollie.payments) payment.keyUntil = 0
    },
    refuses: () => mollieProblem(422, 'Unprocessable Entity', 'No new payments now'),
    knowsNone: () => mollieProblem(404, 'Not Found', 'No payment exists'),
    isBusy: () => mollieProblem(409, 'Conflict', 'The same request is under way'),
    refusesKey: () => mollieProblem(401, 'Unauthorized Request', 'Missing authentication'),
    async notifications({ id }) {
      const made = mollie.payments.find((payment) => payment.id === id)
      return made ? mollieNotifications(made) : []
    },
  }
}

/** The hub's id of what a request asks for. Its idempotency key is that id in Mollie's form. */
async function idIn(request: Request): Promise<string> {
  const text = request.method === 'POST' ? await request.clone().text() : ''
  const { metadata } = JSON.parse(text || '{}') as {
    metadata?: { paymentJob?: string; refund?: string; capture?: string }
  }
  return metadata?.refund ?? metadata?.capture ?? metadata?.paymentJob ?? ''
}

function askedBy(method: string, about: string | undefined, id: string | undefined): Asked {
  if (about === 'refunds') return method === 'POST' ? 'refund' : 'other'
  if (about === 'captures') return method === 'POST' ? 'capture' : 'other'
  if (about === 'release-authorization') return 'other'
  if (method === 'DELETE') return 'stop'
  return method === 'POST' ? 'announce' : id === undefined ? 'other' : 'look'
}
