import { DAY, HOUR } from '../../src/contract/timestamp.ts'
import type { Cause } from '../../src/job/core/causes.ts'
import {
  type Job,
  AMOUNT,
  AUTHORIZED,
  NO_ANSWER,
  NOW,
  SILENT,
  TOOK,
  UNDER_WAY,
  WHERE,
  playedBirth,
  playedJob,
  reserved,
  reservedJob,
  seen,
} from './played-job.ts'

/** A signed notification about an authorised payment. */
const AUTHORISATION = {
  payment: 'card',
  claims: 'SUCCESS',
  moves: [{ id: 'p1', kind: 'part', amount: AMOUNT, reference: 'card' }],
} satisfies Parameters<Job['notified']>[0]

export const KEY_REFUSED = { ...NO_ANSWER, accountRefused: true } as const
const REFUSED = { is: 'refused', message: 'refused_order: no' } as const

/** A paid job whose report was delivered. */
export function told(job: Job = playedJob()): Job {
  job.hears('other', { answer: seen('SUCCESS') })
  job.report('200')
  return job
}
export function ended(status: 'FAILURE' | 'CANCELLED' | 'EXPIRED', job = playedJob()): Job {
  job.hears('other', { answer: seen(status) })
  job.report('200')
  return job
}
function after(job: Job, ...happens: ((job: Job) => unknown)[]): Job {
  for (const happen of happens) happen(job)
  return job
}
function released(job: Job, wish: (job: Job) => unknown): Job {
  wish(job)
  job.answered('c1', { is: 'taken', reference: null, state: 'done' })
  job.hears('other', { answer: seen('CANCELLED', 0, { authorized: AMOUNT, released: AMOUNT }) })
  job.report('200')
  return job
}
function elsewhere(paidHere: boolean): Job {
  const job = playedJob(['a', SILENT], ['mollie', TOOK])
  job.tries(['a', { ...TOOK, reference: 'a_1' }])
  if (paidHere) job.hears('other', { answer: seen('SUCCESS') })
  job.hearsOf({ account: 'a', reference: 'a_1', why: 'duty' }, { answer: seen('SUCCESS') })
  job.report('200')
  return job
}

/** A job whose terminal has not received the order yet. */
export function placedAtTerminal(): Job {
  return playedBirth({ terminal: { id: 'term_1', account: 'mollie' }, paymentMethod: 'terminal' })
}
/** A job whose terminal has received the order. */
export function atTerminal(): Job {
  const took = { is: 'took', reference: 'tr_1', terminal: 'term_1', expiresAt: null } as const
  return after(placedAtTerminal(), (job) => job.tries(['mollie', took]))
}
function notTaken(message: string): Job {
  return after(
    placedAtTerminal(),
    (job) => job.tries(['mollie', { is: 'refused', message }]),
    (job) => job.report('200'),
  )
}

/** Situations of a payment, at least one for each cause. */
export const TABLE: readonly [cause: Cause, what: string, make: () => Job][] = [
  ['customer-not-back', 'it is new', () => playedJob()],
  [
    'customer-came-back',
    'the customer came back',
    () => after(playedJob(), (job) => job.hears('back', { answer: seen('PENDING') })),
  ],
  [
    'part-is-due',
    'a part was paid',
    () =>
      after(
        playedJob(),
        (job) => job.hears('other', { answer: seen('PENDING', 500) }),
        (job) => job.report('200'),
      ),
  ],
  ['terminal-asked', 'the hub is sending the order to its terminal', placedAtTerminal],
  ['terminal-waits-for-card', 'the terminal has the order', atTerminal],
  [
    'terminal-in-doubt',
    'the PSP of the terminal fell silent',
    () => after(atTerminal(), (job) => job.hears('duty', { answer: NO_ANSWER })),
  ],
  ['terminal-busy', 'the terminal was at work', () => notTaken('terminal_busy: It has another payment.')],
  ['terminal-off', 'the terminal was off', () => notTaken('terminal_off: It is off.')],
  ['terminal-unreachable', 'nobody reached it', () => notTaken('terminal_unreachable: It is not there.')],
  [
    'terminal-declined',
    'the bank declined the card',
    () =>
      after(
        atTerminal(),
        (job) =>
          job.hears('other', { answer: seen('FAILURE', 0, { reason: 'declined: No money.', closed: true }) }),
        (job) => job.report('200'),
      ),
  ],
  [
    'terminal-refused',
    'the account is not set up for terminals',
    () => notTaken('refused_account: Not set up.'),
  ],
  [
    'money-underway',
    'money is coming',
    () => after(playedJob(), (job) => job.hears('back', { answer: UNDER_WAY })),
  ],
  [
    'money-reserved',
    'money is reserved',
    () => after(playedJob(), (job) => job.hears('back', { answer: AUTHORIZED })),
  ],
  [
    'money-reserved',
    'the PSP is silent since',
    () => after(playedJob(), (job) => job.hears('back', { answer: AUTHORIZED }, { answer: NO_ANSWER })),
  ],
  [
    'capture-refused',
    'the PSP refuses to capture',
    () =>
      after(
        playedJob(),
        (job) => job.hears('back', { answer: reserved() }),
        (job) => job.tell({ do: 'instruct', kind: 'capture', id: 'c1', ...WHERE }),
        (job) => job.answered('c1', { is: 'refused', message: 'No.' }),
      ),
  ],
  ['capture-awaited', 'the shop has not captured', () => reservedJob()],
  [
    'capture-ends-soon',
    'the shop has less than a day to capture',
    () => after(reservedJob(), (job) => (job.now += 2 * DAY)),
  ],
  [
    'capture-failed',
    'the PSP refused what the shop captured',
    () =>
      after(
        reservedJob(),
        (job) => job.wants('capture', 'c1'),
        (job) => job.answered('c1', { is: 'failed', message: 'No.' }),
      ),
  ],
  [
    'capture-pending',
    'the shop has captured',
    () => after(reservedJob(), (job) => job.wants('capture', 'c1')),
  ],
  [
    'release-pending',
    'the shop has released',
    () => after(reservedJob(), (job) => job.wants('release', 'c1')),
  ],
  [
    'release-pending',
    'the hub lets go of what was reserved after the end',
    () =>
      after(
        ended('CANCELLED'),
        (job) => job.hears('duty', { answer: reserved(0, { authorizedAt: job.now + DAY }) }),
        (job) => job.tell({ do: 'instruct', kind: 'release', id: 'c1', ...WHERE }),
      ),
  ],
  [
    'release-failed',
    'the PSP refused to release',
    () =>
      after(
        reservedJob(),
        (job) => job.wants('release', 'c1'),
        (job) => job.answered('c1', { is: 'refused', message: 'No.' }),
      ),
  ],
  ['psp-silent-at-announcement', 'no account took the order', () => playedJob(['mollie', SILENT])],
  [
    'psp-wants-no-request',
    'every account wants to be left alone',
    () => playedJob(['mollie', { ...SILENT, notBefore: NOW + HOUR }]),
  ],
  [
    'psp-refuses-credentials',
    'the account refuses its key at the create',
    () => playedJob(['mollie', { ...SILENT, accountRefused: true }]),
  ],
  [
    'psp-refuses-credentials',
    'the account refuses its key',
    () => after(playedJob(), (job) => job.hears('duty', { answer: KEY_REFUSED })),
  ],
  [
    'psp-refuses-credentials',
    'the account refuses its key at a capture',
    () =>
      after(
        reservedJob(),
        (job) => job.wants('capture', 'c1'),
        (job) => job.answered('c1', { is: 'refused', message: 'Unauthorized', accountRefused: true }),
      ),
  ],
  [
    'psp-knows-no-payment',
    'the PSP does not know the payment',
    () => after(playedJob(), (job) => job.hears('duty', { answer: { is: 'unknown' } })),
  ],
  [
    'psp-silent-at-pulls',
    'the PSP does not answer',
    () => after(playedJob(), (job) => job.hears('duty', { answer: NO_ANSWER })),
  ],
  [
    'psp-end-unknown',
    'the PSP leaves it open past its time',
    () =>
      after(
        playedJob(),
        (job) => (job.now += DAY + HOUR),
        (job) => job.hears('duty', { answer: seen('PENDING') }),
      ),
  ],
  [
    'signed-not-shown',
    'the PSP signed it as paid, and its API says open',
    () =>
      after(
        playedJob(),
        (job) => job.notified(AUTHORISATION),
        (job) => job.hears('duty', { answer: seen('PENDING') }),
      ),
  ],
  [
    'signed-not-shown',
    'the PSP signed it as paid after it had ended',
    () =>
      after(
        ended('EXPIRED'),
        (job) => job.notified(AUTHORISATION),
        (job) => (job.now += HOUR),
        (job) => job.hears('duty', { answer: seen('EXPIRED', 0, { closed: false }) }),
      ),
  ],
  ['paid', 'it is paid', () => told()],
  [
    'psp-refused-order',
    'the order was refused',
    () => after(playedJob(['mollie', REFUSED]), (job) => job.report('200')),
  ],
  ['payment-failed', 'the payment failed', () => ended('FAILURE')],
  ['cancelled-by-customer', 'the customer cancelled', () => ended('CANCELLED')],
  [
    'cancelled-by-shop',
    'the shop cancelled',
    () =>
      ended(
        'CANCELLED',
        after(playedJob(), (job) => job.tell({ do: 'cancel', by: 'shop' })),
      ),
  ],
  [
    'cancelled-by-operator',
    'an operator cancelled',
    () =>
      ended(
        'CANCELLED',
        after(playedJob(), (job) => job.tell({ do: 'cancel', by: 'operator' })),
      ),
  ],
  [
    'released',
    'the shop released the money',
    () => released(reservedJob(), (job) => job.wants('release', 'c1')),
  ],
  [
    'not-captured-in-time',
    'the shop did not capture',
    () =>
      released(
        after(reservedJob(), (job) => (job.now += 3 * DAY)),
        (job) => job.tell({ do: 'instruct', kind: 'release', id: 'c1', ...WHERE }),
      ),
  ],
  ['expired', 'its time was over', () => ended('EXPIRED')],
  [
    'expired-unannounced',
    'no account ever took it',
    () =>
      after(
        playedJob(['mollie', SILENT]),
        (job) => (job.now += DAY),
        (job) => job.tell({ do: 'expire' }),
        (job) => job.report('200'),
      ),
  ],
  [
    'expired-unconfirmed',
    'the PSP never answered',
    () =>
      after(
        playedJob(),
        (job) => (job.now += 2 * DAY),
        (job) => {
          for (let asked = 0; job.status() === 'PENDING' && asked < 50; asked++) {
            job.hears('duty', { answer: NO_ANSWER })
            job.now += 12 * HOUR
          }
          job.report('200')
        },
      ),
  ],
  [
    'report-due',
    'the report is on its way',
    () => after(playedJob(), (job) => job.hears('other', { answer: seen('SUCCESS') })),
  ],
  [
    'receiver-answers-error',
    'the receiver answers 500',
    () =>
      after(
        playedJob(),
        (job) => job.hears('other', { answer: seen('SUCCESS') }),
        (job) => job.report('500'),
      ),
  ],
  [
    'receiver-unreachable',
    'the receiver is not there',
    () =>
      after(
        playedJob(),
        (job) => job.hears('other', { answer: seen('SUCCESS') }),
        (job) => job.report('no connection'),
      ),
  ],
  [
    'receiver-too-slow',
    'the receiver takes too long',
    () =>
      after(
        playedJob(),
        (job) => job.hears('other', { answer: seen('SUCCESS') }),
        (job) => job.report('no answer in time'),
      ),
  ],
  [
    'report-given-up',
    'the receiver failed for three days',
    () =>
      after(
        playedJob(),
        (job) => job.hears('other', { answer: seen('SUCCESS') }),
        (job) => {
          for (let tries = 0; tries < 11; tries++) job.report('500')
        },
      ),
  ],
  [
    'report-unwanted',
    'the receiver wants no more',
    () =>
      after(
        playedJob(),
        (job) => job.hears('other', { answer: seen('SUCCESS') }),
        (job) => job.report('410', 'unwanted'),
      ),
  ],
  [
    'report-address-refused',
    'its address may not be called',
    () =>
      after(
        playedJob(),
        (job) => job.hears('other', { answer: seen('SUCCESS') }),
        (job) => job.report('address refused', 'unwanted'),
      ),
  ],
  ['paid-twice', 'two accounts were paid', () => elsewhere(true)],
  ['paid-at-other-account', 'another account was paid', () => elsewhere(false)],
  [
    'charged-back',
    'money was charged back',
    () =>
      after(
        told(),
        (job) => job.hears('other', { answer: seen('SUCCESS', AMOUNT, { chargedBack: 100 }) }),
        (job) => job.report('200'),
      ),
  ],
  [
    'cancelled-after-paid',
    'the PSP rejected it in its review',
    () =>
      after(
        told(),
        (job) => job.notified({ moves: [{ id: 'c1', kind: 'refund', amount: AMOUNT, cancelled: true }] }),
        (job) => job.report('200'),
      ),
  ],
  [
    'capture-bounced',
    'its capture failed after all',
    () =>
      after(
        told(),
        (job) => job.notified({ moves: AUTHORISATION.moves }),
        (job) => job.notified({ moves: [{ id: 'c1', kind: 'capture-failed', amount: AMOUNT }] }),
        (job) => job.report('200'),
      ),
  ],
  [
    'still-reserved',
    'the PSP does not let go of what was reserved after the end',
    () =>
      after(
        ended('CANCELLED'),
        (job) => job.hears('duty', { answer: reserved(0, { authorizedAt: job.now + DAY }) }),
        (job) => job.tell({ do: 'instruct', kind: 'release', id: 'c1', ...WHERE }),
        (job) => job.answered('c1', { is: 'refused', message: 'No.' }),
      ),
  ],
  [
    'refund-failed',
    'a refund failed',
    () =>
      after(
        told(),
        (job) => job.refund('r1', 100),
        (job) => job.answered('r1', { is: 'failed', message: 'Closed.' }),
      ),
  ],
  ['refund-pending', 'a refund is on its way', () => after(told(), (job) => job.refund('r1', 100))],
  [
    'refunded',
    'money went back',
    () =>
      after(
        told(),
        (job) => job.hears('other', { answer: seen('SUCCESS', AMOUNT, { refunded: 100 }) }),
        (job) => job.report('200'),
      ),
  ],
  [
    'overpaid',
    'too much was paid',
    () =>
      after(
        playedJob(),
        (job) => job.hears('other', { answer: seen('SUCCESS', AMOUNT + 100) }),
        (job) => job.report('200'),
      ),
  ],
  [
    'paid-in-part',
    'it ended with a part of the money',
    () =>
      after(
        playedJob(),
        (job) => job.hears('other', { answer: seen('EXPIRED', 400) }),
        (job) => job.report('200'),
      ),
  ],
  [
    'paid-late',
    'money came after the end, and another job paid the order too',
    () =>
      after(
        told(ended('EXPIRED')),
        (job) => job.tell({ do: 'record-also-paid', job: 'other', paid: AMOUNT }),
        (job) => job.report('200'),
      ),
  ],
  ['late-accepted', 'the shop took money that came after the end', () => told(ended('EXPIRED'))],
  [
    'order-paid-again',
    'another job paid the order too',
    () =>
      after(
        told(),
        (job) => job.tell({ do: 'record-also-paid', job: 'other', paid: AMOUNT }),
        (job) => job.report('200'),
      ),
  ],
  [
    'cleared',
    'an operator cleared what was too much',
    () =>
      after(
        playedJob(),
        (job) => job.hears('other', { answer: seen('SUCCESS', AMOUNT + 100) }),
        (job) => job.report('200'),
        (job) => job.tell({ do: 'clear-money' }),
      ),
  ],
]
