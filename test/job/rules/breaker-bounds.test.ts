import { describe, expect, it } from 'vitest'
import {
  type Asked,
  type Breaker,
  adviceOf,
  beginTrial,
  newBreaker,
  observe,
  patienceOfTrial,
  patienceWith,
  tryNow,
} from '../../../src/psp/breaker.ts'
import { MINUTE } from '../../../src/contract/timestamp.ts'
import { MIDDLE, NOW } from '../../support/sample-job.ts'

type Open = Extract<Breaker['state'], { is: 'open' }>

function closed(changes: Partial<Breaker> = {}): Breaker {
  return { ...newBreaker(NOW), usual: 1000, ...changes }
}
function opened(state: Partial<Open> = {}, changes: Partial<Breaker> = {}): Breaker {
  return {
    ...closed({ level: 1, ...changes }),
    state: { is: 'open', why: 'silent', since: NOW, until: NOW + 5000, good: 0, trial: null, ...state },
  }
}
/** A call that ends at a time and took so long (ms). */
function ended(breaker: Breaker, at: number, took: number, ending: Omit<Asked, 'began'>, random = MIDDLE) {
  return observe(breaker, { began: at - took, ...ending }, at, random)
}
const ANSWER = { answered: true }
const FAULT = { answered: false }

it('a breaker begins closed, and has seen nothing', () => {
  expect(newBreaker(NOW)).toEqual({
    state: { is: 'closed' },
    level: 0,
    calmSince: NOW,
    recent: [],
    usual: null,
    answeredAt: null,
    faultAt: null,
  })
})

it('a closed breaker has no trial, whoever begins one', () => {
  expect(beginTrial(closed(), NOW)).toEqual(closed())
})

it('what may be tried already may not be tried later because another place has seen it well', () => {
  for (const until of [NOW - 1000, NOW]) {
    const breaker = opened({ until })
    expect(tryNow(breaker, NOW)).toBe(breaker)
  }
})

describe('an answer', () => {
  it.each([
    [3000, 'well'],
    [3001, 'slow'],
  ])('after %i ms is %s where one second is usual', (took, was) => {
    expect(ended(closed(), NOW, took, ANSWER).recent).toEqual([{ at: NOW, was }])
  })

  it('is well up to two seconds, however quick the others are', () => {
    expect(ended(closed({ usual: 50 }), NOW, 2000, ANSWER).recent).toEqual([{ at: NOW, was: 'well' }])
    expect(ended(closed({ usual: 50 }), NOW, 2001, ANSWER).recent).toEqual([{ at: NOW, was: 'slow' }])
  })

  it('is forgotten after five minutes', () => {
    const breaker = closed({
      recent: [
        { at: NOW, was: 'well' },
        { at: NOW + 1, was: 'slow' },
      ],
    })
    const now = NOW + 5 * MINUTE
    expect(ended(breaker, now, 100, ANSWER).recent).toEqual([
      { at: NOW + 1, was: 'slow' },
      { at: now, was: 'well' },
    ])
  })

  it('is forgotten when twenty newer ones have come', () => {
    let breaker = closed()
    for (let call = 1; call <= 25; call++) breaker = ended(breaker, NOW + call, 100, ANSWER)
    expect(breaker.recent.map(({ at }) => at - NOW)).toEqual(Array.from({ length: 20 }, (_, at) => at + 6))
  })

  it('is remembered apart from a fault', () => {
    const answered = ended(closed(), NOW + 1, 100, ANSWER)
    expect(answered).toMatchObject({ answeredAt: NOW + 1, faultAt: null })
    expect(ended(answered, NOW + 2, 100, FAULT)).toMatchObject({ answeredAt: NOW + 1, faultAt: NOW + 2 })
  })
})

describe('what is usual', () => {
  it.each<[string, Breaker, number, number]>([
    ['is the first answer', newBreaker(NOW), 300, 300],
    ['is 50 ms at least', newBreaker(NOW), 10, 50],
    ['is a second at most, after one answer', newBreaker(NOW), 5000, 1000],
    ['sinks a little with a quicker answer', closed(), 999, 1000 - 100 / 19],
    ['sinks with an answer that takes as long', closed(), 1000, 1000 - 100 / 19],
    ['never sinks below 50 ms', closed({ usual: 50 }), 10, 50],
    ['rises by a tenth with one that takes longer', closed(), 1001, 1100],
    ['rises no more with one that takes much longer', closed(), 7000, 1100],
    ['rises by half of that with a slow one while the breaker is open', opened(), 7000, 1050],
    ['rises as ever with one that is not slow while it is open', opened(), 1500, 1100],
  ])('%s', (_, breaker, took, usual) => {
    expect(ended(breaker, NOW + 20_000, took, ANSWER).usual).toBeCloseTo(usual, 9)
  })

  it('is not what a fault takes', () => {
    expect(ended(closed(), NOW, 7000, FAULT).usual).toBe(1000)
  })
})

describe('a closed breaker', () => {
  const W = { took: 100, ...ANSWER }
  const E = { took: 100, ...FAULT }
  const after = (calls: (typeof W)[]): string => {
    let breaker = closed()
    for (const [number, { took, ...ending }] of calls.entries())
      breaker = ended(breaker, NOW + 1000 * (number + 1), took, ending)
    return adviceOf(breaker, NOW + 1000 * calls.length)
  }
  it.each([
    ['one error of few calls', [W, E], 'go'],
    ['one error as the first call', [E], 'go'],
    ['two errors as the first calls', [E, E], 'go'],
    ['three errors in a row after some answers', [W, W, W, W, W, E, E, E], 'avoid'],
    ['three errors of nine, none after another', [W, W, E, W, W, E, W, W, E], 'go'],
    ['three errors of ten, none after another', [W, W, E, W, W, E, W, W, W, E], 'avoid'],
    ['three errors of eleven', [W, W, E, W, W, E, W, W, W, W, E], 'go'],
  ])('after %s: %j', (_, calls, advice) => {
    expect(after(calls)).toBe(advice)
  })

  it.each([
    [999, 'go'],
    [1000, 'avoid'],
  ])('after a fault that took %i ms: %s', (took, advice) => {
    expect(adviceOf(ended(closed(), NOW, took, FAULT), NOW)).toBe(advice)
  })

  it('stays closed for a wait in vain that began before the newest answer, and opens for one that began with it', () => {
    const breaker = closed({ answeredAt: NOW })
    expect(ended(breaker, NOW + 3999, 4000, FAULT).state).toEqual({ is: 'closed' })
    expect(ended(breaker, NOW + 4000, 4000, FAULT).state).toMatchObject({ is: 'open' })
  })

  it.each([
    [4, 'go'],
    [5, 'last'],
  ])('after %i slow answers: %s', (count, advice) => {
    const recent = Array.from({ length: count - 1 }, () => ({ at: NOW, was: 'slow' as const }))
    expect(adviceOf(ended(closed({ recent }), NOW, 7000, ANSWER), NOW)).toBe(advice)
  })

  it.each([
    [0, 4000],
    [1, 6000],
  ])('that opens is spread by a fifth to either side: %i', (random, pause) => {
    const at = NOW + 9000
    expect(ended(closed(), at, 4000, FAULT, random)).toMatchObject({
      state: { is: 'open', why: 'silent', since: at, until: at + pause, good: 0, trial: null },
      level: 1,
      calmSince: at,
    })
  })
})

describe('a breaker that has been open', () => {
  it.each([
    ['a level less after a minute of good answers', 2, MINUTE, 100, 1, MINUTE],
    ['no level less before that', 2, MINUTE - 1, 100, 2, 0],
    ['no level below none', 0, 2 * MINUTE, 100, 0, 0],
    ['no level less with a slow answer, which begins the minute anew', 2, MINUTE, 7000, 2, MINUTE],
  ])('has %s', (_, level, waited, took, levelThen, calmThen) => {
    const then = ended(closed({ level }), NOW + waited, took, ANSWER)
    expect([then.level, then.calmSince - NOW]).toEqual([levelThen, calmThen])
  })

  it('begins the minute anew with an error as well', () => {
    expect(ended(closed({ level: 2 }), NOW + MINUTE, 100, FAULT)).toMatchObject({
      level: 2,
      calmSince: NOW + MINUTE,
    })
  })
})

describe('an open breaker', () => {
  it('closes with an answer to a call that began when it opened, and forgets what was before', () => {
    const breaker = opened({}, { recent: [{ at: NOW, was: 'fault' }] })
    expect(ended(breaker, NOW + 100, 100, ANSWER)).toMatchObject({
      state: { is: 'closed' },
      recent: [],
      calmSince: NOW + 100,
    })
  })

  it('closes with a slow answer where it opened for silence, and stays open where it opened for slowness', () => {
    expect(ended(opened(), NOW + 8000, 7000, ANSWER).state).toEqual({ is: 'closed' })
    const stays = ended(opened({ why: 'slow' }), NOW + 8000, 7000, ANSWER)
    expect(stays).toMatchObject({ level: 2, state: { why: 'slow', since: NOW, until: NOW + 18_000 } })
  })

  it('is silent from a fault on, where it was slow before', () => {
    const silent = ended(opened({ why: 'slow' }), NOW + 8000, 90, FAULT)
    expect(silent.state).toMatchObject({ why: 'silent', since: NOW })
  })

  it.each([
    ['at once, where it had to wait yet', NOW + 5000, NOW + 2000],
    ['still, where it could be tried before', NOW + 1000, NOW + 1000],
  ])('asks for one good payment more %s', (_, until, untilThen) => {
    const then = ended(opened({ until, trial: NOW + 1900 }, { level: 2 }), NOW + 2000, 100, ANSWER)
    expect(then.state).toMatchObject({ is: 'open', good: 1, trial: null, until: untilThen })
  })

  it('asks for five good payments at most', () => {
    expect(ended(opened({ good: 3 }, { level: 6 }), NOW + 100, 100, ANSWER).state.is).toBe('open')
    expect(ended(opened({ good: 4 }, { level: 6 }), NOW + 100, 100, ANSWER).state.is).toBe('closed')
  })

  it('waits no longer for a fault before its time, and anew for one at it', () => {
    const breaker = opened()
    expect(ended(breaker, NOW + 4999, 90, FAULT).state).toEqual(breaker.state)
    expect(ended(breaker, NOW + 5000, 90, FAULT).state).toMatchObject({ since: NOW, until: NOW + 15_000 })
  })

  it.each([
    ['until its trial is lost', NOW + 14_999, 'avoid'],
    ['and is tried anew from then on', NOW + 15_000, 'try'],
  ])('is avoided %s', (_, now, advice) => {
    expect(adviceOf(opened({ trial: NOW + 5000 }), now)).toBe(advice)
  })
})

describe('patience', () => {
  it.each([
    [null, 9000, 9000, 2500],
    [100, 9000, 2500, 2500],
    [1000, 9000, 6000, 2500],
    [1000, 5000, 5000, 2500],
    [2000, 20_000, 12_000, 4000],
    [2000, 1000, 1000, 1000],
  ])(
    'where %j ms are usual, and its share is %i ms, is %i ms, and that of a trial %i ms',
    (usual, share, usually, trial) => {
      expect(patienceWith(closed({ usual }), share)).toBe(usually)
      expect(patienceOfTrial(closed({ usual }), share)).toBe(trial)
    },
  )
})
