import type { Cause } from '../../../src/contract/causes.ts'
import { DAY, HOUR } from '../../../src/contract/timestamp.ts'
import type { Command, PaymentAnswer, Question } from '../../../src/job/core/decide.ts'
import type { Instruction } from '../../../src/job/core/payment.ts'
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

export const KEY_REFUSED = { ...NO_ANSWER, accountRefused: true } as const

/** Something that happens to a job. */
type Event = (job: Job) => unknown

/** Lets things happen to a job, one after the other. */
function after(job: Job, ...events: readonly Event[]): Job {
  for (const event of events) event(job)
  return job
}
function hears(answer: PaymentAnswer['answer'], why: Question['why'] = 'other'): Event {
  return (job) => job.hears(why, { answer })
}
function signs(...moves: Parameters<Job['notified']>): Event {
  return (job) => job.notified(...moves)
}
function reports(...tried: Parameters<Job['report']>): Event {
  return (job) => job.report(...tried)
}
function tells(command: Command): Event {
  return (job) => job.tell(command)
}
function wants(kind: Instruction['kind'], more: Parameters<Job['wants']>[2] = {}): Event {
  return (job) => job.wants(kind, 'c1', more)
}
/** The hub wants what nobody else asked for. */
function byHub(kind: 'capture' | 'release'): Event {
  return tells({ do: 'instruct', kind, id: 'c1', ...WHERE })
}
function answers(answer: Parameters<Job['answered']>[1]): Event {
  return (job) => job.answered('c1', answer)
}
function later(ms: number): Event {
  return (job) => (job.now += ms)
}

const REPORTED = reports('200')
const PAID = hears(seen('SUCCESS'))
const OVERPAID = hears(seen('SUCCESS', AMOUNT + 100))
const REFUSED = answers({ is: 'refused', message: 'No.' })
const FAILED = answers({ is: 'failed', message: 'Closed.' })
const SIGNED_PART = { id: 'p1', kind: 'part', amount: AMOUNT, reference: 'card' } as const
const AUTHORISATION = signs({ payment: 'card', claims: 'SUCCESS', moves: [SIGNED_PART] })
const ALSO_PAID = tells({ do: 'record-also-paid', job: 'other', paid: AMOUNT })

/** A paid job whose report was delivered. */
export function told(job: Job = playedJob()): Job {
  return after(job, PAID, REPORTED)
}
export function ended(status: 'FAILURE' | 'CANCELLED' | 'EXPIRED', job = playedJob()): Job {
  return after(job, hears(seen(status)), REPORTED)
}
/** A job whose money was reserved after it had ended, so that the hub releases it. */
function reservedLate(...events: readonly Event[]): Job {
  const late = reserved(0, { authorizedAt: NOW + DAY })
  return after(ended('CANCELLED'), hears(late, 'duty'), byHub('release'), ...events)
}
function released(...events: readonly Event[]): Job {
  const all = hears(seen('CANCELLED', 0, { authorized: AMOUNT, released: AMOUNT }))
  return after(
    reservedJob(),
    ...events,
    answers({ is: 'taken', reference: null, state: 'done' }),
    all,
    REPORTED,
  )
}
/** A job that was paid at an account that had not answered at first. */
function elsewhere(...events: readonly Event[]): Job {
  const job = playedJob(['a', SILENT], ['mollie', TOOK])
  job.tries(['a', { ...TOOK, reference: 'a_1' }])
  after(job, ...events)
  job.hearsOf({ account: 'a', reference: 'a_1', why: 'duty' }, { answer: seen('SUCCESS') })
  return after(job, REPORTED)
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
  return after(placedAtTerminal(), (job) => job.tries(['mollie', { is: 'refused', message }]), REPORTED)
}

/** Jobs that stand as they do because of each cause. */
const JOBS: Readonly<Record<Cause, readonly [() => Job, ...(() => Job)[]]>> = {
  'customer-not-back': [() => playedJob()],
  'customer-came-back': [() => after(playedJob(), hears(seen('PENDING'), 'back'))],
  'part-is-due': [() => after(playedJob(), hears(seen('PENDING', 500)), REPORTED)],
  'money-underway': [() => after(playedJob(), hears(UNDER_WAY, 'back'))],
  'money-reserved': [
    () => after(playedJob(), hears(AUTHORIZED, 'back')),
    // The PSP is silent since.
    () => after(playedJob(), (job) => job.hears('back', { answer: AUTHORIZED }, { answer: NO_ANSWER })),
  ],
  'capture-refused': [() => after(playedJob(), hears(reserved(), 'back'), byHub('capture'), REFUSED)],
  'capture-failed': [() => after(reservedJob(), wants('capture'), FAILED)],
  'capture-awaited': [reservedJob],
  'capture-ends-soon': [() => after(reservedJob(), later(2 * DAY))],
  'capture-pending': [
    () => after(reservedJob(), wants('capture')),
    // The PSP cannot do it yet.
    () => after(reservedJob(), wants('capture'), answers({ is: 'not-yet', message: 'Not now.' })),
    // It has done it, but the hub has not asked since.
    () => after(reservedJob(), wants('capture'), answers({ is: 'taken', reference: null, state: 'done' })),
  ],
  'release-pending': [() => after(reservedJob(), wants('release')), () => reservedLate()],
  'release-failed': [() => after(reservedJob(), wants('release'), REFUSED)],
  'psp-silent-at-announcement': [() => playedJob(['mollie', SILENT])],
  'psp-wants-no-request': [() => playedJob(['mollie', { ...SILENT, notBefore: NOW + HOUR }])],
  'psp-silent-at-pulls': [() => after(playedJob(), hears(NO_ANSWER, 'duty'))],
  'psp-end-unknown': [() => after(playedJob(), later(DAY + HOUR), hears(seen('PENDING'), 'duty'))],
  // When the hub announces the order, asks about the payment, and captures.
  'psp-refuses-credentials': [
    () => playedJob(['mollie', { ...SILENT, accountRefused: true }]),
    () => after(playedJob(), hears(KEY_REFUSED, 'duty')),
    () =>
      after(
        reservedJob(),
        wants('capture'),
        answers({ is: 'refused', message: 'Unauthorized', accountRefused: true }),
      ),
  ],
  'psp-knows-no-payment': [() => after(playedJob(), hears({ is: 'unknown' }, 'duty'))],
  // Before and after the end.
  'signed-not-shown': [
    () => after(playedJob(), AUTHORISATION, hears(seen('PENDING'), 'duty')),
    () =>
      after(
        ended('EXPIRED'),
        AUTHORISATION,
        later(HOUR),
        hears(seen('EXPIRED', 0, { closed: false }), 'duty'),
      ),
  ],
  'terminal-asked': [placedAtTerminal],
  'terminal-waits-for-card': [atTerminal],
  'terminal-in-doubt': [() => after(atTerminal(), hears(NO_ANSWER, 'duty'))],
  paid: [() => told()],
  'psp-refused-order': [
    () => after(playedJob(['mollie', { is: 'refused', message: 'refused_order: no' }]), REPORTED),
  ],
  'payment-failed': [() => ended('FAILURE')],
  'terminal-busy': [() => notTaken('terminal_busy: It has another payment.')],
  'terminal-off': [() => notTaken('terminal_off: It is off.')],
  'terminal-unreachable': [() => notTaken('terminal_unreachable: It is not there.')],
  'terminal-declined': [
    () => after(atTerminal(), hears(seen('FAILURE', 0, { reason: 'declined: No money.' })), REPORTED),
  ],
  'terminal-refused': [() => notTaken('refused_account: Not set up.')],
  'cancelled-by-customer': [() => ended('CANCELLED')],
  'cancelled-by-shop': [() => ended('CANCELLED', after(playedJob(), tells({ do: 'cancel', by: 'shop' })))],
  'cancelled-by-operator': [
    () => ended('CANCELLED', after(playedJob(), tells({ do: 'cancel', by: 'operator' }))),
  ],
  released: [() => released(wants('release'))],
  'not-captured-in-time': [() => released(later(3 * DAY), byHub('release'))],
  expired: [() => ended('EXPIRED')],
  'expired-unannounced': [
    () => after(playedJob(['mollie', SILENT]), later(DAY), tells({ do: 'expire' }), REPORTED),
  ],
  'expired-unconfirmed': [
    () => {
      const asked = Array.from({ length: 12 }).flatMap(() => [hears(NO_ANSWER, 'duty'), later(12 * HOUR)])
      return after(playedJob(), later(2 * DAY), ...asked, REPORTED)
    },
  ],
  'report-due': [() => after(playedJob(), PAID)],
  'receiver-answers-error': [() => after(playedJob(), PAID, reports('500'))],
  'receiver-unreachable': [() => after(playedJob(), PAID, reports('no connection'))],
  'receiver-too-slow': [() => after(playedJob(), PAID, reports('no answer in time'))],
  'report-given-up': [() => after(playedJob(), PAID, ...Array.from({ length: 11 }, () => reports('500')))],
  'report-unwanted': [() => after(playedJob(), PAID, reports('410', 'unwanted'))],
  'report-address-refused': [() => after(playedJob(), PAID, reports('address refused', 'unwanted'))],
  'paid-twice': [() => elsewhere(PAID)],
  'paid-at-other-account': [() => elsewhere()],
  'charged-back': [() => after(told(), hears(seen('SUCCESS', AMOUNT, { chargedBack: 100 })), REPORTED)],
  'cancelled-after-paid': [
    () =>
      after(
        told(),
        signs({ moves: [{ id: 'c1', kind: 'refund', amount: AMOUNT, cancelled: true }] }),
        REPORTED,
      ),
  ],
  'capture-bounced': [
    () =>
      after(
        told(),
        signs({ moves: [SIGNED_PART] }),
        signs({ moves: [{ id: 'c1', kind: 'capture-failed', amount: AMOUNT }] }),
        REPORTED,
      ),
  ],
  'still-reserved': [() => reservedLate(REFUSED)],
  'refund-failed': [() => after(told(), wants('refund', { amount: 100 }), FAILED)],
  overpaid: [() => after(playedJob(), OVERPAID, REPORTED)],
  'paid-in-part': [() => after(playedJob(), hears(seen('EXPIRED', 400)), REPORTED)],
  // Another job paid the order too.
  'paid-late': [() => after(told(ended('EXPIRED')), ALSO_PAID, REPORTED)],
  'late-accepted': [() => told(ended('EXPIRED'))],
  'order-paid-again': [() => after(told(), ALSO_PAID, REPORTED)],
  cleared: [() => after(playedJob(), OVERPAID, REPORTED, tells({ do: 'clear-money' }))],
  'refund-pending': [() => after(told(), wants('refund', { amount: 100 }))],
  refunded: [() => after(told(), hears(seen('SUCCESS', AMOUNT, { refunded: 100 })), REPORTED)],
}

/** Each job that stands as it does because of a cause. */
export const TABLE = Object.entries(JOBS).flatMap(([cause, makes]) =>
  makes.map((make) => [cause, make] as const),
)

/** Returns the first job of a cause. */
export function jobWith(cause: Cause): Job {
  return JOBS[cause][0]()
}
