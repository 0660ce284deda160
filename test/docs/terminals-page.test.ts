import * as v from 'valibot'
import { expect, it } from 'vitest'
import { PaymentJob } from '../../src/contract/payment-job.ts'
import { Card, TerminalList, TerminalState } from '../../src/contract/terminals.ts'
import { TERMINAL_WORDS } from '../../src/contract/terminal-words.ts'
import { Status } from '../../src/contract/values.ts'
import type { Fault } from '../../src/psp/answer.ts'
import { blocksOf, codesOf, read, rowsUnder } from './documents.ts'

const PAGE = read('docs/pos/terminals.md')
const DOUBTS = read('docs/pos/terminal-doubts.md')

/** The words with which the error of a failed payment at a terminal begins, and who acts on each. */
const ERRORS: Readonly<Record<Fault, string>> = TERMINAL_WORDS

it('the page says for each error who acts, and what a till offers', () => {
  const rows = rowsUnder(PAGE, '### The words of a fault')
  const documented = rows.map(([word = '', who = '']) => [codesOf(word)[0], who])
  expect(documented).toEqual(Object.entries(ERRORS))
  for (const row of rows) expect(row).not.toContain('')
})

it('the page says what to show in each state, and at each end', () => {
  const documented = rowsUnder(PAGE, '## What to show').flatMap(([first = '']) => codesOf(first))
  const states = TerminalState.options.filter((state) => state !== 'ended')
  const ends = Status.options.filter((status) => status !== 'PENDING')
  expect(documented.filter((word) => word !== 'terminal.state' && word !== 'status')).toEqual([
    ...states,
    ...ends,
  ])
})

it('the page of orders names these errors, too, and so does the reference', () => {
  for (const error of Object.keys(ERRORS)) {
    expect(codesOf(read('docs/pos/orders.md'))).toContain(error)
    expect(read('src/contract/payment-job.ts')).toContain(`${error}:`)
  }
})

it('each answer of the page has the members of an answer, and no others', () => {
  const blocks = blocksOf(PAGE + DOUBTS, 'json').map((block) => JSON.parse(block) as Record<string, unknown>)
  const [list, ...jobs] = blocks
  expect(v.parse(TerminalList, list)).toEqual(list)
  expect(jobs).toHaveLength(3)
  for (const { terminal, card, ...members } of jobs) {
    expect(Object.keys(PaymentJob.entries)).toEqual(expect.arrayContaining(Object.keys(members)))
    if (card !== undefined) expect(v.parse(v.strictObject(Card.entries), card)).toEqual(card)
    if (terminal !== undefined) expect(v.parse(PaymentJob.entries.terminal, terminal)).toEqual(terminal)
  }
})
