import { expect, it } from 'vitest'
import { newsOf, showJob } from '../../src/cli/job.ts'

import { textOf, viewOf } from '../../src/programs/view.ts'
import type { JobDetail } from '../../src/contract/job-detail.ts'
import { JOB, TRANSFER, WHY } from './sample-answers.ts'

const VIEW = viewOf(process.stdout, true)
const WHEN = '2026-01-31T10:00:00.000Z'

it('a job shows where its money is, what has gone back, and what an operator should look at', () => {
  const at = '2026-11-21T20:49:05.485001Z'
  const amounts = { amountDue: '0.00', amountPaid: '12.50' }
  const job: JobDetail = {
    ...JOB,
    status: 'SUCCESS',
    ...amounts,
    amountRefunded: '5.00',
    amountChargedBack: '2.00',
    late: true,
    payments: {
      creationDate: at,
      status: 'SUCCESS',
      ...amounts,
      steps: [
        { creationDate: at, action: 'Return', status: 'PENDING', stage: 'underway', ...amounts },
        { creationDate: at, action: 'Refund', status: 'SUCCESS', ...amounts, amountRefunded: '5.00' },
      ],
    },
    transfers: [{ ...TRANSFER, kind: 'refund', state: 'failed', why: 'The balance is too low.' }],
    otherPayments: [{ account: 'b', reference: 'tr_2', amountPaid: '12.50' }],
    reports: [
      {
        revision: 2,
        state: 'due',
        due: at,
        attempts: [{ at, outcome: '500', milliseconds: 12, answer: 'out of memory' }],
      },
      { revision: 1, state: 'given-up', due: null, attempts: [] },
    ],
    passedOver: ['a'],
    timers: { expires: null, nextPull: at, nextAnnouncement: null, nextReport: at, purge: null },
  }
  const text = textOf(showJob(job, VIEW))
  expect(text).toContain('its money came after it had ended')
  expect(text).toMatch(/^refunded +EUR 5\.00$/m)
  expect(text).toMatch(/^charged back +EUR 2\.00$/m)
  expect(text).toContain('b may hold another payment, tr_2: 12.50 paid there')
  expect(text).toMatch(/refund +EUR 5\.00 +failed .*re_1 +The balance is too low\./)
  expect(text).toMatch(/Return +PENDING +underway/)
  expect(text).toMatch(/Refund +SUCCESS +5\.00 refunded/)
  expect(text).toMatch(/^point of sale +Shop 1 \(p\)/m)
  expect(text).toMatch(/^created +2026-01-31 10:00:00Z$/m)
  expect(text).toMatch(/^paid by +ideal$/m)
  expect(text).toMatch(/^passed over +a$/m)
  expect(text).toMatch(/^reports go to +https:\/\/shop\/report$/m)
  expect(text).toMatch(/^next question to the PSP +2026-11-21 20:49:05Z$/m)
  expect(text).not.toContain('is deleted')
  expect(text).toMatch(/^1 +given up$/m)
  expect(text).toMatch(/2026-11-21 20:49:05Z +500 after 12 ms: out of memory/)
})

it('a job with reserved money shows how much, until when, and the state of its captures', () => {
  const step = { creationDate: WHEN, status: 'PENDING', amountDue: '12.50', amountPaid: '0.00' } as const
  const captured = { amountPaid: '5.00', amountAuthorized: '12.50' }
  const job: JobDetail = {
    ...JOB,
    stage: 'authorized',
    amountAuthorized: '12.50',
    amountReleased: '2.00',
    capturable: '5.50',
    captureBefore: '2026-02-03T10:00:00.000000Z',
    transfers: [TRANSFER, { ...TRANSFER, state: 'failed', why: 'The bank said no.' }],
    payments: {
      ...JOB.payments,
      steps: [
        { ...step, action: 'Statuspull', amountAuthorized: '12.50' },
        { ...step, action: 'Capture', ...captured },
        { ...step, action: 'Release', ...captured, amountReleased: '2.00' },
        { ...step, action: 'Return', ...captured, amountReleased: '2.00' },
      ],
    },
  }
  const text = textOf(showJob(job, VIEW))
  expect(text).toMatch(/^reserved +EUR 12\.50$/m)
  expect(text).toMatch(/^can be captured until 2026-02-03 10:00:00Z +EUR 5\.50$/m)
  expect(text).toMatch(/^released +EUR 2\.00$/m)
  expect(text).toMatch(/capture +EUR 5\.00 +done +2026-01-31 10:00:00Z/)
  expect(text).toMatch(/capture +EUR 5\.00 +failed .*The bank said no\./)
  expect(text).toMatch(/Statuspull +PENDING +12\.50 reserved$/m)
  expect(text).toMatch(/Capture +PENDING +5\.00 captured$/m)
  expect(text).toMatch(/Release +PENDING +2\.00 released$/m)
  expect(text).toMatch(/Return +PENDING$/m)
})

it('the cause comes right after the status, with whose move it is, and what to do', () => {
  const [, , ...lines] = textOf(showJob({ ...JOB, why: WHY }, VIEW)).split('\n')
  expect(lines.slice(0, 4)).toEqual([
    'The payment is open since 2026-01-31 10:00:00Z.',
    'Also: It rains.',
    'It is the customer’s move. The customer pays.',
    '(customer-not-back)',
  ])
})

it('a payment that has ended shows that instead of whose move it is', () => {
  const todo = 'There is nothing to do.'
  const ended = { ...JOB, why: { ...WHY, cause: 'paid', move: 'nobody' as const, todo } }
  expect(textOf(showJob(ended, VIEW))).toContain('\nThe payment has ended. There is nothing to do.\n(paid)\n')
})

it('only what is new in a job is news', () => {
  const step = {
    creationDate: WHEN,
    action: 'Refund',
    status: 'SUCCESS',
    amountDue: '0.00',
    amountPaid: '12.50',
    amountRefunded: '12.50',
  } as const
  const later: JobDetail = {
    ...JOB,
    payments: { ...JOB.payments, steps: [...JOB.payments.steps, step] },
    why: { ...JOB.why, cause: 'paid', happened: 'It is paid.' },
  }
  expect(newsOf(later, later, VIEW)).toEqual([])
  expect(newsOf(JOB, later, VIEW)).toEqual([
    '2026-01-31 10:00:00Z  Refund SUCCESS 12.50 refunded',
    '',
    expect.stringContaining('It is paid.'),
    '',
  ])
  expect(newsOf(null, JOB, VIEW)[1]).toBe('2026-01-31 10:00:00Z  report 1: 500')
})

it('a payment at a terminal shows the terminal, the tip and the card', () => {
  const job: JobDetail = {
    ...JOB,
    status: 'SUCCESS',
    amountPaid: '13.50',
    amountTip: '1.00',
    terminal: { id: 'term_1', state: 'ended' },
    card: { brand: 'visa', lastFour: '4242', entryMode: 'contactless', authorisationCode: '123456' },
  }
  const text = textOf(showJob(job, VIEW))
  expect(text).toMatch(/^terminal +term_1: ended$/m)
  expect(text).toMatch(/^tip +EUR 1\.00$/m)
  expect(text).toMatch(/^card +visa, •••• 4242, contactless, code 123456$/m)
})
