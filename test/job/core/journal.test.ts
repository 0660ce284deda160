import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../../src/contract/timestamp.ts'
import { writerOf } from '../../../src/job/core/decide.ts'
import { evolve } from '../../../src/job/core/evolve.ts'
import type { Fact } from '../../../src/job/core/facts.ts'
import { FORMAT, fold, isRowSure, keyOf, readEntry, versionOf } from '../../../src/job/core/journal.ts'
import { isIndexed } from '../../../src/job/core/row.ts'
import { represent } from '../../../src/job/core/show.ts'
import { recalled } from '../../../src/job/core/state.ts'
import {
  AMOUNT,
  NOW,
  NO_ANSWER,
  WHERE,
  paidJob,
  playedJob,
  playedOrder,
  seen,
} from '../../support/jobs/played-job.ts'
import { ofKind } from '../../../src/job/core/payment.ts'

const NOTIFIED = { is: 'notified', came: NOW, ...WHERE } as const
const PART = { id: 'p1', kind: 'part', amount: AMOUNT } as const
const ASKED = { fingerprint: '', call: '', amount: 1, description: '', ...WHERE }
const DROPPED = { is: 'no-answer', message: '' } as const

/** A job with most kinds of facts. */
function longJob() {
  const job = playedJob()
  job.hears('back', { answer: seen('PENDING') })
  job.now += 3000
  job.hears('duty', { answer: { is: 'unavailable', message: 'No answer.' } })
  job.tell({ do: 'cancel', by: 'shop' })
  job.hears('duty', { answer: seen('CANCELLED'), stopped: 'cancel' })
  job.now += DAY
  job.notified()
  job.hears('duty', { answer: seen('SUCCESS') })
  job.report('500')
  job.tell({ do: 'send-report-again' })
  job.refund('r1', 500)
  job.answered('r1', { is: 'taken', reference: 're_1', state: 'done' })
  job.indexed()
  job.tell({ do: 'let-time-pass', to: DAY })
  job.tell({ do: 'move-clock', next: job.now + DAY })
  return job
}

it('folds to the state that was in memory, from its beginning or from anywhere', () => {
  const job = longJob()
  expect(fold(job.entries)).toEqual(job.state)
  for (let at = 1; at < job.entries.length; at++)
    expect(fold(job.entries.slice(at), fold(job.entries.slice(0, at)))).toEqual(job.state)
})

it('a part of a journal folds to what was known then', () => {
  const job = longJob()
  const then = playedJob()
  then.hears('back', { answer: seen('PENDING') })
  expect(fold(job.entries.slice(0, 2))).toEqual(then.state)
})

it('a journal is read as it was written, entry by entry', () => {
  for (const { number, ...entry } of longJob().entries) {
    const stored = structuredClone({ version: FORMAT, ...entry })
    expect(readEntry(number, stored)).toMatchObject({ ok: true, value: { number, ...entry } })
  }
})

it('a journal is read even if a later release stored an order with a member unknown to this one', () => {
  const [birth] = longJob().entries
  const [created, ...others] = birth?.facts ?? []
  if (created?.is !== 'created') throw new Error('the journal begins with something else')
  const stored = {
    version: FORMAT,
    at: birth?.at,
    facts: [{ ...created, order: { ...created.order, capture: 'manual' } }, ...others],
  }
  expect(readEntry(1, stored)).toEqual({ ok: true, value: { number: 1, ...stored } })
})

it('the times of steps strictly increase', () => {
  const times = longJob().state.steps.map(({ at }) => at)
  expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other))
  expect(represent(longJob().state).lastUpdate > represent(longJob().state).created).toBe(true)
})

describe('an entry', () => {
  const [entry] = playedJob().entries
  const good = { version: FORMAT, at: entry?.at, facts: entry?.facts }

  it.each([
    [
      'of a later format',
      { ...good, version: FORMAT + 1, facts: 'whatever' },
      new RegExp(`of format ${FORMAT + 1}; this release reads up to ${FORMAT}`),
    ],
    ['without facts', { ...good, facts: [] }, /entry 7 .*facts/],
    ['with a fact that no release knows', { ...good, facts: [{ is: 'frobbed' }] }, /entry 7 .*facts\.0\.is/],
    ['without a time', { ...good, at: undefined }, /entry 7 .*at/],
    ['with several faults', { ...good, at: -1, facts: [{ is: 'created' }] }, /entry 7 .*at, facts/],
    ['of a format that is no number', { ...good, version: 'new' }, /entry 7 .*version/],
    ['that is missing', undefined, /entry 7 .*as a whole/],
  ])('%s is not read, and the log shows where it is wrong', (_, stored, detail) => {
    expect(readEntry(7, stored)).toEqual({
      ok: false,
      error: { detail: expect.stringMatching(detail) as string },
    })
  })

  it('shows nothing personal if it is wrong', () => {
    const read = readEntry(1, { ...good, facts: [{ is: 'created', id: 'secret@example.com' }] })
    expect(JSON.stringify(read)).not.toContain('secret@example.com')
  })

  it('has a key that sorts as its number', () => {
    const numbers = [1, 2, 10, 999_999, 1_000_000, 1_000_001, 10_000_000]
    expect(numbers.map(keyOf).toSorted()).toEqual(numbers.map(keyOf))
    expect(numbers.slice(0, 4).map(keyOf)).toEqual(['000001', '000002', '000010', '999999'])
  })
})

it('a thousand entries fold correctly', () => {
  const job = playedJob()
  job.hears('other', { answer: seen('SUCCESS', AMOUNT) })
  for (let at = 0; at < 100; at++) {
    job.refund(`r${at}`, 10)
    job.answered(`r${at}`, { is: 'taken', reference: `re_${at}`, state: 'done' })
  }
  for (let tries = 0; tries < 200; tries++) {
    job.now += 1000
    job.report('500')
  }
  for (let looks = 0; looks < 600; looks++) {
    job.now += DAY
    job.hears('duty', { answer: NO_ANSWER })
  }
  expect(job.entries.length).toBeGreaterThan(1000)
  expect(fold(job.entries)).toEqual(job.state)
  expect(ofKind(job.state, 'refund')).toHaveLength(100)
})

it.each<[number, string, readonly Fact[]]>([
  [1, 'an order that captures by itself', playedJob().entries[0]?.facts ?? []],
  [2, 'an order that its point of sale captures', playedOrder({ capture: 'manual' }).entries[0]?.facts ?? []],
  [1, 'a notification without moves', [NOTIFIED]],
  [1, 'a move that 1.0 knows', [{ ...NOTIFIED, moves: [PART] }]],
  [2, 'a move that 1.0 does not know', [{ ...NOTIFIED, moves: [PART, { ...PART, kind: 'capture' }] }]],
  [1, 'a refund as 1.0 wrote it', [{ ...ASKED, is: 'refund-asked', refund: 'r1' }]],
  [2, 'an instruction', [{ ...ASKED, is: 'instructed', kind: 'refund', id: 'r1' }]],
  [2, 'an answer to one', [NOTIFIED, { is: 'instruction-answered', id: 'r1', asked: 0, outcome: DROPPED }]],
])('format %i is the lowest that understands %s', (version, _, facts) => {
  expect(versionOf(facts)).toBe(version)
})

describe('the row of a job whose object died', () => {
  it.each([
    ['a queue may have taken another in between', ['500', '200'], false],
    ['none was due in between', ['200'], true],
  ])('counts as the one that the index has, or not: %s', (_, tries, isSure) => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS', AMOUNT) })
    job.indexed()
    for (const outcome of tries) {
      job.now += MINUTE
      job.report(outcome)
    }
    expect(isIndexed(job.state)).toBe(true)
    expect(isRowSure(job.entries, job.state)).toBe(isSure)
    const known = (sure: boolean) =>
      recalled(
        job.state,
        () => 0,
        () => 0,
        sure,
      )
    expect([isIndexed(known(true)), isIndexed(known(false))]).toEqual([true, false])
    const { written } = job.state.index
    expect(known(false).index).toEqual({ written, digest: playedJob().state.index.digest })
  })

  it('is known from a journal of 1.0, which stored no digest of it', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS', AMOUNT) })
    const indexed = (...entries: readonly number[]) => {
      const facts = entries.map((entry) => ({ is: 'row-written', entry }) as const)
      const folded = fold([...job.entries, { number: 3, at: NOW * 1000 + 9, facts }])
      return folded !== null && isIndexed(folded)
    }
    expect([indexed(1), indexed(2), indexed(1, 2)]).toEqual([false, true, true])
    job.indexed()
    expect(fold(job.entries)).toEqual(job.state)
  })

  it('is known if it was digested then, and is sent again if the job would have another today', () => {
    const job = paidJob()
    job.append([{ is: 'row-written', entry: 2, digest: 'as it was then' }])
    expect(fold(job.entries)).toEqual(job.state)
    expect(isIndexed(job.state)).toBe(false)
  })

  it('is unknown if 1.0 wrote it before the entries that are folded: as if none was written', () => {
    const job = paidJob()
    const none = playedJob().state.index.digest
    const written = { number: 3, at: NOW * 1000 + 9, facts: [{ is: 'row-written', entry: 2 } as const] }
    expect(fold([written], job.state)?.index).toEqual({ written: 2, digest: none })
    expect(evolve(job.state, written).index).toEqual({ written: 2, digest: none })
  })
})

it('a journal says what wrote an entry if its facts do not', () => {
  const question = { where: WHERE, asked: 0, why: 'back' } as const
  expect([
    writerOf({ do: 'record-answer', question, answers: [] }),
    writerOf({ do: 'create-again', attempts: [] }),
    writerOf({ do: 'record-return' }),
  ]).toEqual(['back', 'create-again', undefined])
})

it('a journal is read even if it is about things that the job lacks, or about a row that is overtaken or written twice', () => {
  const job = playedJob()
  job.append([{ is: 'row-written', entry: 3, digest: 'd3' }])
  const { entry: _, ...before } = job.state
  const outcome = { is: 'done', reference: null } as const
  job.append([
    { is: 'notified', came: job.now, account: 'unknown', reference: null },
    { is: 'instruction-answered', id: 'unknown', asked: job.now, outcome },
    { is: 'row-written', entry: 2, digest: 'd2' },
    { is: 'row-written', entry: 3, digest: 'another' },
  ])
  expect(job.state).toMatchObject(before)
})
