import type { FakePsp, Outcome } from './fake-psp.ts'
import {
  type Manner,
  afterCaptures,
  answerAboutMoney,
  chargeBackTo,
  embeddingPayment,
  letGo,
  shownPayment,
} from './mollie-money-back.ts'
import {
  type MollieCapture,
  type MolliePayment,
  type MollieRefund,
  type MollieStatus,
  type NewPayment,
  captureBeforeOf,
  halJson,
  isAmount,
  isCaptureMode,
  mollieNotifications,
  mollieProblem,
  newPayment,
  pageJson,
  setMollieStatus,
} from './mollie-payment.ts'
import {
  type MollieTerminal,
  answerAboutTerminals,
  failAtTerminal,
  mollieTerminals,
  passTimeAtTerminal,
  payAtTerminal,
  sendToTerminal,
  terminalRefusal,
} from './mollie-terminals.ts'

/** Mollie's double for all tests. test/psp/official/mollie.test.ts checks it with Mollie's own client. */
type MollieFake = FakePsp & {
  payments: MolliePayment[]
  /** How long (ms) new payments can be paid; null if Mollie does not say. */
  life: number | null
  /** The payment that a request concerns, found by its path or its idempotency key. */
  find: (request: Request) => MolliePayment | undefined
  /** Sets the status of every payment, whatever it was: a late failure, or money after a cancellation. */
  setStatus: (status: MollieStatus) => void
  /** Sets the status of a job's payment, whatever it was. */
  setStatusOf: (job: string, status: MollieStatus) => void
  /** Sets the final status of the refunds of a job's payment. */
  endRefunds: (job: string, status: MollieRefund['status']) => void
  /** The statuses of new captures, and whether releases take time. */
  manner: Manner
  /** Sets the final status of the captures of a job's payment. */
  endCaptures: (job: string, status: MollieCapture['status']) => void
  /** The bank releases the reserved money. */
  endRelease: (job: string) => void
  /** The customer's bank takes back this amount in total (minor units). */
  chargeBack: (job: string, amount: number) => void
  terminals: MollieTerminal[]
  /** The customer shows a card at the terminal. */
  showCard: (job: string) => void
  /** The customer pays at the terminal and adds a tip (minor units). */
  payAtTerminal: (job: string, tip?: number) => void
  /** The payment fails at the terminal. */
  failAtTerminal: (job: string, code: string, message: string) => void
}

const STATUS: Record<Outcome, MollieStatus> = {
  paid: 'paid',
  failed: 'failed',
  cancelled: 'canceled',
  expired: 'expired',
}

/**
 * Mollie's Payments API v2, limited to the calls of the hub: https://docs.mollie.com/reference/payments-api
 */
export function mollieFake(apiKey = 'live_firstaccount01'): MollieFake {
  const accounts = [{ apiKey }, { apiKey: 'live_secondaccount2' }] as const
  const keys = new Set(accounts.map((account) => `Bearer ${account.apiKey}`))
  const payments: MolliePayment[] = []

  const madeWith = (key: string | null) =>
    key === null
      ? undefined
      : payments.find((payment) => payment.key === key && payment.keyUntil > Date.now())

  const create = async (request: Request): Promise<Response> => {
    const text = await request.text()
    const body = JSON.parse(text) as NewPayment
    if (!body.amount?.value || !body.description || !body.redirectUrl) {
      return mollieProblem(422, 'Unprocessable Entity', 'The request is not complete', 'amount')
    }
    if (!isAmount(body.amount))
      return mollieProblem(422, 'Unprocessable Entity', 'The amount contains an invalid value', 'amount')
    if (!isCaptureMode(body))
      return mollieProblem(
        422,
        'Unprocessable Entity',
        'The payment method does not support the capture mode',
        'captureMode',
      )
    const refused = terminalRefusal(fake.terminals, body)
    if (refused) return refused
    const key = request.headers.get('idempotency-key')
    const known = madeWith(key)
    if (known && known.fingerprint !== text) {
      return mollieProblem(400, 'Bad Request', 'The idempotency key was used before with other parameters')
    }
    // A repeated request gets the first answer again.
    if (known) return halJson(known.first, 201)
    const payment = newPayment(body, { key, fingerprint: text, life: fake.life })
    payments.push(payment)
    sendToTerminal(payment, payments)
    return halJson(payment.first, 201)
  }

  const of = (job: string): MolliePayment => {
    const payment = payments.findLast((candidate) => candidate.job === job)
    if (!payment) throw new Error(`Mollie has no payment of job ${job}`)
    return payment
  }

  const fake: MollieFake = {
    origins: ['https://api.mollie.com/v2'],
    accounts,
    payments,
    life: null,
    terminals: mollieTerminals(),
    manner: { captures: 'succeeded', isReleaseSlow: false },
    find({ method, url, headers }) {
      if (method === 'POST') return madeWith(headers.get('idempotency-key'))
      const id = new URL(url).pathname.split('/').at(-1)
      return payments.find((payment) => payment.id === id)
    },
    async handle(request) {
      if (!keys.has(request.headers.get('authorization') ?? '')) {
        return mollieProblem(401, 'Unauthorized Request', 'Missing authentication, or failed to authenticate')
      }
      const [resource, id, ...about] = new URL(request.url).pathname.replace(/^\/v2/, '').split('/').slice(1)
      if (resource === 'methods') return Response.json({ count: 0, _embedded: { methods: [] }, _links: {} })
      if (resource === 'terminals') return answerAboutTerminals(fake.terminals, id, new URL(request.url))
      if (resource !== 'payments') return mollieProblem(404, 'Not Found', 'No route found')
      for (const one of payments) passTimeAtTerminal(one, fake.terminals)
      if (id === undefined && request.method === 'GET')
        return pageJson(new URL(request.url), 'payments', payments.toReversed(), shownPayment)
      const held = payments.find((candidate) => candidate.id === id)
      if (held && Date.now() >= captureBeforeOf(held)) letGo(held, 'expired')
      if (held && about.length > 0) return answerAboutMoney(held, about, request, fake.manner)
      if (request.method === 'POST') return create(request)
      const payment = fake.find(request)
      if (!payment) return mollieProblem(404, 'Not Found', `No payment exists with token ${id}.`)
      if (request.method === 'DELETE') {
        if (payment.status !== 'open' || payment.atTerminal.isCardIn) {
          return mollieProblem(422, 'Unprocessable Entity', 'The payment cannot be canceled')
        }
        payment.status = 'canceled'
      }
      return embeddingPayment(payment, new URL(request.url).searchParams.get('embed'))
    },
    bring(job, outcome) {
      const payment = of(job)
      if (payment.status !== 'open') throw new Error(`the payment is ${payment.status}`)
      const isReserved = outcome === 'paid' && payment.request.captureMode === 'manual'
      setMollieStatus(payment, isReserved ? 'authorized' : STATUS[outcome])
    },
    setStatus(status) {
      for (const payment of payments) setMollieStatus(payment, status)
    },
    setStatusOf(job, status) {
      setMollieStatus(of(job), status)
    },
    endRefunds(job, status) {
      for (const refund of of(job).refunds) refund.status = status
    },
    endCaptures(job, status) {
      for (const capture of of(job).captures) capture.status = status
      afterCaptures(of(job))
    },
    endRelease(job) {
      letGo(of(job), 'canceled')
    },
    chargeBack(job, amount) {
      chargeBackTo(of(job), amount)
    },
    showCard(job) {
      of(job).atTerminal.isCardIn = true
    },
    payAtTerminal(job, tip = 0) {
      payAtTerminal(of(job), tip)
    },
    failAtTerminal(job, code, message) {
      failAtTerminal(of(job), { code, message })
    },
    async notify(job) {
      const payment = of(job)
      return payment.status === 'open' ? [] : mollieNotifications(payment)
    },
  }
  return fake
}
