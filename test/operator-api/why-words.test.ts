import { expect, it } from 'vitest'
import { DAY, MINUTE } from '../../src/contract/timestamp.ts'
import type { Cause } from '../../src/contract/causes.ts'
import { whyInWords } from '../../src/operator-api/why-words.ts'
import {
  AMOUNT,
  AUTHORIZED,
  NOT_ASKED,
  SILENT,
  TOOK,
  WHERE,
  playedJob,
  reservedJob,
  seen,
} from '../support/jobs/played-job.ts'
import { TABLE, jobWith, told } from '../support/jobs/why-jobs.ts'

it.each(TABLE)('%s is explained in whole sentences', (cause, make) => {
  const job = make()
  const words = whyInWords(job.state, job.now + MINUTE)
  expect(words).toMatchObject({ cause })
  for (const sentence of [words.happened, words.todo, ...words.also]) {
    expect(sentence).toMatch(/^[A-Z].*([.)]|[.!?]")$/s)
    expect(sentence).not.toMatch(/undefined|null|NaN|Invalid|\[object|[{}`]|\."?\./)
  }
})

it('gives the time when the payment ended, not the time of a later refund', () => {
  const job = told()
  const ended = whyInWords(job.state, job.now).happened
  job.now += 3 * MINUTE
  job.hears('other', { answer: seen('SUCCESS', AMOUNT, { refunded: 100 }) })
  job.report('200')
  expect(ended).toContain('the hub learnt of it at')
  expect(whyInWords(job.state, job.now).happened).toContain(ended.split(' The shop')[0])
})

function inWords(cause: Cause): string {
  const job = jobWith(cause)
  const { happened, todo } = whyInWords(job.state, job.now)
  return `${happened} ${todo}`
}

it('names the account, the amounts and the times', () => {
  expect(inWords('part-is-due')).toContain('EUR 5.00; EUR 7.50')
  expect(inWords('psp-silent-at-announcement')).toContain('mollie')
  expect(inWords('money-underway')).toContain('2026-02-14T10:00:00Z')
  expect(inWords('paid-twice')).toContain('EUR 12.50 at a (a_1)')
  // Only the rest: a refund of everything would take the shop's money too.
  expect(inWords('overpaid')).toMatch(/paid EUR (\d+\.\d\d) more than was due\..*--amount \1\b/)
})

it('writes yen without decimals', () => {
  const job = jobWith('overpaid')
  const state = { ...job.state, order: { ...job.state.order, currency: 'JPY' } }
  const { happened } = whyInWords(state, job.now)
  expect(happened).toMatch(/JPY \d+ more than/)
})

it('never places money at the wrong account', () => {
  for (const cause of ['paid-twice', 'paid-at-other-account'] as const) {
    expect(inWords(cause)).not.toMatch(/EUR \d+\.\d\d at mollie/)
    expect(inWords(cause)).toContain('EUR 12.50 at a (a_1)')
  }
})

it('asks to repeat only the refund that failed, never to refund all', () => {
  expect(inWords('refund-failed')).toContain('job refund --amount 1.00.')
  expect(inWords('refund-failed')).not.toContain('--all')
})

it('names each account that did not take the order once, and quotes in whole sentences', () => {
  const job = playedJob(['a', SILENT], ['b', NOT_ASKED], ['a', SILENT], ['a', NOT_ASKED], ['mollie', TOOK])
  const { happened } = whyInWords(job.state, job.now)
  expect(happened).toContain('The order went to mollie after a, which did not answer.')
  expect(happened.match(/\ba\b[, ]/g)).toHaveLength(1)
  expect(happened.match(/b was passed over/g)).toHaveLength(1)
  for (const [, make] of TABLE) {
    const other = make()
    expect(whyInWords(other.state, other.now).happened).not.toMatch(/[^.!?…]" [A-Z]/)
  }
})

it('says what became of an instruction, and when the hub asks again', () => {
  const job = reservedJob()
  job.wants('capture', 'c1')
  const words = () => whyInWords(job.state, job.now).happened
  expect(words()).toMatch(/A capture of EUR 12\.50 .*, and the PSP has not answered\. The hub asks again at /)
  job.answered('c1', { is: 'not-yet', message: 'Not now.' })
  expect(words()).toMatch(/and the PSP has not done it yet\. It said: "Not now\." The hub tries again at /)
  job.answered('c1', { is: 'taken', reference: null, state: 'done' })
  expect(words()).toContain('and the PSP has accepted it.')
})

it('says of what the PSP refused its credentials', () => {
  const words = TABLE.flatMap(([cause, make]) => {
    const { state, now } = make()
    return cause === 'psp-refuses-credentials' ? [whyInWords(state, now).happened] : []
  })
  expect(words).toEqual([
    expect.stringContaining('of mollie, so the customer cannot pay yet.'),
    expect.stringMatching(/^When the hub asked about the payment at .* of mollie\./),
    expect.stringContaining(
      'of mollie when the hub asked for a capture of EUR 12.50. It said: "Unauthorized".',
    ),
  ])
})

it("adds the full stop that a PSP's words about a failed refund may lack", () => {
  const job = told()
  job.refund('r1', 100)
  job.answered('r1', { is: 'failed', message: 'Adyen says: closed account' })
  expect(whyInWords(job.state, job.now).happened).toContain('closed account. The shop')
})

it('does not blame the customer for reserved money that was not captured, even after a later question', () => {
  const job = playedJob()
  job.hears('back', { answer: AUTHORIZED })
  job.now += 8 * DAY
  job.tell({ do: 'expire' })
  job.hearsOf({ ...WHERE, why: 'duty' }, { answer: seen('EXPIRED') })
  const { cause, happened } = whyInWords(job.state, job.now)
  expect(cause).toBe('report-due')
  expect(happened).toContain('The money did not come in time')
})
