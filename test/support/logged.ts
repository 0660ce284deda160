import type { MockInstance } from 'vitest'

/**
 * What a spied method of the console was given that holds a text: an id, as a rule. Other files' jobs log in this runtime too,
 * so what they say is not counted.
 */
export const loggedOf = (spy: MockInstance, about: string): unknown[] =>
  spy.mock.calls.map(([entry]) => entry as unknown).filter((entry) => JSON.stringify(entry)?.includes(about))
