/**
 * Shortens a failing list for as long as it goes on failing: without halves first, then without smaller and smaller
 * parts, until nothing can be left out or `until` (ms) is past. Gives the shortest list and its failure.
 */
export async function shorten<Item, Failure>(
  list: readonly Item[],
  failure: Failure,
  failureOf: (list: readonly Item[]) => Promise<Failure | null>,
  until: number,
): Promise<[shortest: readonly Item[], failure: Failure]> {
  let [shortest, why] = [list, failure]
  let size = Math.ceil(list.length / 2)
  while (size >= 1 && performance.now() < until) {
    let shorter = false
    // From the end: what comes after the fault matters least.
    for (let from = shortest.length - size; from > -size && performance.now() < until; from -= size) {
      const without = [...shortest.slice(0, Math.max(from, 0)), ...shortest.slice(from + size)]
      const still = without.length < shortest.length ? await failureOf(without) : null
      if (still === null) continue
      ;[shortest, why] = [without, still]
      shorter = true
    }
    // Once single ones are left out, what was needed before may be needless now.
    size = size === 1 && shorter ? 1 : Math.floor(size / 2)
  }
  return [shortest, why]
}
