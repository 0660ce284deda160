import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { type Wait, isSoonEnough, nextAlarm, nextWait } from '../../../src/job/core/alarm.ts'
import type { Duty } from '../../../src/job/core/duties.ts'
import { NOW } from '../../support/jobs/played-job.ts'

const REAL_CLOCK = { offset: 0, moved: 0 }

/** A duty in the roster: `after` (ms) from now. */
function pending(name: Duty['do'], after: number, more: { from?: number; isLent?: boolean } = {}) {
  const at = NOW + after
  return { duty: { do: name, at }, from: at, isLent: false, ...more }
}

describe('a duty that is done in vain', () => {
  it('waits twice as long each time, and ten minutes at most', () => {
    const waits = Array.from({ length: 10 }).reduce<Wait[]>(
      (all) => [...all, nextWait(all.at(-1), NOW, 0)],
      [],
    )
    expect(waits.map(({ until }) => (until - NOW) / 1000)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600])
    expect(waits.filter(({ isLent }) => isLent)).toEqual([])
  })

  it('waits for a queue that took it over, as long as the queue may take', () => {
    expect(nextWait(undefined, NOW, NOW + HOUR)).toEqual({ until: NOW + HOUR, failures: 1, isLent: true })
    expect(nextWait({ until: 0, failures: 8, isLent: true }, NOW, NOW + MINUTE).until).toBe(NOW + 512_000)
  })
})

describe('the alarm', () => {
  it.each([
    ['of nothing', [], null],
    ['of a duty that comes', [pending('ask', HOUR)], [HOUR, HOUR]],
    ['of a duty that comes at once', [pending('ask', 1)], [1000, 1000]],
    ['of a duty that is under way: it brings the duty back', [pending('ask', 0)], [30_000, MINUTE]],
    ['of a duty that failed', [pending('ask', -HOUR, { from: NOW + 2000 })], [2000, 2000]],
    ['of a queue’s work', [pending('report', 0, { from: NOW + 5000, isLent: true })], [5000, 65_000]],
    ['of a purge to come: a sweep wakes the job', [pending('purge', DAY), pending('erase', DAY)], null],
    ['of a purge that the sweep missed', [pending('purge', -1)], [30_000, MINUTE]],
    ['of two duties', [pending('ask', HOUR), pending('row', MINUTE)], [MINUTE, MINUTE]],
  ])('%s', (_, duties, expected) => {
    const alarm = nextAlarm(duties, REAL_CLOCK, NOW)
    expect(alarm && [alarm.at - NOW, alarm.latest - NOW]).toEqual(expected)
  })

  it('rings in real time, of a job whose clock is ahead', () => {
    const ahead = { offset: DAY, moved: NOW }
    expect(nextAlarm([pending('ask', DAY + HOUR)], ahead, NOW)?.at).toBe(NOW + HOUR)
  })

  const next = { at: NOW + MINUTE, latest: NOW + 2 * MINUTE }
  it.each([
    ['none is set', null, false],
    ['one is set for an earlier time', NOW + 1, true],
    ['one is set that is late enough to do', next.latest, true],
    ['one is set that is too late', next.latest + 1, false],
    ['one should have rung just now', NOW - MINUTE + 1, true],
    ['one should have rung long ago, and is lost', NOW - MINUTE, false],
  ])('is left as it is, or not, if %s', (_, set, isLeft) => {
    expect(isSoonEnough(set, next, NOW)).toBe(isLeft)
  })
})
