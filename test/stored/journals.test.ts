import { describe, expect, it } from 'vitest'
import { DAY } from '../../src/contract/timestamp.ts'
import { Fact } from '../../src/job/core/facts.ts'
import { fold, keyOf, readEntry } from '../../src/job/core/journal.ts'
import { replay } from '../../src/job/core/replay.ts'
import { isIndexed, rowOf } from '../../src/job/core/row.ts'
import { represent } from '../../src/job/core/show.ts'
import FIRST from './journals-1.0.json'
import NEXT from './journals-1.1.json'

/**
 * The journals of releases, as they stored them; the fixtures never change. Those of 1.1 have moves of money
 * that name their payment, rows by their digest, a member of an order that no release knows, money that pays
 * no order, an entry that says what wrote it, one kind of fact for all instructions, and orders for a
 * terminal.
 */

type Journal = { entries: { facts: { is: string }[] }[] }
const JOURNALS: Record<string, Journal> = { ...FIRST, ...NEXT }

/** Reads the entries of a journal. test/rehearsal has what 1.0 made of its own. */
function readAll(entries: readonly object[]) {
  return entries.map((entry, place) => readEntry(place + 1, entry))
}

it.each(Object.entries(JOURNALS))('the journal of %s is read without losing anything', (_, { entries }) => {
  expect(readAll(entries)).toEqual(
    entries.map((entry, place) => ({ ok: true, value: { number: place + 1, ...entry } })),
  )
})

describe.each(Object.entries(NEXT))(
  'the journal of a payment: %s',
  (_, { entries, shown, row, ...besides }) => {
    const job = fold(readAll(entries).flatMap((entry) => (entry.ok ? [entry.value] : [])))

    it('folds to what shops and operators were shown', () => {
      expect(job && represent(job)).toEqual(shown)
      // A row knows the newest entry, and so the newest step.
      const { sequence, updated, ...seen } = row
      expect(job && rowOf(job)).toMatchObject(seen)
      expect(job && [rowOf(job).sequence >= sequence, rowOf(job).updated >= updated]).toEqual([true, true])
    })

    it('says whether the index has its newest row', () => {
      expect(job && isIndexed(job)).toBe('isIndexed' in besides ? besides.isIndexed : false)
    })
  },
)

/**
 * Not compared: its fixture has an answer to a planned question that also says that the customer came back,
 * which no release stores.
 */
const { 'paid in parts that went back': _mixed, ...DECIDED } = NEXT

it.each(Object.entries(DECIDED))(
  'the rules decide again what they decided in the journal of %s',
  (_, { entries }) => {
    // The digest follows from the row.
    const plain = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (name, one: unknown) => (name === 'digest' ? undefined : one)))
    const journal = entries.map((value, place) => ({ key: keyOf(place + 1), value }))
    const decisions = [...replay(journal, 400 * DAY)].map((seen) => seen.decisions)
    expect(decisions).toEqual(
      plain(entries.map(({ facts }) => ({ [facts.map(({ is }) => is).join(' ')]: facts }))),
    )
  },
)

it('every kind of fact is in one of the journals', () => {
  const kinds = Object.values(JOURNALS).flatMap(({ entries }) =>
    entries.flatMap(({ facts }) => facts.map(({ is }) => is)),
  )
  expect([...new Set(kinds)].toSorted()).toEqual(
    Fact.options.map(({ entries }) => entries.is.literal).toSorted(),
  )
})
