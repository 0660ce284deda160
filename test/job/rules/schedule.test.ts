import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  LAST_PULL_PATIENCE,
  lease,
  nextAnnounceAt,
  nextLastPullAt,
  nextPullAt,
  nextReportAt,
} from '../../../src/job/rules/schedule.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { MIDDLE, NOW } from '../../support/sample-job.ts'

const SECOND = 1000

describe('the status is pulled by the age of the job', () => {
  const AGES = [0, 1, 3, 10, 30, 60, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE)

  it.each(AGES.slice(1).map((age, place) => [AGES[place] ?? 0, age]))(
    'at %i ms, next at %i ms',
    (before, age) => {
      expect(nextPullAt(NOW, NOW + before, MIDDLE)).toBe(NOW + age)
      expect(nextPullAt(NOW, NOW + before, 0)).toBe(NOW + 0.9 * age)
    },
  )

  it('at none of them twice, however early or late its alarm is', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(random, fc.integer({ min: 0, max: MINUTE })), { maxLength: 12 }),
        (rings) => {
          let now = NOW
          const times = rings.map(([jitter, late]) => {
            const at = nextPullAt(NOW, now, jitter)
            expect(at).toBeGreaterThan(now + 30_000)
            now = at + late
            return at
          })
          const in24h = times.filter((at) => at < NOW + 0.9 * DAY)
          expect(in24h.length).toBeLessThanOrEqual(8)
        },
      ),
    )
  })

  it.each([DAY, 5 * DAY, 400 * DAY])('at %i ms, next a day later', (age) => {
    expect(nextPullAt(NOW, NOW + age, MIDDLE)).toBe(NOW + age + DAY)
  })

  it('at the next age when it runs late', () => {
    expect(nextPullAt(NOW, NOW + 8 * MINUTE, MIDDLE)).toBe(NOW + 10 * MINUTE)
    expect(nextPullAt(NOW, NOW + 9 * MINUTE, MIDDLE)).toBe(NOW + 30 * MINUTE)
  })
})

describe('a report is tried again', () => {
  it.each([
    [1, 5 * SECOND],
    [2, MINUTE],
    [3, 5 * MINUTE],
    [4, 30 * MINUTE],
    [5, 2 * HOUR],
    [6, 5 * HOUR],
    [7, 10 * HOUR],
    [8, 14 * HOUR],
    [9, 20 * HOUR],
    [10, 24 * HOUR],
  ])('after %i failures in %i ms', (attempts, delay) => {
    expect(nextReportAt(attempts, NOW, MIDDLE)).toBe(NOW + delay)
  })

  it('no more after the eleventh', () => {
    expect(nextReportAt(11, NOW, MIDDLE)).toBeNull()
  })
})

describe('an announcement is repeated', () => {
  it.each([
    [1, 10 * SECOND],
    [2, 30 * SECOND],
    [3, MINUTE],
    [4, 3 * MINUTE],
    [5, 10 * MINUTE],
    [6, 30 * MINUTE],
    [7, HOUR],
    [8, HOUR],
    [100, HOUR],
  ])('after %i tries in %i ms', (tries, delay) => {
    expect(nextAnnounceAt(tries, NOW, MIDDLE)).toBe(NOW + delay)
  })
})

describe('the last pull is made again', () => {
  const END = NOW - 10_000

  it.each([
    [1, MINUTE],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 2 * HOUR],
    [5, 6 * HOUR],
    [6, 12 * HOUR],
    [7, 12 * HOUR],
    [50, 12 * HOUR],
  ])('after %i tries in %i ms', (tries, delay) => {
    expect(nextLastPullAt(END, tries, NOW, MIDDLE)).toBe(NOW + delay)
  })

  it('at the latest when patience ends', () => {
    const now = END + LAST_PULL_PATIENCE - HOUR
    expect(nextLastPullAt(END, 9, now, MIDDLE)).toBe(END + LAST_PULL_PATIENCE)
  })

  it('but never at once, however late it is', () => {
    for (const late of [-1000, 0, 1000, DAY]) {
      const now = END + LAST_PULL_PATIENCE + late
      expect(nextLastPullAt(END, 9, now, MIDDLE)).toBe(now + MINUTE)
    }
  })
})

it('spreads each delay by at most a tenth to either side, to whole milliseconds', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  const delays = [
    (r: number) => [nextReportAt(4, NOW, r), 30 * MINUTE] as const,
    (r: number) => [nextAnnounceAt(2, NOW, r), 30 * SECOND] as const,
    (r: number) => [nextLastPullAt(NOW, 3, NOW, r), 30 * MINUTE] as const,
    (r: number) => [nextPullAt(NOW, NOW, r), MINUTE] as const,
    (r: number) => [nextPullAt(NOW - DAY, NOW, r), DAY] as const,
  ]
  fc.assert(
    fc.property(random, fc.constantFrom(...delays), (r, delayOf) => {
      const [at, delay] = delayOf(r)
      expect(Number.isSafeInteger(at)).toBe(true)
      expect((at ?? 0) - NOW).toBeGreaterThanOrEqual(0.9 * delay)
      expect((at ?? 0) - NOW).toBeLessThanOrEqual(1.1 * delay)
    }),
  )
  expect([nextReportAt(4, NOW, 0), nextReportAt(4, NOW, 0.999_999_999)]).toEqual([
    NOW + 27 * MINUTE,
    NOW + 33 * MINUTE,
  ])
})

it('gives a message half a minute until its result, doubled with each loss, at most an hour', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 50].map((sends) => lease(sends) / MINUTE)).toEqual([
    0.5, 1, 2, 4, 8, 16, 32, 60, 60,
  ])
})
