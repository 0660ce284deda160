import { type Result, ok, refuse } from '../domain/result.ts'
import { isUnreadable } from '../domain/stored.ts'
import { log } from '../log.ts'
import { isOfReleaseBefore, isOutage } from './outage.ts'
import { type Refusal, faultProblem } from './refusal.ts'

/** What is answered when a handler throws: it is logged with an id, and told as a 503 or a plain 500. */
export const unexpected = (error: unknown): Result<Response, Refusal> => {
  const id = crypto.randomUUID()
  log.fault(isUnreadable(error) ? 'stored.unreadable' : 'request.failed', error, { id })
  if (isUnreadable(error)) return refuse(unreadable)
  if (isOfReleaseBefore(error)) return refuse(deploying)
  return isOutage(error) ? refuse(outage) : ok(faultProblem(id))
}

const deploying: Refusal = {
  refused: 'unavailable',
  detail: 'A new release of the hub is being deployed. Try again in a minute.',
  retryAfter: 60,
}

const unreadable: Refusal = {
  refused: 'unavailable',
  detail: 'This is stored in a form that this release of the hub cannot read.',
  retryAfter: 300,
}

const outage: Refusal = {
  refused: 'unavailable',
  detail: 'A part of the hub does not answer now. Try again in a moment.',
  retryAfter: 2,
}
