/** Mulberry32: the same numbers from 0 to 1 for the same seed, so that each run does the same work. */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Takes one of some things, by a source of random numbers. Throws when there are none. */
export function pick<Thing>(things: readonly Thing[], from: () => number): Thing {
  const thing = things[Math.floor(from() * things.length)]
  if (thing === undefined) throw new Error('there is nothing to pick from')
  return thing
}
