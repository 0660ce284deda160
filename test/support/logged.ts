import type { MockInstance } from 'vitest'

type Entry = Record<string, unknown>

/**
 * Returns the arguments with which a spied console method was called, if they contain `about`, usually an id:
 * jobs of other files log in this runtime too. Leaves out the request's id, which is always different.
 */
export function loggedOf(spy: MockInstance, about: string): unknown[] {
  return spy.mock.calls
    .map(([entry]) => entry as Entry)
    .filter((entry) => JSON.stringify(entry)?.includes(about))
    .map((entry) => ({ ...entry, request: undefined }))
}
