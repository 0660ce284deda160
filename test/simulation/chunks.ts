import type { Lane } from './lane.ts'

/** The seeds of one runtime: with many objects it grows slow, and its days are enough for no more. */
const CHUNK = 250
/** How often a runtime that plays none of its seeds is started, at most. */
const STARTS = 3

/**
 * Plays `count` seeds, from `first` on, in `lanes` lanes side by side. A chunk whose runtime did not start is
 * played again; one that never starts counts as not played. Resolves with the exit code.
 */
export async function playChunks(
  first: number,
  count: number,
  lanes: number,
  openLane: () => Lane,
): Promise<0 | 1> {
  const begun = Date.now()
  let [next, played, broken] = [0, 0, 0]
  const rate = () => `${((played * 1000) / Math.max(Date.now() - begun, 1)).toFixed(1)} a second`
  const work = async (): Promise<void> => {
    const { play, close } = openLane()
    while (next < count) {
      const [from, size] = [first + next, Math.min(CHUNK, Math.ceil(count / lanes), count - next)]
      next += size
      let result = await play(from, size)
      for (let starts = 1; result === 'not started' && starts < STARTS; starts++) {
        console.log(`The runtime of the seeds ${from} to ${from + size - 1} did not start: once more.`)
        await close()
        result = await play(from, size)
      }
      if (result === 'not started') {
        console.log(`The seeds ${from} to ${from + size - 1} were not played: their runtime did not start.`)
        continue
      }
      played += size
      if (result === 'broken') broken++
      console.log(`${played} of ${count} seeds, ${rate()}`)
    }
    await close()
  }
  await Promise.all(Array.from({ length: lanes }, work))
  if (broken > 0) console.log('Promises were broken.')
  else if (played > 0) console.log(`${played} seeds kept every promise, ${rate()}.`)
  if (played < count) console.log(`${count - played} of ${count} seeds were not played.`)
  return broken === 0 && played === count ? 0 : 1
}
