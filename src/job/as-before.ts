import { isOfReleaseBefore } from '../platform/http/outage.ts'

/** Calls an object; where a deploy has not reached it, and it lacks the method, does as the release before did. */
export async function orAsBefore<T>(call: () => Promise<T>, asBefore: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isOfReleaseBefore(error)) throw error
    return asBefore()
  }
}
