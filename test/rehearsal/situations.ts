import { DAY, HOUR, MINUTE } from '../../src/contract/timestamp.ts'
import { decide } from '../../src/job/core/decide.ts'
import { askedAgain } from '../../src/job/core/instruct.ts'
import {
  type Job,
  AMOUNT,
  DONE,
  NO_ANSWER,
  WHERE,
  playedJob,
  reserved,
  reservedJob,
  seen,
} from '../support/jobs/played-job.ts'
import { keyOf, versionOf } from '../../src/job/core/journal.ts'
import { TABLE } from '../support/jobs/why-jobs.ts'
import { ofKind } from '../../src/job/core/payment.ts'
import type { Transfer } from '../../src/psp/answer.ts'

/** The journal of a job as its object stores it. */
export function storedOf({ entries }: Pick<Job, 'entries'>) {
  return entries.map(({ number, ...entry }) => ({
    key: keyOf(number),
    value: { version: versionOf(entry.facts), ...entry },
  }))
}

const UNANSWERED = { answer: { ...NO_ANSWER, retryAfter: 60 } }

/** Events of a job that its journal keeps. */
export const HAPPENED: readonly [what: string, play: (job: Job) => unknown][] = [
  ['the customer came back, and the PSP did not answer', (job) => job.hears('back', { answer: NO_ANSWER })],
  ['the customer came back, and the hub did not ask', (job) => job.tell({ do: 'record-return' })],
  ['the PSP wants a pause', (job) => job.hears('duty', UNANSWERED)],
  ['the PSP does not know the payment', (job) => job.hears('duty', { answer: { is: 'unknown' } })],
  [
    'the hub stopped the payment',
    (job) => {
      job.tell({ do: 'cancel', by: 'shop' })
      job.hears('duty', { answer: seen('CANCELLED'), stopped: 'cancel' })
    },
  ],
  [
    'others asked at the end of the time to pay, and the entry has a row as well',
    (job) => {
      job.now += DAY + MINUTE
      const question = { where: WHERE, asked: job.now, why: 'other' } as const
      const answers = [{ answer: seen('PENDING', 0, { closed: true }) }]
      const facts = decide(job.state, { do: 'record-answer', question, answers }, job.now)
      job.append([...facts, { is: 'row-written', entry: 1, digest: 'd1' }])
    },
  ],
  [
    'a notification came with its answer',
    (job) => {
      const notified = { is: 'notified', came: job.now, ...WHERE, payment: 'card' } as const
      job.hearsOf({ notified }, { answer: seen('PENDING') })
    },
  ],
  [
    'the report was sent again, and its try has the row of the job as well',
    (job) => {
      job.hears('other', { answer: seen('SUCCESS') })
      job.report('200')
      job.tell({ do: 'send-report-again' })
      const { revision, entry } = job.state
      const tried = { revision, began: job.now + 5, ms: 10, outcome: '200', result: 'delivered' } as const
      job.append([
        { is: 'report-tried', ...tried },
        { is: 'row-written', entry: entry.number, digest: 'd1' },
      ])
    },
  ],
  [
    'a test let time pass twice',
    (job) => {
      for (const to of [DAY, 2 * DAY]) {
        job.tell({ do: 'let-time-pass', to })
        job.tell({ do: 'move-clock', next: job.now + HOUR })
      }
    },
  ],
  [
    'a refund was asked for again, which the PSP did not do yet',
    (job) => {
      job.hears('other', { answer: seen('SUCCESS') })
      job.refund('r1', 500)
      job.answered('r1', { is: 'not-yet', message: 'The balance is too low.' })
      job.untilDue('instruct')
      job.append(ofKind(job.state, 'refund').map(askedAgain))
    },
  ],
  [
    'the PSP lists refunds: one of the hub, one of somebody else, and one that bounced',
    (job) => {
      const lists = (...refund: Transfer[]) =>
        job.hears('duty', { answer: seen('SUCCESS', AMOUNT, { transfers: { refund } }) })
      job.hears('other', { answer: seen('SUCCESS') })
      job.refund('r1', 500)
      job.answered('r1', NO_ANSWER)
      // Its answer is lost too, and the PSP lists it late.
      job.refund('r2', 50)
      const own: Transfer = { id: 're_1', own: 'r1', amount: 500, state: 'done' }
      job.now += MINUTE
      lists(own, { id: 're_2', amount: 100, state: 'done' })
      job.now += MINUTE
      lists(
        { ...own, state: 'failed', why: 'The account is closed.' },
        { id: 're_2', amount: 100, state: 'done' },
      )
    },
  ],
  [
    'a refund never reached the PSP',
    (job) => {
      job.hears('other', { answer: seen('SUCCESS') })
      job.refund('r1', 500)
      job.now += HOUR
      job.hears('duty', { answer: seen('SUCCESS', AMOUNT, { transfers: { refund: [] } }) })
    },
  ],
]

/** A job whose money is reserved, and that was captured as a whole. */
function captured(amount: number | null = null): Job {
  const job = reservedJob()
  job.wants('capture', 'c1', { amount })
  job.answered('c1', DONE)
  job.hears('other', { answer: reserved(amount ?? AMOUNT) })
  return job
}

/** What the simulation plays rarely or never. */
const RARE: readonly (() => Job)[] = [
  // Other jobs of its order number are paid too.
  () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    for (const other of ['j1', 'j2', 'j3']) job.tell({ do: 'record-also-paid', job: other, paid: AMOUNT })
    job.tell({ do: 'record-also-paid', job: 'j1', paid: 0 })
    return job
  },
  // A capture fails after all.
  () => {
    const job = captured()
    job.now += HOUR
    job.answered('c1', { is: 'failed', message: 'Refused by the scheme.' })
    job.hears('other', { answer: reserved(0) })
    return job
  },
  // The rest of a part is not captured until the deadline.
  () => {
    const job = captured(500)
    job.untilDue('release')
    job.tell({ do: 'instruct', kind: 'release', id: 'l1', ...WHERE })
    job.answered('l1', DONE)
    job.hears('other', { answer: reserved(500, { released: AMOUNT - 500 }) })
    return job
  },
]

/** Returns a job in each of these situations. */
export function situations(): Job[] {
  const happened = HAPPENED.map(([, play]) => {
    const job = playedJob()
    play(job)
    return job
  })
  return [...TABLE.map(([, make]) => make()), ...happened, ...RARE.map((make) => make())]
}
