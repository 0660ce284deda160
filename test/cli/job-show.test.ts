import { expect, it } from 'vitest'
import { showJob } from '../../src/cli/operator/job-show.ts'
import { viewOf } from '../../src/cli/operator/view.ts'
import type { JobDetail } from '../../src/operator-api/contract/jobs.ts'
import { JOB, REFUND } from './hub-double.ts'

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
    stage: null,
    announcement: 'announced',
    payments: {
      creationDate: at,
      status: 'SUCCESS',
      ...amounts,
      steps: [
        { creationDate: at, action: 'Return', status: 'PENDING', stage: 'underway', ...amounts },
        { creationDate: at, action: 'Refund', status: 'SUCCESS', ...amounts, amountRefunded: '5.00' },
      ],
    },
    refunds: [{ ...REFUND, status: 'FAILURE', error: 'The balance is too low.' }],
    otherPayments: [{ account: 'b', reference: 'tr_2', amountPaid: '12.50' }],
    reports: [],
  }
  const text = showJob(job, viewOf(process.stdout, true))
  expect(text).toContain('its money came after it had ended')
  expect(text).toContain('EUR 5.00 refunded')
  expect(text).toContain('EUR 2.00 charged back')
  expect(text).toContain('b may hold another payment, tr_2: 12.50 paid there')
  expect(text).toContain('refund r of 5.00 is FAILURE: The balance is too low.')
  expect(text).toMatch(/Return +PENDING +underway/)
  expect(text).toMatch(/Refund +SUCCESS +5\.00 refunded/)
})
