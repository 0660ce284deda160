import type { MockInstance } from 'vitest'

type Entry = Record<string, unknown>

/**
 * What a spied method of the console was given that holds a text: an id, as a rule. Other files'
 * jobs log in this runtime too, so what they say is not counted. The id of the request is another
 * each time, and left out.
 */
export function loggedOf(spy: MockInstance, about: string): unknown[] {
  return spy.mock.calls
    .map(([entry]) => entry as Entry)
    .filter((entry) => JSON.stringify(entry)?.includes(about))
    .map((entry) => ({ ...entry, request: undefined }))
}
