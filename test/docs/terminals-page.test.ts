import * as v from 'valibot'
import { expect, it } from 'vitest'
import { PaymentJob } from '../../src/contract/payment-job.ts'
import { Card, TerminalList, TerminalState } from '../../src/contract/terminals.ts'
import { Status } from '../../src/contract/values.ts'
import type { TerminalReason } from '../../src/psp/answer.ts'
import { blocksOf, codesOf, read, rowsUnder } from './documents.ts'

const PAGE = read('docs/pos/terminals.md')

/** The words with which the error of a failed payment at a terminal begins. */
const ERRORS = {
  declined: true,
  terminal_busy: true,
  terminal_off: true,
  terminal_unreachable: true,
} as const satisfies Record<TerminalReason | 'declined', true>

it('the page says what to show in each state, at each end and for each error', () => {
  const documented = rowsUnder(PAGE, '## What to show').flatMap(([first = '']) => codesOf(first))
  const states = TerminalState.options.filter((state) => state !== 'ended')
  const ends = Status.options.filter((status) => status !== 'PENDING')
  expect(documented.filter((word) => word !== 'terminal.state' && word !== 'status')).toEqual([
    ...states,
    ...ends,
    ...Object.keys(ERRORS),
  ])
})

it('the page of orders names these errors, too, and so does the reference', () => {
  for (const error of Object.keys(ERRORS)) {
    expect(codesOf(read('docs/pos/orders.md'))).toContain(error)
    expect(read('src/contract/payment-job.ts')).toContain(`${error}:`)
  }
})

it('each answer of the page has the members of an answer, and no others', () => {
  const blocks = blocksOf(PAGE, 'json').map((block) => JSON.parse(block) as Record<string, unknown>)
  const [list, ...jobs] = blocks
  expect(v.parse(TerminalList, list)).toEqual(list)
  expect(jobs).toHaveLength(2)
  for (const { terminal, card, ...members } of jobs) {
    expect(Object.keys(PaymentJob.entries)).toEqual(expect.arrayContaining(Object.keys(members)))
    if (card !== undefined) expect(v.parse(v.strictObject(Card.entries), card)).toEqual(card)
    if (terminal !== undefined) expect(v.parse(PaymentJob.entries.terminal, terminal)).toEqual(terminal)
  }
})
