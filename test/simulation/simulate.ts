import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { command, flag, runProgram } from '../../src/programs/program.ts'
import { UsageError, wholeNumber } from '../../src/programs/usage-error.ts'
import { playChunks } from './chunks.ts'
import { openLane } from './lane.ts'

/** A runtime computes about half of the time, and waits for its threads and its disk otherwise. */
const LANES_PER_CORE = 2

/**
 * Where Linux keeps files in memory: runtimes write everything to disk at once, and nobody reads it later.
 */
const IN_MEMORY = '/dev/shm'

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
    journals: flag('also print the journals of all jobs, as lines of a backup'),
  },
  run: async ({ seeds, from, seed, journals, lanes = LANES_PER_CORE * availableParallelism() }) => {
    const open = () => openLane(journals === true)
    if (seed === undefined) return playChunks(from ?? 1, seeds ?? 1000, lanes, open)
    if (seeds !== undefined || from !== undefined) {
      throw new UsageError('--seed plays only one: leave out --seeds and --from')
    }
    return playChunks(seed, 1, 1, open)
  },
})

// Otherwise the runtime would fetch request data from the network.
process.env['CLOUDFLARE_CF_FETCH_ENABLED'] ??= 'false'
if (existsSync(IN_MEMORY)) process.env['TMPDIR'] ??= IN_MEMORY
process.exitCode = await runProgram(program)
