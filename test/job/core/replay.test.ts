import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { duties } from '../../../src/job/core/duties.ts'
import type { Fact } from '../../../src/job/core/facts.ts'
import { fold } from '../../../src/job/core/journal.ts'
import { type Views, replay } from '../../../src/job/core/replay.ts'
import { rowOf } from '../../../src/job/core/row.ts'
import { represent } from '../../../src/job/core/show.ts'
import type { State } from '../../../src/job/core/state.ts'
import { why } from '../../../src/job/core/why.ts'
import {
  type Job,
  AMOUNT,
  DONE,
  NOW,
  NO_ANSWER,
  RETENTION,
  TOOK,
  WHERE,
  attemptsOf,
  paidJob,
  playedJob,
  reserved,
  reservedJob,
  seen,
} from '../../support/jobs/played-job.ts'
import { TABLE } from '../../support/jobs/why-jobs.ts'
import { HAPPENED, storedOf } from '../../rehearsal/situations.ts'

function played(job: Pick<Job, 'entries'>): Views[] {
  return [...replay(storedOf(job), RETENTION)]
}

function folded({ entries }: Job, number = entries.length): State {
  const state = fold(entries.slice(0, number))
  if (!state) throw new Error('the journal is empty')
  return state
}

/** Leaves out the digest: it follows from the row, which is compared. */
function decidedIn(facts: readonly Fact[]) {
  return facts.map((fact) => (fact.is === 'row-written' ? { is: fact.is, entry: fact.entry } : fact))
}

/** A job that was captured in part and refunded, with its row and report delivered. */
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
      const { cause: expected, todo } = why(state, Math.floor(state.entry.at / 1000)).main
      expect(answer).toMatchObject({ job: represent(state) })
      expect([row, cause]).toMatchObject([rowOf(state), { cause: expected, todo }])
    }
  })

  it('shows what the create answered only once, and captures only if the shop has some', () => {
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

  it('shows all causes that apply to a payment, not only the main one', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS', 1350) })
    const { main, others } = why(job.state, job.now)
    const causes = Object.fromEntries(others.map(({ cause, todo }) => [cause, todo]))
    expect(Object.keys(causes)).not.toEqual([])
    expect(played(job).at(-1)?.why).toEqual({ cause: main.cause, todo: main.todo, others: causes })
  })

  it('shows what a shop and an operator may do next, and what is refused', () => {
    const allows = (job: Job) => played(job).at(-1)?.allows
    expect(allows(reservedJob())).toMatchObject({
      cancel: '',
      capture: {
        all: [{ amount: AMOUNT }],
        more: { is: 'too-much', rest: AMOUNT },
        once: [{ amount: 1, final: true }],
      },
      refund: { one: { is: 'unpaid', isReserved: true } },
    })
    expect(allows(playedJob())).toMatchObject({
      cancel: 'cancel-asked',
      capture: { one: { is: 'not-reserved' } },
    })
  })

  it('shows which notifications the hub keeps and takes, and when it would stop a payment', () => {
    const job = playedJob()
    const paymentNow = () => Object(played(job).at(-1)?.allows).payments[0]
    expect(paymentNow()).toMatchObject({
      notified: { bare: { kept: [true, true], taken: [false, false] }, paid: { taken: [true, true] } },
      stops: [null, 'gave-up', 'expiry', null],
    })
    job.notified()
    expect(paymentNow()).toMatchObject({
      notified: { bare: { kept: [false, true], taken: [true, true] }, chargedBack: { kept: [true, true] } },
    })
  })

  it('shows when its alarm would ring, later the more often its duties have failed', () => {
    const { alarm } = played(paidJob()).at(-1) ?? {}
    const [well, once = 0, often = 0] = alarm as number[]
    expect(well).toBeLessThan(often)
    expect(once).toBeLessThan(often)
  })

  it.each(TABLE)('is decided again as it was decided, if the cause is %s', (_, make) => {
    const job = make()
    expect(played(job).map(({ decisions }) => decisions)).toEqual(
      job.entries.map(({ facts }) => ({ [facts.map(({ is }) => is).join(' ')]: decidedIn(facts) })),
    )
  })

  it.each(HAPPENED)('is decided again as it was decided, if %s', (_, play) => {
    const job = playedJob()
    play(job)
    const decided = job.entries.map(({ facts }) => ({
      [facts.map(({ is }) => is).join(' ')]: decidedIn(facts),
    }))
    expect(decided.length).toBeGreaterThan(1)
    expect(played(job).map(({ decisions }) => decisions)).toEqual(decided)
  })

  it('of 1.0 is decided as today, with refunds as instructions', () => {
    const job = paidJob()
    const { account, reference } = WHERE
    const asked = { fingerprint: 'f1', call: 'c1', amount: 500, description: 'd1', account, reference }
    job.append([{ ...asked, is: 'refund-asked', refund: 'r1' }])
    const answer = { asked: job.now, outcome: { is: 'done', reference: 're_1' } } as const
    job.append([{ ...answer, is: 'refund-answered', refund: 'r1' }])
    expect(played(job).map(({ decisions }) => decisions)).toMatchObject([
      {},
      {},
      { instructed: [{ ...asked, is: 'instructed', kind: 'refund', id: 'r1' }] },
      { 'instruction-answered': [{ ...answer, is: 'instruction-answered', id: 'r1' }] },
    ])
  })

  it.each([
    ['duty', 'seen expired'],
    ['other', 'seen'],
    ['back', 'seen'],
  ] as const)('is decided by what an entry says that it is of: %s', (by, kinds) => {
    const job = playedJob()
    job.now += DAY + MINUTE
    job.hears('duty', { answer: seen('PENDING', 0, { closed: true }) })
    const journal = storedOf(job).map(({ key, value }, place) => ({
      key,
      value: place === 0 ? value : { ...value, by },
    }))
    const last = [...replay(journal, RETENTION)].at(-1)
    expect(Object.keys(Object(last?.decisions))).toEqual([kinds])
  })

  it('is decided as a repeated create, which brings no payment twice', () => {
    const job = playedJob()
    job.append(attemptsOf([['mollie', TOOK]], job.now))
    const journal = storedOf(job)
    const [birth, again] = journal
    if (!birth || !again) throw new Error('the journal is too short')
    const decisionsOf = (by?: 'create-again') => {
      const entry = { ...again, value: { ...again.value, ...(by ? { by } : {}) } }
      return [...replay([birth, entry], RETENTION)].at(-1)?.decisions
    }
    expect(decisionsOf()).toHaveProperty('attempted')
    expect(decisionsOf('create-again')).toEqual({ nothing: [] })
  })

  it('shows what the rules would decide today if that differs', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('EXPIRED', 400) })
    job.append([{ is: 'cleared', amount: 300 }])
    expect(played(job).at(-1)).toMatchObject({ decisions: { cleared: [{ amount: 400 }] } })
  })

  it.each<[string, Fact]>([
    ['money is cleared that is not there', { is: 'cleared', amount: 5 }],
    ['a report is sent again that was not tried yet', { is: 'report-asked' }],
    [
      'more is refunded than was paid',
      {
        is: 'instructed',
        kind: 'refund',
        id: 'r1',
        fingerprint: '',
        call: '',
        amount: AMOUNT + 1,
        description: '',
        ...WHERE,
      },
    ],
  ])('shows nothing for facts that the rules would not decide any more: %s', (_, fact) => {
    const job = paidJob()
    job.append([fact])
    expect(played(job).at(-1)).toMatchObject({ fold: 'read', decisions: { nothing: [] } })
  })

  it('shows both ends of a long journal, as much of either, and folds all of it', () => {
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

  it('of 1.0, which stored no digest of a row, owes no row that was written', () => {
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

  it('if it lacks an entry, from there on', () => {
    const lacking = stored.filter((_, place) => place !== 1)
    const [first, ...others] = foldsOf(lacking)
    expect(first).toBe('read')
    expect(others).toEqual(others.map(() => 'lacks entry 2'))
    expect(others).not.toEqual([])
  })

  it('if an entry is of a later format', () => {
    const [first, second] = stored
    if (!first || !second) throw new Error('the journal is too short')
    const later = { ...second, value: { ...second.value, version: 99 } }
    expect(foldsOf([first, later])).toEqual(['read', expect.stringContaining('format 99')])
  })

  it('if it does not begin with the creation of the job', () => {
    const [first] = stored
    if (!first) throw new Error('the journal is empty')
    const entry = { version: 1, at: NOW * 1000, facts: [{ is: 'expired' as const }] }
    expect(foldsOf([{ ...first, value: entry }])).toEqual([expect.stringMatching(/entry 1 .*creation/)])
  })

  it('and shows nothing else of that entry', () => {
    expect([...replay(stored.slice(1), 400 * DAY)].map((after) => Object.keys(after))).toEqual(
      stored.slice(1).map(() => ['fold']),
    )
  })
})
