import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../../src/contract/timestamp.ts'
import { duties } from '../../../src/job/core/duties.ts'
import type { Fact } from '../../../src/job/core/facts.ts'
import { fold, keyOf, versionOf } from '../../../src/job/core/journal.ts'
import { type Seen, replay } from '../../../src/job/core/replay.ts'
import { rowOf } from '../../../src/job/core/row.ts'
import { represent } from '../../../src/job/core/show.ts'
import type { State } from '../../../src/job/core/state.ts'
import { why } from '../../../src/job/core/why.ts'
import {
  type Job,
  DONE,
  NOW,
  NO_ANSWER,
  RETENTION,
  playedJob,
  reserved,
  reservedJob,
  seen,
} from '../../support/played-job.ts'
import { TABLE } from '../../support/why-jobs.ts'

/** The journal of a job as its object stores it. */
function storedOf({ entries }: Pick<Job, 'entries'>) {
  return entries.map(({ number, ...entry }) => ({
    key: keyOf(number),
    value: { version: versionOf(entry.facts), ...entry },
  }))
}

function played(job: Pick<Job, 'entries'>): Seen[] {
  return [...replay(storedOf(job), RETENTION)]
}

function folded({ entries }: Job, number = entries.length): State {
  const state = fold(entries.slice(0, number))
  if (!state) throw new Error('the journal is empty')
  return state
}

/** A digest follows from its row, which is compared as such. */
function decidedIn(facts: readonly Fact[]) {
  return facts.map((fact) => (fact.is === 'row-written' ? { is: fact.is, entry: fact.entry } : fact))
}

/** A job that was captured in part and refunded, and whose row and report were taken. */
function capturedJob(): Job {
  const job = reservedJob()
  job.wants('capture', 'c1', { amount: 500 })
  job.answered('c1', DONE)
  job.hears('other', { answer: reserved(500) })
  job.indexed()
  job.refund('r1', 200)
  job.answered('r1', { is: 'taken', reference: 're_1', state: 'pending' })
  job.report('500')
  return job
}

describe('a journal that is played again', () => {
  it('shows after each entry what shops and operators saw then', () => {
    const job = capturedJob()
    const after = played(job)
    expect(after).toHaveLength(job.entries.length)
    for (const [place, { answer, row, why: cause }] of after.entries()) {
      const state = folded(job, place + 1)
      const { main } = why(state, Math.floor(state.entry.at / 1000))
      expect(answer).toMatchObject({ job: represent(state) })
      expect([row, cause]).toMatchObject([rowOf(state), main])
    }
  })

  it('shows what the create answered once, and captures only where the shop has some', () => {
    const answers = played(capturedJob()).map(({ answer }) => answer)
    const [first, ...others] = answers
    expect(first).toMatchObject({ created: { status: 'PENDING', amountPaid: 0 }, refunds: [] })
    expect(first).not.toHaveProperty('captures')
    for (const answer of others) expect(answer).not.toHaveProperty('created')
    expect(answers.at(-1)).toMatchObject({
      captures: [{ capture: 'c1', amount: '5.00' }],
      refunds: [{ refund: 'r1', status: 'PENDING' }],
    })
  })

  it('shows what was due by then, and when, and the tries at reports', () => {
    const job = capturedJob()
    const last = played(job).at(-1)
    const planned = duties(job.state, job.now, RETENTION)
    const times = planned.map((duty) => [
      duty.do,
      planned.flatMap((one) => (one.do === duty.do ? [one.at] : [])),
    ])
    expect(last?.duties).toEqual(Object.fromEntries(times))
    expect(last?.report).toMatchObject([{ state: 'due', attempts: [{ outcome: '500' }] }])
  })

  it('shows all that is so with a payment, not the main cause only', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS', 1350) })
    const { main, others } = why(job.state, job.now)
    const causes = Object.fromEntries(others.map(({ cause, todo }) => [cause, todo]))
    expect(Object.keys(causes)).not.toEqual([])
    expect(played(job).at(-1)?.why).toEqual({ ...main, others: causes })
  })

  it.each(TABLE)('is decided again as it was decided, where the cause is %s: %s', (_cause, _what, make) => {
    const job = make()
    expect(played(job).map(({ decisions }) => decisions)).toEqual(
      job.entries.map(({ facts }) => ({ [facts.map(({ is }) => is).join(' ')]: decidedIn(facts) })),
    )
  })

  it('tells what the rules would not do any more as nothing', () => {
    const job = playedJob()
    job.append([{ is: 'cleared', amount: 5 }])
    expect(played(job).at(-1)).toMatchObject({ fold: 'read', decisions: { nothing: [] } })
  })

  it('is shown at both ends, as much of either, where it is long; all of it is folded', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    for (let looks = 0; looks < 600; looks++) {
      job.now += HOUR
      job.hears('duty', { answer: NO_ANSWER })
    }
    const after = played(job)
    expect(after.map(({ fold: read }) => read)).toEqual(after.map(() => 'read'))
    const shown = after.map(({ row }) => row !== undefined)
    expect(shown).toEqual(shown.toReversed())
    expect([shown.at(0), shown.at(300), shown.at(-1)]).toEqual([true, false, true])
    expect(after.at(-1)?.row).toEqual(rowOf(job.state))
  })

  it('of 1.0, which kept no digest of a row, owes no row that was written', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    for (const entry of [1, 2]) job.append([{ is: 'row-written', entry }])
    const owed = played(job).map((after) => Object.hasOwn(Object(after.duties), 'row'))
    expect(owed).toEqual([true, true, true, false])
  })
})

describe('a journal that cannot be played says why', () => {
  const job = capturedJob()
  const stored = storedOf(job)
  const foldsOf = (journal: typeof stored) => [...replay(journal, RETENTION)].map(({ fold: read }) => read)

  it('where it lacks an entry, from there on', () => {
    const lacking = stored.filter((_, place) => place !== 1)
    const [first, ...others] = foldsOf(lacking)
    expect(first).toBe('read')
    expect(others).toEqual(others.map(() => 'lacks entry 2'))
    expect(others).not.toEqual([])
  })

  it('where an entry is of a later format', () => {
    const [first, second] = stored
    if (!first || !second) throw new Error('the journal is too short')
    const later = { ...second, value: { ...second.value, version: 99 } }
    expect(foldsOf([first, later])).toEqual(['read', expect.stringContaining('format 99')])
  })

  it('where it does not begin with the creation of the job', () => {
    const [first] = stored
    if (!first) throw new Error('the journal is empty')
    const entry = { version: 1, at: NOW * 1000, facts: [{ is: 'expired' as const }] }
    expect(foldsOf([{ ...first, value: entry }])).toEqual([expect.stringMatching(/entry 1 .*creation/)])
  })

  it('and nothing else of such an entry', () => {
    expect([...replay(stored.slice(1), 400 * DAY)].map((after) => Object.keys(after))).toEqual(
      stored.slice(1).map(() => ['fold']),
    )
  })
})
