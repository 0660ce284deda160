import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Sweep, sweepsAt } from '../../src/job-index/sweep-plan.ts'
import { DAY, HOUR, MINUTE } from '../../src/contract/timestamp.ts'

const NOW = Date.UTC(2027, 4, 3, 10, 17)
const RETENTION = 400 * DAY
const ADDRESS = 30 * DAY

/** Returns whether a sweep finds a job that was created and last changed at these times (ms). */
function finds(sweep: Sweep, status: string, created: number, changed = created): boolean {
  return (
    sweep.of === undefined &&
    (sweep.status === null || sweep.status === status) &&
    created * 1000 >= sweep.from &&
    created * 1000 < sweep.to &&
    (sweep.changedBefore === null || changed * 1000 < sweep.changedBefore)
  )
}

/** The ages, in whole hours, at which an hourly sweep finds a job that never changes. */
function agesFound(created: number, status: string, lasting: number, late = 0): number[] {
  return Array.from({ length: lasting / HOUR }, (_, hour) => created + hour * HOUR + late).flatMap((now) =>
    sweepsAt(now, RETENTION, ADDRESS).some((sweep) => finds(sweep, status, created))
      ? [Math.floor((now - created) / HOUR)]
      : [],
  )
}

describe('a job that does not change', () => {
  it('and is open is found a day after its creation, and then at growing ages, once each', () => {
    fc.assert(
      fc.property(fc.nat(HOUR), fc.nat(59 * MINUTE), (offset, late) => {
        const ages = agesFound(NOW + offset, 'PENDING', 100 * DAY, late)
        expect(ages).toHaveLength(8)
        for (const [place, age] of [25, 49, 98, 120, 192, 720, 744, 2208].entries()) {
          expect(ages[place]).toBeGreaterThanOrEqual(age)
          expect(ages[place]).toBeLessThanOrEqual(age + 1)
        }
      }),
      { numRuns: 20 },
    )
  })

  it.each(['SUCCESS', 'EXPIRED', 'CANCELLED', 'FAILURE'])(
    'and has ended as %s is found after five days, and twice when its IP address is to be erased',
    (status) => {
      fc.assert(
        fc.property(fc.nat(HOUR), fc.nat(59 * MINUTE), (offset, late) => {
          const ages = agesFound(NOW + offset, status, RETENTION, late)
          expect(ages).toHaveLength(3)
          for (const [place, age] of [120, 720, 744].entries()) expect([age, age + 1]).toContain(ages[place])
        }),
        { numRuns: 20 },
      )
    },
  )
})

it('a reservation that should have ended is found an hour and a day later, whatever the state of its job', () => {
  fc.assert(
    fc.property(fc.nat(HOUR), fc.nat(59 * MINUTE), (offset, late) => {
      const ended = NOW + offset
      const isFound = ({ of, status, from, to }: Sweep) =>
        of === 'captureBefore' && status === null && ended * 1000 >= from && ended * 1000 < to
      const hours = Array.from({ length: 2 * 24 * 40 }, (_, hour) => hour).filter((hour) =>
        sweepsAt(ended + hour * HOUR + late, RETENTION, ADDRESS).some(isFound),
      )
      expect(hours).toHaveLength(2)
      for (const [place, age] of [1, 24].entries()) expect([age, age + 1]).toContain(hours[place])
    }),
    { numRuns: 20 },
  )
})

describe('a job whose retention time is over', () => {
  const last = (now: number) => sweepsAt(now, RETENTION, ADDRESS).at(-1) as Sweep

  it('is found from then on, each hour, whatever its status', () => {
    const created = NOW - (NOW % HOUR)
    expect(finds(last(created + RETENTION), 'SUCCESS', created)).toBe(false)
    for (const late of [HOUR, 2 * HOUR, DAY, 30 * DAY]) {
      expect(finds(last(created + RETENTION + late), 'SUCCESS', created)).toBe(true)
      expect(finds(last(created + RETENTION + late), 'PENDING', created)).toBe(true)
    }
  })

  it('is not found if it changed later', () => {
    const now = NOW + RETENTION + 2 * DAY
    expect(finds(last(now), 'SUCCESS', NOW, NOW)).toBe(true)
    expect(finds(last(now), 'SUCCESS', NOW, NOW + 2 * DAY)).toBe(false)
  })
})
