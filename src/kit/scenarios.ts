import type { Hub } from '../client/types.ts'
import { pause } from '../client/pause.ts'
import type { PaymentJob } from '../contract/payment-job.ts'
import { noHubAt, reasonIn } from '../programs/chosen-hub.ts'
import type { ReportWatch, Told } from './report-rows.ts'

/**
 * A move in a scenario: an action of the sandbox (docs: "Try slow, late, reserved and returned
 * money"), the customer's `return`, `till-cancels`, or a status in capitals, which waits until the sandbox
 * has notified the hub of it.
 */
type Move = string

export type Scenario = {
  does: string
  /** A word in the order number that the sandbox reads. */
  word?: string
  /** The order is captured later. */
  captures?: true
  /** The customer pays at a simulated terminal. */
  terminal?: true
  moves: readonly Move[]
  /** The options of its actions at the sandbox. */
  options?: { after: number; outcome?: 'failed' }
  isEnd: (job: Told) => boolean
}

const SLOW = { after: 5 }

function ends(status: string) {
  return (job: Told): boolean => job.status === status
}

/** The events at a terminal, by the word in the order's number, and the status of the job after them. */
const AT_TERMINAL = {
  tap: ['the customer taps a card at a terminal', 'SUCCESS'],
  pin: ['the customer inserts a card, and enters the PIN', 'SUCCESS'],
  tip: ['the customer taps a card, and gives a tip', 'SUCCESS'],
  'wrong-pin': ['the customer enters a wrong PIN first, and pays then', 'SUCCESS'],
  'soft-decline': ['a tap is not enough: the customer inserts the card, and pays', 'SUCCESS'],
  declined: ["the customer's bank declines the card", 'FAILURE'],
  busy: ['the terminal is at work on another payment', 'FAILURE'],
  off: ['the terminal is off', 'FAILURE'],
  lost: ['the terminal takes the order, and its answer is lost', 'SUCCESS'],
  unplugged: ['the terminal reads the card, and loses its connection', 'FAILURE'],
} as const

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  paid: { does: 'the customer pays, and comes back', moves: ['pay', 'return'], isEnd: ends('SUCCESS') },
  failed: { does: 'the payment fails', moves: ['fail', 'return'], isEnd: ends('FAILURE') },
  cancelled: { does: 'the customer cancels', moves: ['cancel', 'return'], isEnd: ends('CANCELLED') },
  expired: { does: 'nobody pays in time', moves: ['expire'], isEnd: ends('EXPIRED') },
  late: {
    does: 'the payment expires, and is paid after that',
    moves: ['late', 'EXPIRED'],
    options: SLOW,
    isEnd: ends('SUCCESS'),
  },
  underway: {
    does: 'the money is on its way, and arrives',
    moves: ['underway', 'return'],
    options: SLOW,
    isEnd: ends('SUCCESS'),
  },
  bounced: {
    does: 'the money is on its way, and never arrives',
    moves: ['underway', 'return'],
    options: { ...SLOW, outcome: 'failed' },
    isEnd: ends('FAILURE'),
  },
  reserved: {
    does: 'the money is reserved, and the hub captures it',
    moves: ['authorize', 'return'],
    isEnd: ends('SUCCESS'),
  },
  held: {
    does: 'the money is reserved, for the shop to capture later',
    captures: true,
    moves: ['pay'],
    isEnd: ({ amountAuthorized }) => amountAuthorized !== undefined,
  },
  captured: {
    does: 'the money is reserved, and captured later',
    captures: true,
    moves: ['pay', 'PENDING', 'capture'],
    isEnd: ends('SUCCESS'),
  },
  released: {
    does: 'the money is reserved, and let go at its time',
    captures: true,
    moves: ['pay', 'PENDING', 'release'],
    isEnd: ends('EXPIRED'),
  },
  refund: {
    does: 'the customer pays, and gets it back',
    moves: ['pay', 'return', 'SUCCESS', 'refund'],
    isEnd: ({ amountRefunded }) => amountRefunded !== undefined,
  },
  chargeback: {
    does: 'the customer pays, and their bank takes it back',
    moves: ['pay', 'return', 'SUCCESS', 'chargeback'],
    isEnd: ({ amountChargedBack }) => amountChargedBack !== undefined,
  },
  refused: {
    does: 'the PSP refuses the order',
    word: 'sandbox-refuse-amount',
    moves: [],
    isEnd: ends('FAILURE'),
  },
  slow: {
    does: 'the PSP takes three seconds for each answer',
    word: 'sandbox-slow-3',
    moves: ['pay', 'return'],
    isEnd: ends('SUCCESS'),
  },
  down: {
    does: 'the PSP does not answer at first, and the order is announced later',
    word: 'sandbox-down-5',
    moves: ['pay', 'return'],
    isEnd: ends('SUCCESS'),
  },
  'wrong-amount': {
    does: 'the customer pays one cent too little',
    moves: ['wrong-amount', 'return'],
    isEnd: ({ status, amountPaid }) => status === 'PENDING' && Number(amountPaid) > 0,
  },
  ...Object.fromEntries(
    Object.entries(AT_TERMINAL).map(([name, [does, status]]): [string, Scenario] => [
      name,
      { does, terminal: true, word: `sandbox-${name}`, moves: [], isEnd: ends(status) },
    ]),
  ),
  away: { does: 'nobody comes to the terminal', terminal: true, moves: ['expire'], isEnd: ends('EXPIRED') },
  'late-cancel': {
    does: 'the till cancels too late: the card is being authorised at the terminal',
    terminal: true,
    word: 'sandbox-late-cancel',
    moves: ['till-cancels'],
    isEnd: ends('SUCCESS'),
  },
}

const LOOK_EVERY = 300

/**
 * Follows a `payUrl` to the sandbox's page. `act` changes the payment there; `wayBack` is where the
 * sandbox then sends the customer.
 */
export async function followPayUrl(hub: string, payUrl: string) {
  const { pathname } = new URL(payUrl)
  const leads = await whereTo(new URL(pathname, hub))
  // The page of an order for a terminal shows a link.
  const [, reference] = /\/sandbox\/checkout\/(\w+)/.exec(leads) ?? []
  if (!reference) throw new Error(`The payUrl ${payUrl} leads to no page of the sandbox.`)
  return {
    act: async (action: string, options: object = {}): Promise<void> => {
      const act = new URL(`/sandbox/payments/${reference}/${action}`, hub)
      await send(act, { method: 'POST', body: JSON.stringify(options) })
    },
    wayBack: new URL(pathname.replace('/pay/', '/return/'), hub),
  }
}

/** The end of a scenario: the job as it stands, and whether its end was reported. */
export type Played = { job: PaymentJob; end: 'as expected' | 'other status' | 'given up' | 'not delivered' }

/**
 * Plays a scenario with a job. Waits until its end is reported or given up, or until `deadline`
 * (ms).
 */
export async function playScenario(
  { url, api }: { url: string; api: Hub },
  reports: ReportWatch,
  { moves, options, isEnd, advance }: Scenario & { advance: number },
  { paymentJob: id, payUrl }: Pick<PaymentJob, 'paymentJob' | 'payUrl'>,
  deadline: number,
): Promise<Played> {
  const until = async (isReached: (job: PaymentJob) => boolean): Promise<PaymentJob> => {
    for (;;) {
      const job = await api.getPaymentJob(id)
      if (isReached(job) || Date.now() > deadline) return job
      await pause(LOOK_EVERY)
    }
  }
  // The PSP has the order only once there is no error. A refused order has no page at all.
  if (moves.length > 0) await until(({ error, terminal }) => error === null && terminal?.state !== 'starting')
  const customer = moves.length > 0 ? await followPayUrl(url, payUrl) : null
  for (const move of moves) {
    if (move === 'return') await (customer && send(customer.wayBack))
    else if (move === 'till-cancels') await api.cancel(id)
    else if (/^[A-Z]+$/.test(move)) await until((job) => isNotified(job, move))
    else await customer?.act(move, options)
  }
  /** Returns the state of the newest report, if it has the scenario's end. */
  const reported = () => {
    const newest = reports.newest(id)
    return newest && isEnd(newest) ? newest.state : undefined
  }
  if (advance > 0) {
    // The hub must know the result of the last move before time passes.
    await until(isEnd)
    await api.advance(id, { seconds: Math.ceil(advance / 1000) })
  }
  const job = await until((current) => isEnd(current) && ['delivered', 'given-up'].includes(reported() ?? ''))
  if (!isEnd(job)) return { job, end: 'other status' }
  const state = reported()
  return {
    job,
    end: state === 'delivered' ? 'as expected' : state === 'given-up' ? 'given up' : 'not delivered',
  }
}

/**
 * Tells whether the hub asked after the sandbox's notification. Before that, the next move would
 * share the same notification.
 */
function isNotified({ payments }: PaymentJob, status: string): boolean {
  return payments.steps.some((step) => step.action === 'Statuspull' && step.status === status)
}

const PATIENCE = 30_000

/**
 * Sends a request as the customer or the sandbox does, without following redirects or reading the
 * body. Throws an Error for a refusal, here and below.
 */
async function send(url: URL, init: RequestInit = {}): Promise<void> {
  const response = await answerTo(url, init)
  await response.body?.cancel()
}

/** Returns where an address leads: the address that it redirects to, or its page. */
async function whereTo(url: URL): Promise<string> {
  const response = await answerTo(url)
  return response.headers.get('location') ?? response.text()
}

async function answerTo(url: URL, init: RequestInit = {}): Promise<Response> {
  const sent = fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) })
  const response = await sent.catch(() => {
    throw new Error(noHubAt(url))
  })
  if (response.status >= 400) {
    throw new Error(
      `The hub at ${url.origin} answered ${response.status}: ${reasonIn(await response.text())}`,
    )
  }
  return response
}
