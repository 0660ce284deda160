import { expect } from 'vitest'
import { represent } from '../../../src/job/core/show.ts'
import { type Job, seen } from './played-job.ts'

export const CAPTURED = { is: 'taken', reference: 'cpt_1', state: 'done' } as const
export const REFUSED = { is: 'refused', message: 'The amount is too high.' } as const

/** Returns the amounts that the shop can read. */
export function money(job: Job) {
  const { status, amountPaid, amountDue, amountAuthorized, amountReleased, amountRefunded } = represent(
    job.state,
  )
  return {
    status,
    paid: amountPaid,
    due: amountDue,
    authorized: amountAuthorized,
    released: amountReleased,
    refunded: amountRefunded,
  }
}

/** The shop captures a part, and the PSP confirms it. */
export function captures(job: Job, id: string, amount: number | null, answer = CAPTURED) {
  const decided = job.wants('capture', id, { amount })
  job.answered(id, answer)
  return decided
}

export function answers(job: Job, answer: ReturnType<typeof seen>) {
  job.now += 1000
  job.hears('other', { answer })
}

/** The hub captures or releases reserved money, as its next duty says. Returns which. */
export function hubDoes(job: Job, id: string): string {
  job.untilDue('capture', 'release')
  const duty = job.duties().find((one) => one.do === 'capture' || one.do === 'release')
  if (duty?.do !== 'capture' && duty?.do !== 'release') throw new Error('nothing is wanted')
  const { account, reference } = duty.payment
  expect(job.tell({ do: 'instruct', kind: duty.do, account, reference, id })).toHaveLength(1)
  return duty.do
}
