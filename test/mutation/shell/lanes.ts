import { availableParallelism } from 'node:os'

/** Tests wait for queues, alarms and each other for about half of their time. */
const LANES = 2 * availableParallelism()

/** Works on all items, a few at once. */
export async function inLanes<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = Iterator.from(items)
  const lane = async (): Promise<void> => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}
