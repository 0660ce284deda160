import type { Job } from './rules/job.ts'
import { parseJobId } from '../contract/ids.ts'
import { isUnreadable } from '../platform/stored.ts'
import { log } from '../platform/log.ts'
import { namedObject } from '../platform/named-object.ts'
type Stub = ReturnType<Env['PAYMENT_JOB']['get']>

const TRIES = 3

/**
 * Calls a job's object, again with a new stub where the platform says that it may help. Every method of the object
 * may be called twice. https://developers.cloudflare.com/durable-objects/best-practices/error-handling/
 */
export async function callJob<T>(env: Env, id: string, call: (job: Stub) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call(namedObject(env, env.PAYMENT_JOB, id))
    } catch (error) {
      if (tries === TRIES || !isRetryable(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** tries * Math.random()))
    }
  }
}

function isRetryable(error: unknown): boolean {
  return (
    error instanceof Error &&
    'retryable' in error &&
    error.retryable === true &&
    !('overloaded' in error && error.overloaded === true)
  )
}

/** Calls one job of many: one that this release cannot read is logged, and does not stop the others. */
export async function callReadableJob<T>(
  env: Env,
  id: string,
  call: (job: Stub) => Promise<T>,
): Promise<T | 'unreadable'> {
  try {
    return await callJob(env, id, call)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    log.fault('stored.unreadable', error, { job: id })
    return 'unreadable'
  }
}

/** The job that a path names, in small or capital letters; null for an unknown id, and for a text that is none. */
export async function readJob(env: Env, text: string): Promise<Job | null> {
  const id = parseJobId(text)
  return id === null ? null : callJob(env, id, (stub) => stub.read())
}
