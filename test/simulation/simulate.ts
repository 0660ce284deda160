import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { command, runProgram } from '../../src/programs/program.ts'
import { UsageError, wholeNumber } from '../../src/programs/usage-error.ts'
import { openLane } from './lane.ts'

/** The seeds of one runtime: with many objects it grows slow, and its days are enough for no more. */
const CHUNK = 250

/** A runtime computes about half of the time, and waits for its threads and its disk otherwise. */
const LANES_PER_CORE = 2

/**
 * Where Linux keeps files in memory: runtimes write everything to disk at once, and nobody reads it later.
 */
const IN_MEMORY = '/dev/shm'

/** Plays `count` seeds, from `first` on, in `lanes` lanes side by side. Resolves with the exit code. */
async function simulate(first: number, count: number, lanes: number): Promise<number> {
  const begun = Date.now()
  let [next, done] = [0, 0]
  let failedChunks = 0
  const work = async (): Promise<void> => {
    const { play, close } = openLane()
    while (next < count) {
      const from = next
      const size = Math.min(CHUNK, Math.ceil(count / lanes), count - from)
      next += size
      if (!(await play(first + from, size))) failedChunks++
      done += size
      console.log(`${done} of ${count} seeds, ${((done * 1000) / (Date.now() - begun)).toFixed(1)} a second`)
    }
    await close()
  }
  await Promise.all(Array.from({ length: lanes }, work))
  const rate = (count * 1000) / (Date.now() - begun)
  console.log(
    failedChunks === 0
      ? `${count} seeds kept every promise, ${rate.toFixed(1)} a second.`
      : 'Promises were broken.',
  )
  return failedChunks === 0 ? 0 : 1
}

/** `npm run simulate -- [--seeds N] [--from N] [--lanes N] [--seed N]`. */
const program = command({
  name: 'npm run simulate --',
  does: 'plays schedules of faults against the hub, one a seed',
  example: 'npm run simulate -- --seeds 5000',
  args: {
    seeds: {
      type: 'string',
      valueHint: 'COUNT',
      description: 'how many seeds; 1000 if not given',
      read: wholeNumber(1),
    },
    from: {
      type: 'string',
      valueHint: 'SEED',
      description: 'the first of them; 1 if not given',
      read: wholeNumber(0),
    },
    seed: { type: 'string', valueHint: 'SEED', description: 'only this one', read: wholeNumber(0) },
    lanes: {
      type: 'string',
      valueHint: 'COUNT',
      description: 'runtimes side by side; two a core if not given',
      read: wholeNumber(1),
    },
  },
  run: async ({ seeds, from, seed, lanes = LANES_PER_CORE * availableParallelism() }) => {
    if (seed === undefined) return simulate(from ?? 1, seeds ?? 1000, lanes)
    if (seeds !== undefined || from !== undefined) {
      throw new UsageError('--seed plays only one: leave out --seeds and --from')
    }
    return simulate(seed, 1, 1)
  },
})

// Otherwise the runtime would fetch request data from the network.
process.env['CLOUDFLARE_CF_FETCH_ENABLED'] ??= 'false'
if (existsSync(IN_MEMORY)) process.env['TMPDIR'] ??= IN_MEMORY
process.exitCode = await runProgram(program)
