import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { letPass, mayMove, moveOn, offsetToCome } from '../../../src/job/rules/advance.ts'
import type { Job } from '../../../src/job/rules/job.ts'
import { nextDue } from '../../../src/job/rules/timers.ts'
import { NOW, indexed, sampleJob } from '../../support/sample-job.ts'

const REAL = NOW + 1000
const FLIGHT = { revision: 1, until: NOW + MINUTE, sends: 1 }
const job = indexed(sampleJob())
const nextTimer = nextDue(job)

/** The job's clock after each step of its alarm, until all time has passed. */
function played(begun: Job, other = Infinity): number[] {
  const offsets: number[] = []
  for (let now = begun; mayMove(now);) {
    now = moveOn(now, other, REAL + (now.clock?.offset ?? 0))
    offsets.push(now.clock?.offset ?? NaN)
  }
  return offsets
}

describe('letting time pass for a test job', () => {
  it('is owed until its clock has come there, and no instant is asked for twice', () => {
    const owed = letPass(job, HOUR, REAL)
    expect([owed.ahead, owed.clock]).toEqual([HOUR, { offset: 0, moved: REAL }])
    expect(letPass(owed, HOUR, REAL + 1)).toBe(owed)
    expect(letPass(owed, HOUR - 1, REAL + 1)).toBe(owed)
    expect(letPass(owed, HOUR + 1, REAL + 1).ahead).toBe(HOUR + 1)
    expect([offsetToCome(job), offsetToCome(owed)]).toEqual([0, HOUR])
  })

  it('goes on from where its clock is', () => {
    const moved = { ...job, clock: { offset: HOUR, moved: REAL } }
    const owed = letPass(moved, HOUR + MINUTE, REAL + 5)
    expect([owed.ahead, owed.clock]).toEqual([MINUTE, { offset: HOUR, moved: REAL + 5 }])
    expect(offsetToCome(owed)).toBe(HOUR + MINUTE)
    expect(letPass(moved, HOUR, REAL)).toBe(moved)
  })

  it('is not done while a report is under way, or where nothing was asked for', () => {
    const owed = letPass(job, HOUR, REAL)
    expect([mayMove(job), mayMove(owed)]).toEqual([false, true])
    const reporting = { ...owed, flight: FLIGHT }
    expect(mayMove(reporting)).toBe(false)
    expect(moveOn(reporting, Infinity, REAL)).toBe(reporting)
    expect(moveOn(job, Infinity, REAL)).toBe(job)
  })

  it('stops at the next timer of the job, or of its payment, and no further than was asked for', () => {
    const byTimer = nextTimer - REAL
    const owed = letPass(job, HOUR, REAL)
    const first = moveOn(owed, Infinity, REAL)
    expect([first.clock, first.ahead]).toEqual([{ offset: byTimer, moved: REAL }, HOUR - byTimer])
    // `moved` is a real time, whatever the job's clock shows.
    expect(moveOn(first, Infinity, REAL + byTimer).clock?.moved).toBe(REAL)
    expect(moveOn(owed, REAL + 5, REAL).clock?.offset).toBe(5)
    expect(moveOn(letPass(job, 7, REAL), Infinity, REAL).clock?.offset).toBe(7)
    // What is due already is done before the clock moves.
    expect(moveOn(owed, REAL - 5, REAL).ahead).toBe(HOUR)
    expect(played(letPass(job, byTimer, REAL))).toEqual([byTimer, byTimer])
  })

  it('is over when no time is left, and the clock stays where it is', () => {
    const over = moveOn({ ...letPass(job, HOUR, REAL), ahead: 0 }, Infinity, REAL)
    expect('ahead' in over).toBe(false)
    expect(over.clock?.offset).toBe(0)
  })

  it('puts off a row that its queue holds by real time, but none that rests', () => {
    const owed = { ...letPass(job, MINUTE, REAL), indexAt: NOW + 2 * MINUTE }
    const by = moveOn(owed, Infinity, REAL).clock?.offset ?? NaN
    expect(moveOn({ ...owed, sequence: 1 }, Infinity, REAL).indexAt).toBe(NOW + 2 * MINUTE + by)
    expect(moveOn({ ...owed, sequence: 0 }, Infinity, REAL).indexAt).toBe(NOW + 2 * MINUTE)
    expect(moveOn({ ...owed, indexAt: null }, Infinity, REAL).indexAt).toBeNull()
  })
})
