import { FASTEST, type JobClock, newClock } from '../job/rules/job-clock.ts'
import type { Profile } from '../registry/profile.ts'
import { type Result, ok, refuse } from '../platform/result.ts'
import type { Refusal } from '../platform/http/refusal.ts'

const HEADER = 'Test-Clock-Speed'

/**
 * The clock that a create asks for with the header `Test-Clock-Speed`: how many times as fast as the real one it runs. Undefined without
 * the header. Only a point of sale in test mode may ask for one: the payments of all others follow the clocks of their PSPs.
 */
export function testClockOf(
  request: Request,
  { mode }: Profile,
  now: number,
): Result<JobClock | undefined, Refusal> {
  const given = request.headers.get(HEADER)
  if (given === null) return ok(undefined)
  if (mode === 'live') {
    return refuse({ code: 'test-mode-only', detail: `${HEADER} is for points of sale in test mode.` })
  }
  const speed = /^\d{1,6}$/.test(given) ? Number(given) : Number.NaN
  if (speed >= 1 && speed <= FASTEST) return ok(newClock(speed, now))
  const detail = `${HEADER} must be a whole number from 1 to ${FASTEST}.`
  return refuse({ code: 'test-clock-malformed', detail, field: HEADER })
}
