import { type Answers, BAKERY, HOSTILE, JOB, POS, type World, agoOf, answerTo } from './world.ts'

const PATH = `GET /jobs/${JOB}`

/** One payment with all its details. */
export function onePaymentAnswer({ now, todo }: World): Answers {
  const ago = agoOf(now)
  const step = (seconds: number, action: string, paid: string, more: object = {}) => ({
    creationDate: new Date(now - 5_400_000 + seconds * 1000).toISOString().replace('Z', '123Z'),
    action,
    status: paid === '0.00' ? 'PENDING' : 'SUCCESS',
    amountDue: paid === '0.00' ? '1234.50' : '0.00',
    amountPaid: paid,
    ...more,
  })
  const refund = { refund: 'r1', created: ago(21), amount: '34.50', status: 'SUCCESS', error: null }
  const transfer = {
    kind: 'refund',
    account: 'mollie-nl',
    id: 're_4qqhO89gsT',
    own: 'r1',
    amount: '34.50',
    state: 'done',
    asked: ago(21),
    changed: ago(20),
    why: null,
  }
  const job = {
    paymentJob: JOB,
    created: ago(90),
    lastUpdate: ago(20),
    amountDue: '0.00',
    amountPaid: '1234.50',
    amountRefunded: '34.50',
    status: 'SUCCESS',
    payments: {
      steps: [
        step(0, 'Start', '0.00'),
        step(64, 'Statuspull', '0.00', { stage: 'underway' }),
        step(81.4, 'Return', '1234.50'),
        step(4100, 'Refund', '1234.50', { amountRefunded: '34.50' }),
      ],
    },
    error: null,
    pos: POS.de,
    posName: BAKERY,
    mode: 'live',
    account: 'mollie-nl',
    announcement: 'announced',
    stage: null,
    late: false,
    unapplied: undefined,
    transfers: [
      transfer,
      {
        ...transfer,
        own: 'r2',
        id: HOSTILE,
        amount: '12.00',
        state: 'failed',
        why: 'The PSP refused it: insufficient balance',
      },
    ],
    captures: [],
    capturable: '0.00',
    refunds: [
      refund,
      {
        ...refund,
        refund: 'r2',
        amount: '12.00',
        description: HOSTILE,
        status: 'FAILURE',
        error: 'The PSP refused it: insufficient balance',
      },
    ],
    refundable: '1200.00',
    otherPayments: [{ account: 'stripe-eu', reference: null, amountPaid: '0.00' }],
    reports: [
      {
        state: 'delivered',
        due: null,
        attempts: [{ at: ago(88), outcome: '200', milliseconds: 212, answer: 'ok' }],
      },
      {
        revision: 2,
        due: ago(-25),
        attempts: [
          { at: ago(60), milliseconds: 1840, answer: `<h1>Internal Server Error</h1> ${HOSTILE}` },
          { at: ago(55), outcome: 'no answer in time', milliseconds: 15_000 },
        ],
      },
    ],
    passedOver: ['stripe-eu'],
    skipped: [],
    askedAt: ago(60),
    nextAskAt: ago(-60),
    why: {
      cause: 'receiver-answers-error',
      happened:
        'The payment was paid at 2026-01-31T14:02:00Z. The shop does not know: its receiver answered 500 to the report.',
      move: 'shop',
      todo: 'Todo of the API.',
      todos: [{ do: todo, says: 'Todo of the API.' }],
      also: ['34.50 EUR went back to the customer.'],
    },
  }
  return { [PATH]: answerTo(PATH, job) }
}

/** A payment of which a part is being captured while the rest is reserved. */
export function reservedPaymentAnswer(world: World): Answers {
  const job = onePaymentAnswer(world)[PATH] as {
    payments: { steps: [object, ...object[]] }
    refunds: [object, object]
    transfers: [object, object]
  }
  const [start] = job.payments.steps
  const at = (minutes: number) => new Date(world.now - minutes * 60_000).toISOString().replace('Z', '123Z')
  const step = (minutes: number, action: string, paid: string, more: object = {}) => ({
    ...start,
    creationDate: at(minutes),
    action,
    status: 'PENDING',
    stage: 'authorized',
    amountPaid: paid,
    amountAuthorized: '1234.50',
    ...more,
  })
  const steps = [
    start,
    step(60, 'Return', '0.00'),
    step(50, 'Capture', '200.00'),
    step(40, 'Capture', '534.50'),
    step(30, 'Capture', '200.00'),
    step(20, 'Release', '200.00', { amountReleased: '100.00' }),
  ]
  const [, refund] = job.refunds
  const [, failed] = job.transfers
  return {
    [PATH]: {
      ...job,
      status: 'PENDING',
      stage: 'authorized',
      amountDue: '1034.50',
      amountPaid: '200.00',
      amountRefunded: undefined,
      amountAuthorized: '1234.50',
      amountReleased: '100.00',
      captureBefore: at(-300),
      capturable: '934.50',
      transfers: [{ ...failed, kind: 'capture', own: 'c1', amount: '334.50' }],
      refunds: [],
      captures: [{ ...refund, capture: 'c1', final: false, amount: '334.50' }],
      payments: { ...job.payments, steps },
    },
  }
}
