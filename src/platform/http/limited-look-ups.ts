import { nameMemory } from '../name-memory.ts'
import { type Quota, countRequest } from './rate-limit.ts'

/** Ids of this isolate under which something was found, for half an hour: so long a customer takes to pay. */
export function knownIds() {
  return nameMemory(30 * 60)
}
/** Ids under which nothing was found, for ten seconds. */
export function missedIds() {
  return nameMemory(10)
}

type Memory = ReturnType<typeof nameMemory>
/** `key` is whom a look is counted as; `isSure` says that nobody but the hub can have made the id. */
type Look = { id: string; key: string; binding: RateLimit; isSure: () => Promise<boolean> }

/**
 * Looks up ids that strangers send, where each look starts an object, which costs. Who asks for too many that nothing is
 * under is answered `too-many` as long as the limit counts, and nothing is started, but for ids that are known or sure. Without
 * `misses` an id is looked up again at once: where it may be asked for before anything is under it.
 */
export function limitedLookUps(quota: Quota, { known, misses }: { known: Memory; misses?: Memory }) {
  const strangers = nameMemory(quota.period)
  return async <T extends object>(
    { id, key, binding, isSure }: Look,
    find: () => Promise<T | null>,
  ): Promise<T | null | 'too-many'> => {
    if (misses?.has(id)) return null
    if (await isSure()) return find()
    if (strangers.has(key) && !known.has(id)) return 'too-many'
    const found = await find()
    if (found) {
      known.add(id)
      return found
    }
    known.drop(id)
    misses?.add(id)
    const counted = await countRequest(binding, quota, key)
    if (!counted.ok) strangers.add(key)
    return null
  }
}
