import { describe, expect, it } from 'vitest'
import { IDLE, type Pace, afterTooMany, afterWish } from '../../../src/psp/health/pace.ts'

const NOW = 1_790_000_000_000
const LIMIT = 100

/** The requests of shops to an account, one wish after another. */
function account(pace: Pace = IDLE) {
  let now = NOW
  const wish = (pos: string, isBegun = false) => {
    const { isSent, ...after } = afterWish(pace, { pos, limit: LIMIT, now, isBegun })
    pace = after
    return isSent
  }
  return {
    /** Each of the shops wants to send so many requests now, by turns. Returns how many the hub sends. */
    wants(times: number, ...shops: string[]): number[] {
      const sent = new Map(shops.map((pos) => [pos, 0]))
      for (let turn = 0; turn < times; turn++)
        for (const pos of shops) sent.set(pos, (sent.get(pos) ?? 0) + Number(wish(pos)))
      return [...sent.values()]
    },
    goesOn: (pos: string) => wish(pos, true),
    /** The PSP answers 429 to a request of now. */
    isRefused: (retryAfter = 0) => (pace = afterTooMany(pace, now, retryAfter, now)),
    later: (milliseconds: number) => (now += milliseconds),
    size: () => pace.asks.length + pace.slowed.size,
  }
}

describe('given an account that takes a hundred requests a second', () => {
  it('a shop that nobody disturbs has all of them, and no more in any second', () => {
    const { wants, later } = account()
    expect(wants(500, 'A')).toEqual([100])
    later(999)
    expect(wants(500, 'A')).toEqual([0])
    later(1)
    expect(wants(500, 'A')).toEqual([100])
  })

  it('shops that ask now share them equally, and what one leaves is for the others', () => {
    expect(account().wants(500, 'A', 'B', 'C', 'D')).toEqual([25, 25, 25, 25])
    const { wants } = account()
    expect(wants(10, 'A', 'B')).toEqual([10, 10])
    expect(wants(500, 'B')).toEqual([80])
  })

  it('a shop that begins while another floods has its share at once, and the other waits for it', () => {
    const { wants, later } = account()
    wants(500, 'flood')
    expect(wants(10, 'B')).toEqual([10])
    later(1000)
    expect(wants(500, 'flood', 'B')).toEqual([50, 50])
  })

  it('however many shops begin at once, it gets at most twice as many', () => {
    const { wants } = account()
    const shops = Array.from({ length: 300 }, (_, shop) => `shop ${shop}`)
    const sent = shops.flatMap((shop) => wants(4, shop))
    expect(sent.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(200)
  })

  it('an operation that has begun goes on, and counts', () => {
    const { wants, goesOn } = account()
    wants(99, 'A')
    expect(goesOn('A')).toBe(true)
    expect(wants(1, 'A')).toEqual([0])
    expect(goesOn('A')).toBe(true)
  })

  it('a flood that lasts takes no more memory', () => {
    const { wants, later, size } = account()
    for (let second = 0; second < 12; second++, later(1000)) wants(200, 'A', 'B')
    expect(size()).toBeLessThan(1200)
  })

  it('a clock that steps back stops nobody', () => {
    const { wants, later, isRefused } = account()
    wants(100, 'A')
    isRefused(60)
    later(-3_600_000)
    expect(wants(10, 'A', 'B')).toEqual([10, 10])
  })
})

describe('given a PSP that answers 429', () => {
  it('the shop that sent most waits as long as the PSP says, and its neighbours do not', () => {
    const { wants, later, isRefused } = account()
    wants(20, 'flood')
    wants(1, 'B')
    isRefused(30)
    expect(wants(5, 'flood', 'B')).toEqual([0, 5])
    later(29_999)
    expect(wants(5, 'flood', 'B', 'C')).toEqual([0, 5, 5])
    later(1)
    expect(wants(50, 'flood', 'B')).toEqual([10, 50])
  })

  it('without a pause, the shop sends half as much from then on, and again half', () => {
    const { wants, later, isRefused } = account()
    for (const half of [10, 5, 3]) {
      wants(20, 'flood')
      isRefused()
      later(1000)
      expect(wants(20, 'flood')).toEqual([half])
      later(1000)
    }
    later(120_000)
    expect(wants(20, 'flood')).toEqual([20])
  })

  it('shops that sent equally much all wait', () => {
    const { wants, isRefused } = account()
    wants(5, 'A', 'B')
    isRefused(30)
    expect(wants(5, 'A', 'B', 'C')).toEqual([0, 0, 5])
  })

  it('even to the only request of another shop, all wait: the PSP means the account', () => {
    const { wants, later, isRefused } = account()
    wants(20, 'flood')
    isRefused(60)
    later(6000)
    expect(wants(1, 'B')).toEqual([1])
    isRefused(20)
    expect(wants(1, 'B', 'C')).toEqual([0, 0])
    later(20_000)
    expect(wants(1, 'flood', 'B', 'C')).toEqual([0, 1, 1])
  })

  it('nobody waits longer than two minutes', () => {
    const { wants, later, isRefused } = account()
    wants(5, 'A')
    isRefused(86_400)
    later(120_000)
    expect(wants(1, 'A')).toEqual([1])
  })
})
