import { describe, expect, it } from 'vitest'
import type { Meaning, Unavailable } from '../../src/psp/answer.ts'
import {
  PATIENCE as MOLLIE_PATIENCE,
  REFUND_STATUSES as MOLLIE_REFUNDS,
  STATUSES as MOLLIE,
  meaningOf as mollieMeaning,
} from '../../src/psp/mollie/tables.ts'
import { MONEY_EVENTS, SESSION_EVENTS, TERMINAL_EVENTS } from '../../src/psp/stripe/notification.ts'
import { AT_TERMINAL } from '../../src/psp/stripe/terminal-reading.ts'
import {
  INTENTS,
  PAYMENT_STATUSES,
  REFUND_STATUSES,
  SESSION_STATUSES,
  DISPUTE_STATUSES,
  PATIENCE as STRIPE_PATIENCE,
  meaningOf as stripeMeaning,
} from '../../src/psp/stripe/tables.ts'
import { codesOf, read, rowsUnder } from './documents.ts'

function pageOf(psp: string): string {
  return read(`docs/psps/${psp.toLowerCase()}.md`)
}

function tableOf(psp: string): string[][] {
  return rowsUnder(pageOf(psp), '## Statuses')
}

function wordFor(meaning: Meaning | Unavailable | undefined): string {
  if (!meaning || meaning.is === 'unavailable') return 'nothing'
  if (meaning.is === 'ended') return meaning.status
  return { open: 'open', underway: 'under way', authorized: 'authorized', paid: 'paid' }[meaning.is]
}

function isForGood(meaning: Meaning | Unavailable | undefined): boolean {
  return meaning?.is === 'ended' && meaning.closed
}

describe('the table of Mollie in docs/psps', () => {
  it('has each status, what it means, and whether it is final', () => {
    const rows = Object.keys(MOLLIE).map((status) => {
      const [usual, late] = [mollieMeaning(status, 'ideal'), mollieMeaning(status, 'banktransfer')]
      const forGood = isForGood(usual) ? (isForGood(late) ? 'yes' : 'yes, but bank transfers') : '–'
      return [`\`${status}\``, wordFor(usual), forGood]
    })
    expect(tableOf('Mollie')).toEqual(rows)
  })

  it('is next to the days that methods may take, and the words of refunds', () => {
    const text = pageOf('Mollie')
    const { methods, otherwise, authorized } = MOLLIE_PATIENCE
    for (const days of [...methods.values(), otherwise, authorized]) expect(text).toContain(` ${days} `)
    expect(codesOf(text)).toEqual(expect.arrayContaining(Object.keys(MOLLIE_REFUNDS)))
  })
})

describe('the table of Stripe in docs/psps', () => {
  /** Returns the row whose words are all among these three; the longest one is the most exact. */
  const rowFor = (words: readonly string[]): string[] | undefined =>
    tableOf('Stripe')
      .filter(([documented = '']) => codesOf(documented).every((word) => words.includes(word)))
      .toSorted(([one = ''], [other = '']) => codesOf(other).length - codesOf(one).length)
      .at(0)

  const intents = Object.keys(INTENTS).filter((word) => word !== 'none')
  const all = SESSION_STATUSES.flatMap((status) =>
    PAYMENT_STATUSES.flatMap((payment) => intents.map((intent) => [status, payment, intent] as const)),
  )

  it.each(all.filter(([, payment]) => payment !== 'no_payment_required'))(
    'says what %s, %s and %s mean',
    (...words) => {
      // Money counts whatever the session's status.
      const [, means, forGood] = words[1] === 'paid' ? (rowFor(['paid']) ?? []) : (rowFor(words) ?? [])
      const meaning = stripeMeaning(...words)
      expect(means?.replace(/ \(.*\)$/, '')).toBe(wordFor(meaning))
      expect(forGood === 'yes').toBe(isForGood(meaning))
    },
  )

  it('says what a session without a payment means', () => {
    const [, means, forGood] = rowFor(['complete', 'no_payment_required']) ?? []
    expect([means, forGood]).toEqual(['FAILURE', 'yes'])
    expect(stripeMeaning('complete', 'no_payment_required', 'none')).toMatchObject({
      status: 'FAILURE',
      closed: true,
    })
  })

  it('is next to the events to switch on, the days that methods may take, and the words of refunds and disputes', () => {
    const text = pageOf('Stripe')
    const codes = codesOf(text)
    expect(codes).toEqual(
      expect.arrayContaining([...SESSION_EVENTS.keys(), ...MONEY_EVENTS, ...TERMINAL_EVENTS]),
    )
    expect(codes).toEqual(expect.arrayContaining(Object.keys(REFUND_STATUSES)))
    const disputes = Object.keys(DISPUTE_STATUSES).filter((word) => !word.startsWith('warning_'))
    expect(codes).toEqual(expect.arrayContaining(disputes))
    const { methods, otherwise, authorized } = STRIPE_PATIENCE
    for (const days of [...methods.values(), otherwise, authorized]) expect(text).toContain(` ${days} `)
  })

  it('says what the status of a payment intent means at a terminal', () => {
    const rows = rowsUnder(pageOf('Stripe'), '### What the words mean at a terminal')
    const documented = new Map(rows.map(([words = '', means]) => [codesOf(words).join(', '), means]))
    for (const [word, { meaning }] of Object.entries(AT_TERMINAL))
      expect(documented.get(word)).toBe(wordFor(meaning))
  })
})
