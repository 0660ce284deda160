import { expect, it } from 'vitest'
import { MINUTE } from '../../src/contract/timestamp.ts'
import { CAUSES } from '../../src/job/core/why.ts'
import { whyInWords } from '../../src/operator-api/why-words.ts'
import { AMOUNT, seen } from '../support/played-job.ts'
import { TABLE, told } from '../support/why-jobs.ts'

it.each(TABLE)('%s is told in whole sentences: %s', (cause, _, make) => {
  const job = make()
  const words = whyInWords(job.state, job.now + MINUTE)
  expect(words).toMatchObject({ cause, move: CAUSES[cause] })
  for (const sentence of [words.happened, words.todo, ...words.also]) {
    expect(sentence).toMatch(/^[A-Z].*[.")]$/s)
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

it('names the account, the amounts and the times', () => {
  const inWords = (cause: string) => {
    const job = TABLE.find(([name]) => name === cause)?.[2]()
    if (!job) throw new Error(`no job is ${cause}`)
    const { happened, todo } = whyInWords(job.state, job.now)
    return `${happened} ${todo}`
  }
  expect(inWords('part-is-due')).toContain('EUR 5.00; EUR 7.50')
  expect(inWords('psp-silent-at-announcement')).toContain('mollie')
  expect(inWords('money-underway')).toContain('2026-02-14T10:00:00Z')
  expect(inWords('paid-twice')).toContain('EUR 12.50 at a (a_1)')
  // The rest alone: the whole would be the shop's money.
  expect(inWords('overpaid')).toMatch(/paid EUR (\d+\.\d\d) more than was due\..*--amount \1\b/)
})
