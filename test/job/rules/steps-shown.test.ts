import { expect, it } from 'vitest'
import type { Job } from '../../../src/job/rules/job.ts'
import { NOTHING_BACK } from '../../../src/job/rules/money-back.ts'
import { represent } from '../../../src/job/rules/representation.ts'
import { recordPull } from '../../../src/job/rules/transition.ts'
import { AMOUNT, NOW, UNDER_WAY, jobIn, sampleJob } from '../../support/sample-job.ts'

function at(second: number): number {
  return (NOW + second * 1000) * 1000
}
/** Paid in part, then as a whole; some of it went back at one time. */
function refundedAt(second: number): Job {
  return {
    ...jobIn('SUCCESS'),
    steps: [
      { at: at(1), action: 'Start', status: 'PENDING', paid: 0 },
      { at: at(2), action: 'Statuspull', status: 'PENDING', paid: 500 },
      { at: at(4), action: 'Statuspull', status: 'SUCCESS', paid: AMOUNT },
    ],
    moneyBack: {
      ...NOTHING_BACK,
      refunded: 100,
      steps: [{ at: at(second), action: 'Refund', refunded: 100, chargedBack: 0 }],
    },
  }
}

it.each([
  ['as the last step before it', 3, 'PENDING', '5.00'],
  ['as the step before, not as one at the same time', 4, 'PENDING', '5.00'],
  ['as the end, after that', 5, 'SUCCESS', '12.50'],
  ['as it is now, where no step was before it', 0, 'SUCCESS', '12.50'],
])('the step of a refund shows how the payment stood: %s', (_, second, status, amountPaid) => {
  const shown = represent(refundedAt(second)).payments.steps.find(({ action }) => action === 'Refund')
  expect(shown).toMatchObject({ status, amountPaid, amountRefunded: '1.00' })
})

it('a step shows the stage that the payment came to, and others show none', () => {
  const job = recordPull(sampleJob(), 'Statuspull', UNDER_WAY, NOW + 1000)
  const [start, pulled] = represent(job).payments.steps
  expect(start).not.toHaveProperty('stage')
  expect(pulled).toMatchObject({ action: 'Statuspull', stage: 'underway' })
})
