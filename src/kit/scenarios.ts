import { type ScenarioMove, act, captures, isReported, later, move } from './moves.ts'
import type { Payment, PaymentKind } from './payment.ts'

/** A trial of a payment, and of the shop that takes it: the moves happen one after the other. */
export type Scenario<In extends Payment = Payment> = PaymentKind & {
  does: string
  /** How a good shop behaves. */
  should: string
  /** The certificate has it only by name, because it tries nothing else of a shop. */
  byName?: true
  moves: readonly ScenarioMove<In>[]
}

export const HOUR = 3600
export const DAY = 24 * HOUR

const PAID = 'Call the order paid once a report or a read says SUCCESS.'
const UNPAID = 'Call the order unpaid: decide by the status of the job, which is not SUCCESS.'
const PART = 'Call the order unpaid while the job is PENDING: a part of the money is not the whole.'
const KEPT = 'Call the order paid once the job is SUCCESS. amountPaid is what was captured.'
const DOUBT = 'Do not take the money a second time while the state is unknown: follow the job until it ends.'

const CAPTURED = isReported('SUCCESS, 12.50 of 12.50 captured')
const LET_GO = isReported('CANCELLED, 0.00 of 12.50 captured, 12.50 released')
const HELD = [move('reserve'), isReported('PENDING, 0.00 of 12.50 captured')]

export const PAYS = [act('pay'), isReported('SUCCESS')]

/** An order of so much, which is paid. */
function pays(amount: string, currency: string): Scenario {
  return {
    does: `An order of ${currency} ${amount} is paid.`,
    should: 'Send the amount as a text in whole currency, with the decimals of the currency.',
    money: { amount, currency },
    moves: PAYS,
  }
}

/** The customer does at a terminal what a word in the order's number says. */
function atTerminal(wish: string, does: string, status: 'SUCCESS' | 'FAILURE'): Scenario {
  return {
    does,
    should: status === 'SUCCESS' ? PAID : UNPAID,
    terminal: true,
    wish: `sandbox-${wish}`,
    moves: [isReported(status)],
  }
}

/** What can happen to a payment. `hub trigger` plays it without a shop, `hub certify` with one. */
export const PAYMENTS: Readonly<Record<string, Scenario>> = {
  // How payments end.
  paid: {
    does: 'The customer pays, and comes back.',
    should: PAID,
    moves: [act('pay'), move('comeBack'), isReported('SUCCESS'), move('isNotified')],
  },
  declined: {
    does: 'The payment fails.',
    should: UNPAID,
    moves: [act('fail'), move('comeBack'), isReported('FAILURE')],
  },
  cancelled: {
    does: 'The customer cancels.',
    should: UNPAID,
    moves: [act('cancel'), move('comeBack'), isReported('CANCELLED')],
  },
  reserved: {
    does: 'The money is reserved, and the hub captures it.',
    should: PAID,
    moves: [act('authorize'), move('comeBack'), isReported('SUCCESS')],
  },
  expired: { does: 'Nobody pays in time.', should: UNPAID, moves: [later(3 * DAY), isReported('EXPIRED')] },
  'paid-late': {
    does: 'The money is on its way, and arrives days later.',
    should: 'Call the order unpaid while the job is PENDING, and paid once it is SUCCESS.',
    moves: [
      act('underway'),
      move('comeBack'),
      later(2 * DAY),
      move('isUnpaid'),
      act('arrive'),
      isReported('SUCCESS'),
    ],
  },
  'never-arrives': {
    does: 'The money is on its way, and never arrives.',
    should: UNPAID,
    moves: [act('underway'), move('comeBack', 'isUnpaid'), act('fail'), isReported('FAILURE')],
  },
  'paid-after-expiry': {
    does: 'The payment expires, and is paid afterwards.',
    should: 'Call the order paid after all: SUCCESS counts, whatever came before.',
    moves: [act('expire'), isReported('EXPIRED'), act('pay-late'), isReported('SUCCESS')],
  },

  'wrong-amount': {
    does: 'The customer pays one cent too little.',
    should: PART,
    moves: [act('wrong-amount'), isReported('PENDING')],
  },
  'smallest-amount': pays('0.01', 'EUR'),
  // 100 * 19.99 is 1998.9999999999998 in a float.
  'uneven-amount': pays('19.99', 'EUR'),
  'no-decimals': pays('1000', 'JPY'),
  'three-decimals': pays('1.234', 'KWD'),

  // Money that goes back, and comes again.
  'partial-refund': {
    does: 'A part of the money goes back, and later another part.',
    should: 'Go on calling the order paid. amountRefunded is the total, not the newest refund.',
    moves: [
      ...PAYS,
      act('refund', { amount: '5.00' }),
      isReported('SUCCESS, 5.00 refunded'),
      act('refund', { amount: '2.50' }),
      isReported('SUCCESS, 7.50 refunded'),
    ],
  },
  'refund-fails': {
    does: 'A refund is done, and fails after all.',
    should: 'Call the order paid, and nothing of it refunded: amountRefunded is missing now.',
    moves: [
      ...PAYS,
      act('refund', { amount: '5.00' }),
      isReported('SUCCESS, 5.00 refunded'),
      act('fail-refund'),
      isReported('SUCCESS', 2),
    ],
  },
  chargeback: {
    does: "The customer's bank takes the money back, and returns it.",
    should: 'Accept both reports. The order is paid once the chargeback is reversed.',
    moves: [
      ...PAYS,
      act('chargeback'),
      isReported('SUCCESS, 12.50 charged back'),
      act('reverse-chargeback'),
      isReported('SUCCESS', 2),
    ],
  },

  // Money that is reserved now, and captured later.
  captured: {
    does: 'The money is reserved, and captured as a whole.',
    should: PART,
    captures: true,
    moves: [...HELD, move('comeBack', 'isUnpaid'), captures(), CAPTURED],
  },
  'captured-in-parts': {
    does: 'A part of the reserved money is captured, and later the rest.',
    should: PART,
    captures: true,
    moves: [
      ...HELD,
      captures({ amount: '5.00' }),
      isReported('PENDING, 5.00 of 12.50 captured'),
      captures(),
      CAPTURED,
    ],
  },
  'captured-in-part': {
    does: 'A part of the reserved money is captured, and the rest is released.',
    should: KEPT,
    captures: true,
    moves: [
      ...HELD,
      captures({ amount: '5.00', final: true }),
      isReported('SUCCESS, 5.00 of 12.50 captured, 7.50 released'),
    ],
  },
  released: {
    does: 'The money is reserved, and all of it is released.',
    should: UNPAID,
    captures: true,
    moves: [...HELD, move('release'), LET_GO],
  },
  'capture-fails': {
    does: 'The PSP refuses the capture, and the money is released.',
    should: 'Hand nothing over before the job is SUCCESS: a capture can fail.',
    captures: true,
    wish: 'sandbox-capture-fails',
    moves: [...HELD, captures(), move('isUnpaid', 'release'), LET_GO],
  },
  'capture-lost': {
    does: 'The answer to a capture is lost, and the hub finds it later.',
    should: 'Wait for the report: a PENDING capture has neither succeeded nor failed.',
    captures: true,
    wish: 'sandbox-capture-lost',
    moves: [...HELD, captures(), later(HOUR), CAPTURED],
  },
  'capture-bounces': {
    does: 'A capture fails after it had succeeded.',
    should: 'Read amountRefunded: it includes the lost money, as if it had gone back.',
    captures: true,
    moves: [
      ...HELD,
      captures(),
      CAPTURED,
      act('fail-capture'),
      isReported('SUCCESS, 12.50 of 12.50 captured, 12.50 refunded'),
    ],
  },
  'capture-too-late': {
    does: 'Nothing is captured before the money is released.',
    should: UNPAID,
    captures: true,
    moves: [...HELD, later(8 * DAY), isReported('EXPIRED, 0.00 of 12.50 captured, 12.50 released')],
  },
  'captured-in-time': {
    does: 'A part is captured, and the rest is released when its time is over.',
    should: KEPT,
    captures: true,
    moves: [
      ...HELD,
      captures({ amount: '5.00' }),
      isReported('PENDING, 5.00 of 12.50 captured'),
      later(8 * DAY),
      isReported('SUCCESS, 5.00 of 12.50 captured, 7.50 released'),
    ],
  },

  // Card terminals.
  'soft-decline': {
    ...atTerminal('soft-decline', 'A tap is not enough: the customer inserts the card, and pays.', 'SUCCESS'),
    should: 'Follow the job until it ends: its state can go back to waiting-for-card.',
  },
  tip: {
    ...atTerminal('tip', 'The customer pays more than the order at the terminal: a tip.', 'SUCCESS'),
    should: 'Call the order paid by its status: amountPaid includes the tip, and amountDue is 0.00.',
  },
  'terminal-busy': atTerminal('busy', 'Another till uses the terminal.', 'FAILURE'),
  'paid-after-cancel': {
    ...atTerminal('late-cancel', 'The till cancels too late: the card is being authorised.', 'SUCCESS'),
    should: 'A cancel is only a wish: the status of the job says how it ended.',
    moves: [move('cancelAtTill'), isReported('SUCCESS')],
  },
  'terminal-silent': {
    ...atTerminal(
      'lost',
      'The terminal takes the order, its answer is lost, and the customer pays.',
      'SUCCESS',
    ),
    should: DOUBT,
    moves: [move('isInDoubt', 'payAgain'), isReported('SUCCESS')],
  },
  'terminal-unplugged': {
    ...atTerminal(
      'unplugged',
      'The terminal reads the card, loses its connection, and takes no money.',
      'FAILURE',
    ),
    should: DOUBT,
    moves: [move('isInDoubt', 'payAgain'), isReported('FAILURE')],
  },

  ...byName({
    held: {
      does: 'The money is reserved, for the shop to capture later.',
      should: PART,
      captures: true,
      moves: HELD,
    },
    tap: atTerminal('tap', 'The customer taps a card at a terminal.', 'SUCCESS'),
    pin: atTerminal('pin', 'The customer inserts a card, and enters the PIN.', 'SUCCESS'),
    'wrong-pin': atTerminal('wrong-pin', 'The customer enters a wrong PIN, then the right one.', 'SUCCESS'),
    'terminal-declined': atTerminal('declined', "The customer's bank declines the card.", 'FAILURE'),
    off: atTerminal('off', 'The terminal is off.', 'FAILURE'),
    away: {
      does: 'Nobody comes to the terminal.',
      should: UNPAID,
      terminal: true,
      moves: [act('expire'), isReported('EXPIRED')],
    },
    refused: {
      does: 'The PSP refuses the order.',
      should: UNPAID,
      wish: 'sandbox-refuse-amount',
      moves: [isReported('FAILURE')],
    },
    slow: {
      does: 'The PSP takes three seconds for each answer.',
      should: PAID,
      wish: 'sandbox-slow-3',
      moves: PAYS,
    },
    down: {
      does: 'The PSP does not answer at first, and the hub announces the order later.',
      should: PAID,
      wish: 'sandbox-down-5',
      moves: PAYS,
    },
  }),
}

/** Marks scenarios that the certificate has only by name. */
function byName(scenarios: Record<string, Scenario>): Record<string, Scenario> {
  return Object.fromEntries(
    Object.entries(scenarios).map(([name, scenario]) => [name, { ...scenario, byName: true }]),
  )
}

/** Shorter names for `hub trigger`. */
export const SHORT_NAMES: Readonly<Record<string, string>> = {
  failed: 'declined',
  late: 'paid-after-expiry',
  underway: 'paid-late',
  bounced: 'never-arrives',
  refund: 'partial-refund',
  busy: 'terminal-busy',
  lost: 'terminal-silent',
  unplugged: 'terminal-unplugged',
  'late-cancel': 'paid-after-cancel',
}
