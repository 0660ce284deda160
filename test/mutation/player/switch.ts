/** A test file to be played with a mutant on; with the empty one, nothing is changed. No list of tests: all of them. */
export type Play = {
  readonly file: string
  readonly mutant: string
  readonly tests: readonly string[] | null
}

/** What one test of a play tells: where it went through, and where what stands around it did. */
export type Told = {
  readonly play: number
  readonly name: string
  readonly reached: readonly string[]
  readonly outside: readonly string[]
  /** Of the first test alone: where modules went through while they were loaded. */
  readonly loading: readonly string[]
}

type Switch = { active: string; hits: Set<string>; __mutant: (id: string) => boolean }
const shared = globalThis as unknown as Switch

// Once in a runtime, however often this module is loaded: the changed files ask it which mutant is on.
shared.hits ??= new Set()
shared.active ??= ''
shared.__mutant ??= (id) => {
  if (shared.active === '') shared.hits.add(id)
  return id === shared.active
}

/** The mutants that the code passed since this was last emptied. */
export const hits = shared.hits

export function switchOn(mutant: string): void {
  void (shared.active = mutant)
}
