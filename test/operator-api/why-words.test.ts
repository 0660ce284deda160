import { expect, it } from 'vitest'
import { DAY, MINUTE } from '../../src/contract/timestamp.ts'
import { CAUSES } from '../../src/job/core/causes.ts'
import { whyInWords } from '../../src/operator-api/why-words.ts'
import { AMOUNT, AUTHORIZED, NOT_ASKED, SILENT, TOOK, WHERE, playedJob, seen } from '../support/played-job.ts'
import { TABLE, told } from '../support/why-jobs.ts'

it.each(TABLE)('%s is told in whole sentences: %s', (cause, _, make) => {
  const job = make()
  const words = whyInWords(job.state, job.now + MINUTE)
  expect(words).toMatchObject({ cause, move: CAUSES[cause] })
  for (const sentence of [words.happened, words.todo, ...words.also]) {
    expect(sentence).toMatch(/^[A-Z].*([.)]|[.!?]")$/s)
    expect(sentence).not.toMatch(/undefined|null|NaN|Invalid|\[object/)
  }
})

it('says when the payment ended, and not when money went back since', () => {
  const job = told()
  const ended = whyInWords(job.state, job.now).happened
  job.now += 3 * MINUTE
  job.hears('other', { answer: seen('SUCCESS', AMOUNT, { refunded: 100 }) })
  job.report('200')
  expect(ended).toContain('the hub learnt it at')
  expect(whyInWords(job.state, job.now).happened).toContain(ended.split(' The shop')[0])
})

function inWords(cause: string): string {
  const job = TABLE.find(([name]) => name === cause)?.[2]()
  if (!job) throw new Error(`no job is ${cause}`)
  const { happened, todo } = whyInWords(job.state, job.now)
  return `${happened} ${todo}`
}

it('names the account, the amounts and the times', () => {
  expect(inWords('part-is-due')).toContain('EUR 5.00; EUR 7.50')
  expect(inWords('psp-silent-at-announcement')).toContain('mollie')
  expect(inWords('money-underway')).toContain('2026-02-14T10:00:00Z')
  expect(inWords('paid-twice')).toContain('EUR 12.50 at a (a_1)')
  // The rest alone: the whole would be the shop's money.
  expect(inWords('overpaid')).toMatch(/paid EUR (\d+\.\d\d) more than was due\..*--amount \1\b/)
})

it('has yen without decimals', () => {
  const job = TABLE.find(([name]) => name === 'overpaid')?.[2]()
  if (!job) throw new Error('no job is overpaid')
  const state = { ...job.state, order: { ...job.state.order, currency: 'JPY' } }
  const { happened } = whyInWords(state, job.now)
  expect(happened).toMatch(/JPY \d+ more than/)
})

it('says of no account that it has the money of another', () => {
  for (const cause of ['paid-twice', 'paid-at-other-account']) {
    expect(inWords(cause)).not.toMatch(/EUR \d+\.\d\d at mollie/)
    expect(inWords(cause)).toContain('EUR 12.50 at a (a_1)')
  }
})

it('has only the refund that failed asked for again, never all', () => {
  expect(inWords('refund-failed')).toContain('job refund --amount 1.00.')
  expect(inWords('refund-failed')).not.toContain('--all')
})

it('names each account once that did not take the order, and quotes in whole sentences', () => {
  const job = playedJob(['a', SILENT], ['b', NOT_ASKED], ['a', SILENT], ['a', NOT_ASKED], ['mollie', TOOK])
  const { happened } = whyInWords(job.state, job.now)
  expect(happened).toContain('The order went to mollie after a, which did not answer.')
  expect(happened.match(/\ba\b[, ]/g)).toHaveLength(1)
  expect(happened.match(/b was passed over/g)).toHaveLength(1)
  for (const make of TABLE.map(([, , of]) => of)) {
    const other = make()
    expect(whyInWords(other.state, other.now).happened).not.toMatch(/[^.!?…]" [A-Z]/)
  }
})

it("ends a PSP's words about a failed refund, which may have no full stop", () => {
  const job = told()
  job.refund('r1', 100)
  job.answered('r1', { is: 'failed', message: 'Adyen says: closed account' })
  expect(whyInWords(job.state, job.now).happened).toContain('closed account. The shop')
})

it('blames no customer for reserved money that nobody captured, also after the PSP was asked again', () => {
  const job = playedJob()
  job.hears('back', { answer: AUTHORIZED })
  job.now += 8 * DAY
  job.tell({ do: 'expire' })
  job.hearsOf({ ...WHERE, why: 'duty' }, { answer: seen('EXPIRED') })
  const { cause, happened } = whyInWords(job.state, job.now)
  expect(cause).toBe('report-due')
  expect(happened).toContain('The money did not come in time')
})
