import { describe, expect, it } from 'vitest'
import { EVENTS } from '../../src/psp/adyen/notification.ts'
import { STATUSES as ADYEN, RESERVES } from '../../src/psp/adyen/tables.ts'
import { CONDITIONS } from '../../src/psp/adyen/terminal-answer.ts'
import type { Meaning } from '../../src/psp/answer.ts'
import { STATUSES_AT_TERMINALS as MOLLIE_TERMINALS } from '../../src/psp/mollie/terminal.ts'
import { STATUSES as MULTISAFEPAY, WHEN_COMPLETED } from '../../src/psp/multisafepay/tables.ts'
import { STATUSES_AT_TERMINALS as MULTISAFEPAY_TERMINALS } from '../../src/psp/multisafepay/terminal.ts'
import { codesOf, read, rowsUnder } from './documents.ts'

/** Returns the rows of a table on a PSP's page. */
function rowsOf(psp: string, heading: string): string[][] {
  return rowsUnder(read(`docs/psps/${psp.toLowerCase()}.md`), heading)
}

const MEANS = { open: 'open', underway: 'under way', authorized: 'authorized', paid: 'paid' } as const

function rowOf(word: string, meaning: Meaning): string[] {
  return meaning.is === 'ended'
    ? [word, meaning.status, meaning.closed ? 'yes' : 'no']
    : [word, MEANS[meaning.is], '–']
}

const TABLES: [string, string, Readonly<Record<string, Meaning>>][] = [
  ['Adyen', '## Statuses', ADYEN],
  [
    'Adyen',
    '## Card terminals',
    Object.fromEntries(Object.entries(CONDITIONS).map(([word, { meaning }]) => [word, meaning])),
  ],
  ['Mollie', '## Card terminals', MOLLIE_TERMINALS],
  ['MultiSafepay', '## Card terminals', MULTISAFEPAY_TERMINALS],
  ['MultiSafepay', '## Statuses', MULTISAFEPAY],
  ['MultiSafepay', '## Statuses of transactions', WHEN_COMPLETED],
]

describe('docs/psps says what each status of a PSP means, and whether it is final', () => {
  it.each(TABLES)('at %s, under %s', (psp, heading, table) => {
    const documented = rowsOf(psp, heading).map(([word = '', means = '', final = '']) => [
      codesOf(word)[0] ?? '',
      // The general meaning of a word comes before the exceptions.
      means.split(/[,;]/)[0],
      final,
    ])
    expect(documented).toEqual(Object.entries(table).map(([word, meaning]) => rowOf(word, meaning)))
  })
})

it('docs/psps has every event of Adyen that the hub counts', () => {
  const documented = rowsOf('Adyen', '## Events').map(([event = '', success = '']) => [
    codesOf(event)[0],
    success,
  ])
  const known = [...EVENTS].flatMap(([event, outcomes]) =>
    (['true', 'false'] as const)
      .filter((success) => outcomes[success] !== undefined)
      .map((success) => [event, success]),
  )
  expect(documented).toEqual(known)
})

it('docs/psps says how long Adyen reserves money by each method', () => {
  const documented = rowsOf('Adyen', '## Reserved money').flatMap(([methods = '', days = '']) =>
    codesOf(methods).map((name) => [name, Number.parseInt(days, 10)] as const),
  )
  expect(new Map(documented)).toEqual(RESERVES.days)
})
