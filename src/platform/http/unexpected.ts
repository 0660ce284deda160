import { type Result, refuse } from '../../contract/result.ts'
import { log } from '../log.ts'
import { currentRequestId } from '../request-context.ts'
import { isUnreadable } from '../stored.ts'
import type { Refusal } from './refusal.ts'

/**
 * Whether an error says that a part of the platform is down or too busy for now. Objects say so by
 * properties (https://developers.cloudflare.com/durable-objects/best-practices/error-handling/), D1
 * and KV by their messages.
 */
export function isOutage(error: unknown): boolean {
  return (
    error instanceof Error &&
    (('overloaded' in error && error.overloaded === true) ||
      ('retryable' in error && error.retryable === true) ||
      /^(D1_|KV )/.test(error.message) ||
      (error.cause !== undefined && isOutage(error.cause)))
  )
}

/**
 * Whether an error says that an object lacks a method: a deploy has not reached it yet. The runtime
 * says so in the long form, Vitest's in the short one.
 */
function isOfReleaseBefore(error: unknown): boolean {
  return error instanceof Error && /does not implement (the method )?"/.test(error.message)
}

/**
 * What is answered when a handler throws: it is logged with an id, and told as a 503 or a plain
 * 500.
 */
export function unexpected(error: unknown): Result<never, Refusal> {
  const id = currentRequestId()
  log.fault(isUnreadable(error) ? 'stored.unreadable' : 'request.failed', error, { id })
  if (isUnreadable(error)) return refuse(unreadable)
  if (isOfReleaseBefore(error)) return refuse(deploying)
  return refuse(isOutage(error) ? outage : { code: 'internal-error', id })
}

const deploying: Refusal = {
  code: 'deploy-under-way',
  detail: 'A new release of the hub is being deployed. Try again in a minute.',
  retryAfter: 60,
}

const unreadable: Refusal = {
  code: 'stored-unreadable',
  detail: 'This is stored in a form that this release of the hub cannot read.',
  retryAfter: 300,
}

const outage: Refusal = {
  code: 'unavailable',
  detail: 'A part of the hub does not answer now. Try again in a moment.',
  retryAfter: 2,
}
