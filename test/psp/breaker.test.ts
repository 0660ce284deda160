import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Breaker,
  adviceOf,
  beginTrial,
  newBreaker,
  observe,
  patienceOfTrial,
  patienceWith,
  tryNow,
} from '../../src/psp/breaker.ts'
import { MINUTE } from '../../src/contract/timestamp.ts'
import { MIDDLE, NOW } from '../support/sample-job.ts'

type Ending = { took: number; answered: boolean; retryAfter?: number }
const WELL: Ending = { took: 200, answered: true }
const SLOW: Ending = { took: 7000, answered: true }
const SILENCE: Ending = { took: 4000, answered: false }
const ERROR: Ending = { took: 90, answered: false }

/** Calls one after another, each begun when the one before it ended. The breaker after them, and the time. */
function after(calls: readonly Ending[], from: Breaker = newBreaker(NOW), start = NOW) {
  let now = start
  let breaker = from
  for (const { took, ...ending } of calls) {
    const began = now
    if (adviceOf(breaker, now) === 'try') breaker = beginTrial(breaker, now)
    now += took
    breaker = observe(breaker, { began, ...ending }, now, MIDDLE)
  }
  return { breaker, now, advice: adviceOf(breaker, now) }
}
function times(count: number, ...calls: Ending[]): Ending[] {
  return Array.from({ length: count }, () => calls).flat()
}

describe('a breaker', () => {
  it.each<[string, Ending[], string]>([
    ['goes on while all is well', times(30, WELL), 'go'],
    ['avoids an account after one wait in vain', [SILENCE], 'avoid'],
    ['does so however well the account was', [...times(30, WELL), SILENCE], 'avoid'],
    ['forgives an error that came at once', [...times(30, WELL), ERROR], 'go'],
    ['forgives two of them', [...times(30, WELL), ERROR, ERROR], 'go'],
    ['avoids an account after three errors in a row', times(3, ERROR), 'avoid'],
    ['avoids one of which a third fails', times(4, WELL, WELL, ERROR), 'avoid'],
    ['forgives one of which a tenth fails', times(5, ...times(9, WELL), ERROR), 'go'],
    ['leaves an account alone that asks for it', [{ ...ERROR, retryAfter: 30 }], 'avoid'],
    ['asks one last that has become slow', [...times(30, WELL), ...times(5, SLOW)], 'last'],
    ['forgives a slow answer now and then', times(6, ...times(9, WELL), SLOW), 'go'],
    ['takes seconds for usual where they are', times(40, { took: 3000, answered: true }), 'go'],
  ])('%s', (_, calls, advice) => {
    expect(after(calls).advice).toBe(advice)
  })

  it('does not open for one wait in vain while others are answered', () => {
    const { breaker, now } = after(times(3, WELL))
    const silent = { began: now - 100, answered: false }
    const once = observe(breaker, silent, now + 4000, MIDDLE)
    expect(adviceOf(once, now + 4000)).toBe('go')
    // They have stopped as well.
    const twice = observe(once, { began: now + 10, answered: false }, now + 4010, MIDDLE)
    expect(adviceOf(twice, now + 4010)).toBe('avoid')
  })

  it('lets one real payment try when its time is over, and no other meanwhile', () => {
    const { breaker, now } = after([SILENCE])
    expect(adviceOf(breaker, now + 4999)).toBe('avoid')
    expect(adviceOf(breaker, now + 5000)).toBe('try')
    const tried = beginTrial(breaker, now + 5000)
    expect(adviceOf(tried, now + 5001)).toBe('avoid')
    // The process that tried may have died.
    expect(adviceOf(tried, now + 15_000)).toBe('try')
  })

  it('closes when that payment is answered, and a refusal of the order is an answer', () => {
    const { breaker, now } = after([SILENCE])
    expect(after([WELL], breaker, now + 5000).advice).toBe('go')
  })

  it('waits longer after each trial in vain, up to two minutes', () => {
    const pauses: number[] = []
    let { breaker, now } = after([SILENCE])
    for (let trial = 0; trial < 8; trial++) {
      if (breaker.state.is !== 'open') throw new Error('the breaker is closed')
      pauses.push(breaker.state.until - now)
      ;({ breaker, now } = after([SILENCE], breaker, breaker.state.until))
    }
    expect(pauses.map((pause) => pause / 1000)).toEqual([5, 10, 20, 40, 80, 120, 120, 120])
  })

  it('is left alone for as long as the account asks, and for two minutes at most', () => {
    const { breaker, now } = after([{ ...ERROR, retryAfter: 60 }])
    expect(breaker.state).toMatchObject({ is: 'open', until: now + MINUTE })
    const long = after([{ ...ERROR, retryAfter: 86_400 }])
    expect(long.breaker.state).toMatchObject({ until: long.now + 2 * MINUTE })
  })

  it('is not told twice of the same fault by calls that began before', () => {
    const { breaker, now } = after([SILENCE])
    const late = { began: now - 3000, answered: false }
    expect(observe(breaker, late, now + 1000, MIDDLE).state).toEqual(breaker.state)
    expect(observe(breaker, { ...late, answered: true }, now + 1000, MIDDLE).state).toEqual(breaker.state)
  })

  it('asks for more good payments before it closes, each time that it has opened lately', () => {
    const first = after([SILENCE])
    const closed = after([WELL], first.breaker, first.now + 5000)
    const second = after([SILENCE], closed.breaker, closed.now)
    const once = after([WELL], second.breaker, second.now + 10_000)
    expect(once.advice).toBe('try')
    expect(after([WELL], once.breaker, once.now).advice).toBe('go')
  })

  it('has forgotten it after minutes of steady answers', () => {
    const first = after([SILENCE])
    const closed = after([WELL], first.breaker, first.now + 5000)
    const calm = after(times(400, WELL), closed.breaker, closed.now)
    expect(calm.breaker.level).toBe(0)
  })

  it('is tried at once when another place has seen the account well', () => {
    const { breaker, now } = after([SILENCE])
    expect(adviceOf(tryNow(breaker, now + 1), now + 1)).toBe('try')
    expect(tryNow(newBreaker(NOW), NOW)).toEqual(newBreaker(NOW))
  })

  it('takes for usual in the end what stays slow', () => {
    let { breaker, now } = after([...times(30, WELL), ...times(5, SLOW)])
    for (let trial = 0; trial < 60 && breaker.state.is === 'open'; trial++) {
      ;({ breaker, now } = after([SLOW], breaker, Math.max(now, breaker.state.until)))
    }
    expect(breaker.state.is).toBe('closed')
  })
})

describe('patience with an account', () => {
  it('is its whole share where nothing is known', () => {
    expect(patienceWith(newBreaker(NOW), 4000)).toBe(4000)
  })
  it('is shorter where it is usually quick, and never so short that a usual answer is lost', () => {
    const { breaker } = after(times(100, WELL))
    expect(patienceWith(breaker, 4000)).toBe(2500)
    const sluggish = after(times(100, { took: 1500, answered: true })).breaker
    expect(patienceWith(sluggish, 8000)).toBeGreaterThan(6000)
  })
  it('of a trial is short, and at least twice what is usual', () => {
    expect(patienceOfTrial(newBreaker(NOW), 8000)).toBe(2500)
    const sluggish = after(times(100, { took: 3000, answered: true })).breaker
    expect(patienceOfTrial(sluggish, 8000)).toBeGreaterThan(5000)
    expect(patienceOfTrial(sluggish, 4000)).toBe(4000)
  })
})

describe('whatever happens', () => {
  const anEnding = fc.record({
    took: fc.integer({ min: 0, max: 8000 }),
    answered: fc.boolean(),
    pause: fc.integer({ min: 0, max: 5 * MINUTE }),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
  })

  it('an account is tried again within three minutes, and remembered in few words', () => {
    fc.assert(
      fc.property(fc.array(anEnding, { maxLength: 100 }), (endings) => {
        let breaker = newBreaker(NOW)
        let now = NOW
        for (const { took, answered, pause, random } of endings) {
          now += pause
          const began = now
          if (adviceOf(breaker, now) === 'try') breaker = beginTrial(breaker, now)
          now += took
          breaker = observe(breaker, { began, answered }, now, random)
          expect(['go', 'try']).toContain(adviceOf(breaker, now + 3 * MINUTE))
          expect(breaker.recent.length).toBeLessThanOrEqual(20)
          expect(breaker.level).toBeLessThanOrEqual(6)
        }
      }),
    )
  })

  it('an account that answers from then on is trusted again after a few payments', () => {
    fc.assert(
      fc.property(fc.array(anEnding, { maxLength: 60 }), (endings) => {
        let { breaker, now } = { breaker: newBreaker(NOW), now: NOW }
        for (const { took, answered, random } of endings)
          breaker = observe(breaker, { began: now, answered }, (now += took), random)
        now += 3 * MINUTE
        for (let payment = 0; payment < 5; payment++) breaker = after([WELL], breaker, (now += 1000)).breaker
        expect(adviceOf(breaker, now + 1000)).toBe('go')
      }),
    )
  })
})
