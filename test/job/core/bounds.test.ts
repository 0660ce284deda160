import { expect, it } from 'vitest'
import { type Job, NO_ANSWER, paidJob, playedJob, seen } from '../../support/jobs/played-job.ts'

/** Repeatable actions, and the most entries that a thousand repetitions may add. */
const REPEATED: [what: string, most: number, make: () => Job, act: (job: Job) => void][] = [
  [
    'a shop sends the report again while it is due',
    0,
    paidJob,
    (job) => job.tell({ do: 'send-report-again' }),
  ],
  [
    'a shop has the report sent again each time that it was delivered',
    599,
    paidJob,
    (job) => {
      if (job.owed().includes('report')) job.report('200')
      job.tell({ do: 'send-report-again' })
    },
  ],
  [
    'a shop cancels while the PSP stops nothing',
    2,
    playedJob,
    (job) => {
      job.tell({ do: 'cancel', by: 'shop' })
      job.hears('other', { answer: NO_ANSWER })
    },
  ],
  ['a PSP signs what is known', 1, paidJob, (job) => job.notified({ payment: 'psp-1', claims: 'SUCCESS' })],
  [
    'strangers notify, and the hub asks the PSP each time',
    50,
    paidJob,
    (job) => {
      job.notified()
      job.now += 2100
      if (job.owed().includes('ask')) job.hears('duty', { answer: seen('SUCCESS') })
    },
  ],
  ['a customer comes back', 1, playedJob, (job) => job.hears('back', { answer: seen('PENDING') })],
  [
    'another job of the order number reports its money each time',
    1,
    paidJob,
    (job) => job.tell({ do: 'record-also-paid', job: 'other', paid: 500 }),
  ],
  [
    'a test shop lets time pass',
    40,
    playedJob,
    (job) => job.tell({ do: 'let-time-pass', to: job.state.clock.wanted + 1000 }),
  ],
]

it.each(REPEATED)('a journal does not grow without limit: %s', (_, most, make, act) => {
  const job = make()
  const before = job.entries.length
  for (let times = 0; times < 1000; times++) {
    act(job)
    job.now += 10
  }
  expect(job.entries.length - before).toBeLessThanOrEqual(most)
})

it('a job at its bounds still takes in money', () => {
  const job = playedJob()
  for (let times = 1; times <= 1000; times++) {
    job.tell({ do: 'let-time-pass', to: times * 1000 })
    job.notified()
  }
  job.hears('other', { answer: seen('SUCCESS') })
  expect(job.status()).toBe('SUCCESS')
})
