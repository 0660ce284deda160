import { describe, expect, it } from 'vitest'
import { LAST_PULL_PATIENCE } from '../../../../src/job/rules/schedule.ts'
import { DAY } from '../../../../src/contract/timestamp.ts'
import { expire, expireUnanswered } from '../../../../src/job/rules/transition.ts'
import { why } from '../../../../src/job/rules/why/why.ts'
import { NOW, REFUSED, UNDER_WAY, jobIn, sampleJob, seen } from '../../../support/sample-job.ts'
import { END, SOON, paid, pulled, reported } from '../why-jobs.ts'
import { LEARNT, TOLD, told } from './sentences.ts'
import type { Job } from '../../../../src/job/rules/job.ts'

describe('a payment that has ended', () => {
  const late = END + LAST_PULL_PATIENCE
  const unconfirmed = reported(expireUnanswered({ ...sampleJob(), lastPulls: 9 }, late))
  const unpaid = `The customer did not pay in time; the job ended at 2026-02-03T11:01:00Z.${TOLD}`
  told([
    [
      'ended when its status last changed, and not when more money came',
      reported(pulled(paid(), seen('SUCCESS', 1500), END)),
      END,
      'overpaid',
      `The customer paid EUR 15.00 at sandbox; the hub learnt it at 2026-01-31T10:00:20Z. The customer paid EUR 2.50 more than was due.${TOLD}`,
    ],
    [
      'ended in time where the PSP said so, however late',
      { ...unconfirmed, closed: true },
      late,
      'expired',
      unpaid,
    ],
    [
      'ended in time where a pull said so, however late',
      {
        ...unconfirmed,
        steps: unconfirmed.steps.map((step) => ({ ...step, action: 'Statuspull' as const })),
      },
      late,
      'expired',
      unpaid,
    ],
    [
      'ended in time where it ended before the patience of the hub did',
      { ...unconfirmed, steps: unconfirmed.steps.map((step) => ({ ...step, at: step.at - 1000 })) },
      late,
      'expired',
      `The customer did not pay in time; the job ended at 2026-02-03T11:00:59Z.${TOLD}`,
    ],
  ])

  const traceless = (job: Job): Job => ({ ...reported(job), steps: [] })
  told([
    [
      'ended when it was last changed, where it has no trace: paid',
      traceless(paid()),
      SOON,
      'paid',
      LEARNT + TOLD,
    ],
    [
      'ended when it was last changed, where it has no trace: cancelled',
      traceless(jobIn('CANCELLED')),
      SOON,
      'cancelled-by-customer',
      `The customer cancelled the payment at sandbox; the hub learnt it at 2026-01-31T10:00:01Z.${TOLD}`,
    ],
    [
      'ended when it was last changed, where it has no trace: expired',
      traceless(expire(sampleJob(), END)),
      END,
      'expired',
      `The customer did not pay in time; the job ended at 2026-01-31T11:01:00Z.${TOLD}`,
    ],
    [
      'did not wait for money where its trace begins with the end',
      {
        ...reported(expire(pulled(sampleJob(), UNDER_WAY), NOW + 15 * DAY)),
        steps: expire(sampleJob(), END).steps.slice(-1),
      },
      END,
      'expired',
      `The customer did not pay in time; the job ended at 2026-01-31T11:01:00Z.${TOLD}`,
    ],
  ])

  it('is not for the shop to mend where the PSP refused the account', () => {
    const refused = (error: string | null) => why({ ...reported(sampleJob(REFUSED)), error }, SOON)
    const atAccount =
      'Set the account up for this at the PSP, or route the payment method to another one than sandbox.'
    const atOrder =
      'The shop changes the order, or offers another payment method, and makes a new payment job.'
    expect(refused('refused_account: Not activated.').todo).toBe(atAccount)
    expect(refused('refused_method: not refused_account').todo).toBe(atOrder)
    expect(refused(null)).toMatchObject({
      happened: `The PSP of sandbox refused the order at 2026-01-31T10:00:00Z.${TOLD}`,
      todo: atOrder,
    })
  })
})
