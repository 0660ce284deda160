import { randomBytes } from 'node:crypto'
import type { Fault } from './network.ts'
import {
  type Move,
  act,
  answersTooLate,
  cancelsAtTill,
  captures,
  comesBack,
  comesThreeTimes,
  downFor,
  forges,
  getsMoreMembers,
  isInDoubt,
  isUnpaid,
  later,
  madeOnePayment,
  newerComesFirst,
  opensForgedReturn,
  opensReturn,
  releases,
  reserves,
  returnsBeforeTheReport,
  signedBy,
  told,
  waited,
} from './moves.ts'
import type { Money } from './order.ts'

/** A trial of a shop: a customer orders, and then the moves happen, one after the other. */
export type Scenario = {
  does: string
  /** How a good shop behaves. */
  should: string
  money?: Money
  /** For shops that reserve money now, and capture it later. */
  captures?: true
  /** For tills: the customer pays at a simulated card terminal, as `wish` says. */
  terminal?: true
  /** A word in the order's number that the sandbox reads. */
  wish?: string
  /** The fault that the shop's own client meets once on its way to the hub. */
  fault?: Fault
  /** Somebody signs as the hub does, by the shop's own secret. */
  needsSecret?: boolean
  moves: readonly Move[]
}

const HOUR = 3600
const DAY = 24 * HOUR

const PAID = 'Call the order paid once a report or a read says SUCCESS.'
const UNPAID = 'Call the order unpaid: decide by the status of the job, which is not SUCCESS.'
const NO_PROOF = 'Take a return for no proof of payment. Read the job, or wait for its report.'
const AGAIN = 'Take the report that the hub sends again.'
const ONCE = 'Answer each with 2xx, and handle the order once.'
const REFUSE =
  'Refuse it with 400 or 401: verify the signature by your own secret over the raw body, before you read it.'
const WAIT = 'Wait as long as Retry-After says, and send the create again with the same key.'

const RESERVED =
  'Call the order unpaid while the job is PENDING: what is reserved or captured in part is not the whole.'
const KEPT = 'Call the order paid once the job is SUCCESS, and take amountPaid for what was captured.'
const HELD = [reserves, told('PENDING, 0.00 of 12.50 captured')]

const DOUBT = 'Take the money no second time while the state is unknown: follow the job until it ends.'

const PAYS = [act('pay'), told('SUCCESS')]

/** An order of so much, which is paid. */
function pays(amount: string, currency: string): Scenario {
  return {
    does: `An order of ${currency} ${amount} is paid.`,
    should: 'Send the amount as a text in whole currency, with the decimals of the currency.',
    money: { amount, currency },
    moves: PAYS,
  }
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  // How payments end.
  paid: {
    does: 'The customer pays, and comes back.',
    should: PAID,
    moves: [act('pay'), comesBack, told('SUCCESS')],
  },
  declined: {
    does: 'The payment fails.',
    should: UNPAID,
    moves: [act('fail'), comesBack, told('FAILURE')],
  },
  cancelled: {
    does: 'The customer cancels.',
    should: UNPAID,
    moves: [act('cancel'), comesBack, told('CANCELLED')],
  },
  reserved: {
    does: 'The money is reserved, and captured.',
    should: PAID,
    moves: [act('authorize'), comesBack, told('SUCCESS')],
  },
  expired: { does: 'Nobody pays in time.', should: UNPAID, moves: [later(3 * DAY), told('EXPIRED')] },
  'paid-late': {
    does: 'The money is on its way, and arrives days later.',
    should: 'Call the order unpaid while the job is PENDING, and paid once it is SUCCESS.',
    moves: [act('underway'), comesBack, later(2 * DAY), isUnpaid, act('arrive'), told('SUCCESS')],
  },
  'never-arrives': {
    does: 'The money is on its way, and never arrives.',
    should: UNPAID,
    moves: [act('underway'), comesBack, isUnpaid, act('fail'), told('FAILURE')],
  },
  'paid-after-expiry': {
    does: 'The payment expires, and is paid after that.',
    should: 'Call the order paid after all: SUCCESS counts, whatever came before it.',
    moves: [act('expire'), told('EXPIRED'), act('pay-late'), told('SUCCESS')],
  },

  // How customers come back.
  'report-first': {
    does: 'The report comes first, and the customer later.',
    should: 'Handle the order by the report, and show the customer that it is paid.',
    moves: [...PAYS, comesBack, told('SUCCESS')],
  },
  'return-first': {
    does: 'The customer comes back first, and the report comes later.',
    should: 'Show the customer a page, and call the order paid once the report is there.',
    moves: [returnsBeforeTheReport, told('SUCCESS')],
  },
  'never-returns': {
    does: 'The customer pays, and never comes back.',
    should: 'Handle the order by the report alone.',
    moves: PAYS,
  },
  'unpaid-return': {
    does: 'The customer opens the return address without having paid.',
    should: NO_PROOF,
    moves: [opensReturn, isUnpaid],
  },
  'forged-return': {
    does: 'The customer forges the return, as if the order were paid.',
    should: `${NO_PROOF} Verify the signature of a return that has one.`,
    moves: [opensForgedReturn, isUnpaid],
  },

  'smallest-amount': pays('0.01', 'EUR'),
  'no-decimals': pays('1000', 'JPY'),
  'three-decimals': pays('1.234', 'KWD'),

  // Money that goes back, and comes again.
  'partial-refund': {
    does: 'A part of the money goes back, and later another part.',
    should:
      'Call the order paid still. Take amountRefunded as it is: it is the total, not the newest refund.',
    moves: [
      ...PAYS,
      act('refund', { amount: '5.00' }),
      told('SUCCESS, 5.00 refunded'),
      act('refund', { amount: '2.50' }),
      told('SUCCESS, 7.50 refunded'),
    ],
  },
  'refund-fails': {
    does: 'A refund is done, and fails after all.',
    should: 'Call the order paid, and nothing of it refunded: amountRefunded is missing then.',
    moves: [
      ...PAYS,
      act('refund', { amount: '5.00' }),
      told('SUCCESS, 5.00 refunded'),
      act('fail-refund'),
      told('SUCCESS', 2),
    ],
  },
  chargeback: {
    does: "The customer's bank takes the money back, and gives it again.",
    should: 'Take both reports. The order is paid once the chargeback is reversed.',
    moves: [
      ...PAYS,
      act('chargeback'),
      told('SUCCESS, 12.50 charged back'),
      act('reverse-chargeback'),
      told('SUCCESS', 2),
    ],
  },

  // Money that is reserved now, and captured later.
  captured: {
    does: 'The money is reserved, and captured as a whole.',
    should: RESERVED,
    captures: true,
    moves: [...HELD, comesBack, isUnpaid, captures(), told('SUCCESS, 12.50 of 12.50 captured')],
  },
  'captured-in-parts': {
    does: 'A part is captured, and later the rest.',
    should: RESERVED,
    captures: true,
    moves: [
      ...HELD,
      captures({ amount: '5.00' }),
      told('PENDING, 5.00 of 12.50 captured'),
      captures(),
      told('SUCCESS, 12.50 of 12.50 captured'),
    ],
  },
  'captured-in-part': {
    does: 'A part is captured, and the rest is released with it.',
    should: KEPT,
    captures: true,
    moves: [
      ...HELD,
      captures({ amount: '5.00', final: true }),
      told('SUCCESS, 5.00 of 12.50 captured, 7.50 released'),
    ],
  },
  released: {
    does: 'All of it is released.',
    should: UNPAID,
    captures: true,
    moves: [...HELD, releases, told('CANCELLED, 0.00 of 12.50 captured, 12.50 released')],
  },
  'capture-fails': {
    does: 'The PSP makes no capture, and the money is released.',
    should: 'Hand nothing over before the job is SUCCESS: a capture may fail.',
    captures: true,
    wish: 'sandbox-capture-fails',
    moves: [
      ...HELD,
      captures(),
      isUnpaid,
      releases,
      told('CANCELLED, 0.00 of 12.50 captured, 12.50 released'),
    ],
  },
  'capture-lost': {
    does: 'The answer to a capture is lost, and the hub finds it later.',
    should: 'Wait for the report: a capture that is PENDING is neither made nor failed.',
    captures: true,
    wish: 'sandbox-capture-lost',
    moves: [...HELD, captures(), later(HOUR), told('SUCCESS, 12.50 of 12.50 captured')],
  },
  'capture-bounces': {
    does: 'A capture fails after it had succeeded.',
    should: 'Take amountRefunded as it is: what is lost stands there, as if it had gone back.',
    captures: true,
    moves: [
      ...HELD,
      captures(),
      told('SUCCESS, 12.50 of 12.50 captured'),
      act('fail-capture'),
      told('SUCCESS, 12.50 of 12.50 captured, 12.50 refunded'),
    ],
  },
  'capture-too-late': {
    does: 'Nothing is captured until the money is let go.',
    should: UNPAID,
    captures: true,
    moves: [...HELD, later(8 * DAY), told('EXPIRED, 0.00 of 12.50 captured, 12.50 released')],
  },
  'captured-in-time': {
    does: 'A part is captured, and the rest is let go at its time.',
    should: KEPT,
    captures: true,
    moves: [
      ...HELD,
      captures({ amount: '5.00' }),
      told('PENDING, 5.00 of 12.50 captured'),
      later(8 * DAY),
      told('SUCCESS, 5.00 of 12.50 captured, 7.50 released'),
    ],
  },

  // Card terminals.
  'soft-decline': {
    does: 'A tap is not enough: the customer inserts the card, and pays.',
    should: 'Follow the job until it ends: its state may go back to waiting-for-card.',
    terminal: true,
    wish: 'sandbox-soft-decline',
    moves: [told('SUCCESS')],
  },
  tip: {
    does: 'The customer pays more than the order at the terminal: a tip.',
    should: 'Call the order paid by its status: amountPaid has the tip, and amountDue is 0.00.',
    terminal: true,
    wish: 'sandbox-tip',
    moves: [told('SUCCESS')],
  },
  'terminal-busy': {
    does: 'Another till has the terminal.',
    should: UNPAID,
    terminal: true,
    wish: 'sandbox-busy',
    moves: [told('FAILURE')],
  },
  'paid-after-cancel': {
    does: 'The till cancels while the card is being authorised: too late.',
    should: 'Take a cancel for a wish: the status of the job says how it ended.',
    terminal: true,
    wish: 'sandbox-late-cancel',
    moves: [cancelsAtTill, told('SUCCESS')],
  },
  'terminal-silent': {
    does: 'The answer of the terminal is lost, though it took the order, and the customer pays.',
    should: DOUBT,
    terminal: true,
    wish: 'sandbox-lost',
    moves: [isInDoubt, told('SUCCESS')],
  },
  'terminal-unplugged': {
    does: 'The terminal loses its connection once it has read the card, and takes no money.',
    should: DOUBT,
    terminal: true,
    wish: 'sandbox-unplugged',
    moves: [isInDoubt, told('FAILURE')],
  },

  // A bad network.
  'three-times': {
    does: 'The same report comes three times.',
    should: ONCE,
    moves: [comesThreeTimes, act('pay'), told('SUCCESS', 3)],
  },
  'out-of-order': {
    does: 'The payment expires and is paid then, and the report of the expiry comes last.',
    should: 'Compare lastUpdate, or read the job: the newer state counts, not the newer report.',
    moves: [newerComesFirst, told('SUCCESS')],
  },
  'hour-late': {
    does: 'The report comes an hour late.',
    should: AGAIN,
    moves: downFor(HOUR, 'no connection', later(DAY)),
  },
  'down-for-a-day': {
    does: 'The receiver is down for a day.',
    should: AGAIN,
    moves: downFor(DAY, 'no connection', later(DAY)),
  },
  'given-up': {
    does: 'The receiver is down until the hub gives the report up. Then it is asked for again.',
    should: AGAIN,
    moves: downFor(5 * DAY, 'no connection', (order) => order.resendReport()),
  },
  'answers-500': {
    does: 'The receiver answers 500 for an hour.',
    should: AGAIN,
    moves: downFor(HOUR, 500, later(DAY)),
  },
  'answers-slowly': {
    does: 'The answer of the receiver comes too late, so the hub sends the report again.',
    should: ONCE,
    moves: [answersTooLate, later(HOUR), told('SUCCESS', 2)],
  },
  'unknown-members': {
    does: 'A report has members and an action that the shop does not know.',
    should: 'Ignore what you do not know: later releases add members.',
    needsSecret: true,
    moves: [getsMoreMembers, ...PAYS],
  },

  // Reports of others than the hub.
  unsigned: {
    does: 'Somebody sends a report without a signature.',
    should: REFUSE,
    moves: [forges(async () => ({ 'content-type': 'application/json' }))],
  },
  tampered: {
    does: 'Somebody changes a report on its way: the signature is of another body.',
    should: REFUSE,
    needsSecret: true,
    moves: [forges(({ id, before, secret }) => signedBy(secret, id, Date.now(), before))],
  },
  'another-shop': {
    does: "A report has the signature of another shop's secret.",
    should: REFUSE,
    moves: [forges(({ id, body }) => signedBy(randomBytes(48).toString('base64'), id, Date.now(), body))],
  },
  stale: {
    does: 'Somebody sends a signed report of three hours ago once more.',
    should:
      'Verify webhook-signature, and refuse a webhook-timestamp of more than five minutes ago. Or read the job.',
    needsSecret: true,
    moves: [
      // A shop that reads the job at each report may answer 2xx: it loses nothing.
      forges(({ id, body, secret }) => signedBy(secret, id, Date.now() - 3 * HOUR * 1000, body), 'or takes'),
    ],
  },

  // Faults that the shop's own client meets. Each hits the next create, whoever makes it.
  'answer-lost': {
    does: 'A create has no answer, though the hub made the payment.',
    should: 'Send the create again with the same Idempotency-Key and body: there is one payment.',
    fault: 'the answer is lost',
    moves: [madeOnePayment, ...PAYS],
  },
  'token-expired': {
    does: 'The access token ends in the middle: a create is answered 401.',
    should: 'Get a new token from the guardian, once, and send the create again.',
    fault: 'the token has expired',
    moves: [madeOnePayment, ...PAYS],
  },
  'too-many-requests': {
    does: 'The hub answers a create with 429 and Retry-After.',
    should: WAIT,
    fault: 'too many requests',
    moves: [waited, ...PAYS],
  },
  unavailable: {
    does: 'The hub answers a create with 503 and Retry-After.',
    should: WAIT,
    fault: 'unavailable',
    moves: [waited, ...PAYS],
  },
}
