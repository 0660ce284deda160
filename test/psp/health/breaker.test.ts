import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../../src/contract/timestamp.ts'
import {
  type Breaker,
  CLOSED,
  afterCall,
  afterCheck,
  afterHint,
  openFor,
  waitFor,
} from '../../../src/psp/health/breaker.ts'

const NOW = 1_790_000_000_000
const SHARE = 8000

type Made = { took: number; answered: boolean; retryAfter?: number; pos?: string; job?: string }

/** A call for a separate job of shop A. */
function call(began: number, ended: number, answered: boolean) {
  return { pos: 'A', job: `${began}`, began, ended, answered }
}

/**
 * Calls of an account, one after the other: how long (ms) each took, and whether it was
 * answered.
 */
function after(calls: readonly Made[], from = CLOSED) {
  let now = NOW
  let breaker: Breaker = from
  for (const [place, { took, answered, retryAfter, pos = 'A', job = `${place}` }] of calls.entries()) {
    breaker = afterCall(breaker, { pos, job, began: now, ended: now + took, answered, retryAfter }, 0.5)
    now += took
  }
  return { breaker, now }
}

const TIMEOUT = { took: 3000, answered: false }
const REFUSED_CONNECTION = { took: 5, answered: false }
const ANSWER = { took: 200, answered: true }

describe('given an account that answers, the breaker', () => {
  it('opens after one timeout: the next payment does not wait for the account', () => {
    const { breaker, now } = after([ANSWER, TIMEOUT])
    expect(breaker.open).toMatchObject({ since: now })
    expect(breaker.open?.until).toBeGreaterThan(now)
  })

  it('opens after several quick faults in a row, since a single one costs no wait', () => {
    expect(after([ANSWER, REFUSED_CONNECTION]).breaker.open).toBeNull()
    expect(after([REFUSED_CONNECTION, ANSWER, REFUSED_CONNECTION]).breaker.open).toBeNull()
    expect(after([REFUSED_CONNECTION, REFUSED_CONNECTION, REFUSED_CONNECTION]).breaker.open).not.toBeNull()
  })

  it('stays closed after a timeout if other payments were answered in the meantime', () => {
    const { breaker } = after([{ took: 8000, answered: true }])
    const late = call(NOW + 1000, NOW + 9000, false)
    expect(afterCall(breaker, late, 0.5).open).toBeNull()
  })

  it('opens for as long as the pause that the PSP requests', () => {
    const { breaker, now } = after([{ ...REFUSED_CONNECTION, retryAfter: 60 }])
    expect(breaker.open?.until).toBe(now + MINUTE)
  })
})

describe('given an open breaker', () => {
  const { breaker: open, now } = after([TIMEOUT])

  it('each check without an answer makes the pause longer, up to some minutes', () => {
    let [breaker, at, pause] = [open, now, 0]
    for (let checks = 0; checks < 10; checks++) {
      at = breaker.open?.until ?? 0
      breaker = afterCheck(breaker, false, at, 0.5)
      const next = (breaker.open?.until ?? 0) - at
      expect(next).toBeGreaterThanOrEqual(pause)
      pause = next
    }
    expect(pause).toBeLessThanOrEqual(3 * MINUTE)
    expect(breaker.open?.since).toBe(open.open?.since)
  })

  it('a check with an answer closes it, and the next payments wait only a short time', () => {
    const closed = afterCheck(open, true, now, 0.5)
    expect(closed.open).toBeNull()
    expect(waitFor(closed, 'A', SHARE)).toBeLessThan(SHARE / 2)
  })

  it('after a minute of answers the account counts as good again', () => {
    const closed = afterCheck(open, true, now, 0.5)
    const later = call(now + 2 * MINUTE, now + 2 * MINUTE + 100, true)
    expect(waitFor(afterCall(closed, later, 0.5), 'A', SHARE)).toBe(SHARE)
  })

  it('a timeout right after it closed opens it for longer than the first one', () => {
    const closed = afterCheck(open, true, now, 0.5)
    const again = afterCall(closed, call(now, now + 2500, false), 0.5)
    const length = ({ open: span }: Breaker, from: number) => (span?.until ?? 0) - from
    expect(length(again, now + 2500)).toBeGreaterThan(length(open, now))
  })

  it('calls that began before it opened say nothing new', () => {
    const late = call(now - 1000, now + 1000, false)
    expect(afterCall(open, late, 0.5).open).toEqual(open.open)
  })

  it('any answer closes it', () => {
    expect(afterCall(open, call(now, now + 100, true), 0.5).open).toBeNull()
  })

  it('isolates that see the same outage ask again at different times', () => {
    const one = call(NOW, NOW + 3000, false)
    expect(afterCall(CLOSED, one, 0).open?.until).not.toBe(afterCall(CLOSED, one, 1).open?.until)
  })
})

describe('given faults of the orders of one shop', () => {
  const OF_B = { ...TIMEOUT, pos: 'B' }

  it('the breaker opens only for that shop, and the others wait as long as before', () => {
    const { breaker, now } = after([TIMEOUT, TIMEOUT, TIMEOUT])
    expect(openFor(breaker, 'A', now)).not.toBeNull()
    expect(openFor(breaker, 'B', now)).toBeNull()
    expect(waitFor(breaker, 'B', SHARE)).toBe(SHARE)
  })

  it('it opens for all once an order of a second shop meets a fault', () => {
    const { breaker, now } = after([TIMEOUT, OF_B])
    expect(openFor(breaker, 'C', now)).not.toBeNull()
  })

  it('it opens for all once the account does not answer a check, which belongs to no shop', () => {
    const { breaker, now } = after([TIMEOUT])
    expect(openFor(afterCheck(breaker, false, now, 0.5), 'B', now)).not.toBeNull()
  })

  it('it closes for that shop too once an order of another shop is answered', () => {
    const { breaker, now } = after([TIMEOUT, { ...ANSWER, pos: 'B' }])
    expect(openFor(breaker, 'A', now)).toBeNull()
  })

  it('a fault of another shop long ago does not open it for all', () => {
    const { breaker, now } = after([TIMEOUT])
    const later = { ...call(now + 60 * MINUTE, now + 60 * MINUTE + 3000, false), pos: 'B' }
    const opened = afterCall(breaker, later, 0.5)
    expect(openFor(opened, 'B', later.ended)).not.toBeNull()
    expect(openFor(opened, 'C', later.ended)).toBeNull()
  })

  it('a job that is announced again and again counts once', () => {
    const again = { ...REFUSED_CONNECTION, job: 'one' }
    expect(after([again, again, again, again]).breaker.open).toBeNull()
  })

  it('two isolates that hear about two shops blame the account', () => {
    const { breaker, now } = after([TIMEOUT])
    const heard = afterHint(breaker, { since: now, until: now + MINUTE, level: 1, by: 'B' })
    expect(openFor(heard, 'C', now)).not.toBeNull()
  })
})

describe('a hint of another isolate', () => {
  const span = { since: NOW, until: NOW + MINUTE }
  const hint = { ...span, level: 3, by: null }

  it('opens the breaker of an isolate that has not asked the account since', () => {
    expect(afterHint(CLOSED, hint).open).toEqual(span)
  })

  it('continues the pauses where the other isolate is', () => {
    const breaker = afterCheck(afterHint(CLOSED, hint), false, NOW + MINUTE, 0.5)
    expect(breaker.level).toBeGreaterThan(hint.level)
  })

  it('makes payments wait only a short time once a check of the other isolate was answered', () => {
    const breaker = afterHint(CLOSED, { ...hint, until: null })
    expect(breaker.open).toBeNull()
    expect(waitFor(breaker, 'A', SHARE)).toBeLessThan(SHARE / 2)
  })

  it('changes nothing if the account has answered since', () => {
    const breaker = { ...CLOSED, answeredAt: NOW + 1 }
    expect(afterHint(breaker, hint)).toBe(breaker)
  })
})
