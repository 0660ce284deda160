import type { Reporter } from 'vitest/node'
import { command } from '../../src/cli/command.ts'
import { runProgram } from '../../src/cli/program.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { wholeNumber } from '../../src/cli/whole-number.ts'
import { PROJECT } from '../../src/cli/wrangler.ts'

/** Seeds that a runtime plays before a new one takes over: one that has seen many objects grows slow. */
const CHUNK = 250
/** How long (ms) a seed may take on average, its shrinking aside. */
const PATIENCE_PER_SEED = 2000
const SHRINKING = 120_000
/** A runtime that says nothing for so long (ms) is stuck in a loop, and can no longer end its own test. */
const SILENCE = 90_000

/** Shows what the simulation itself says, and nothing of Vitest's. */
const quiet = (tell: (line: string) => void): Reporter => ({
  onUserConsoleLog: ({ content }) => tell(content.trimEnd()),
  onTestCaseResult: (test) => {
    for (const error of test.result().errors ?? []) tell(`${error.name}: ${error.message}`)
  },
  onTestRunEnd: (_, errors) => {
    for (const error of errors) tell(`${error.name}: ${error.message}`)
  },
})

/** Plays a chunk of seeds in a fresh runtime. True when every promise was kept. */
const play = async (first: number, count: number, tell: (line: string) => void): Promise<boolean> => {
  let lastLineAt = Date.now()
  const listen = (line: string) => {
    lastLineAt = Date.now()
    tell(line)
  }
  // Loaded only now: it is large, and `--help` need not wait for it.
  const { createVitest } = await import('vitest/node')
  const vitest = await createVitest('test', {
    root: PROJECT,
    config: 'test/vitest.config.ts',
    project: ['alone'],
    watch: false,
    provide: { simulation: { first, count, patience: count * PATIENCE_PER_SEED + SHRINKING } },
    reporters: [quiet(listen)],
  })
  let watch: NodeJS.Timeout | undefined
  const stuck = new Promise<null>((resolve) => {
    watch = setInterval(() => Date.now() - lastLineAt > SILENCE && resolve(null), 1000)
  })
  const played = await Promise.race([vitest.start(['test/simulation/simulation']), stuck])
  clearInterval(watch)
  if (played === null)
    tell(`Nothing was heard of seeds ${first} to ${first + count - 1}: the hub is in a loop.`)
  const passed = played?.testModules.length === 1 && played.testModules.every((module) => module.ok())
  const unexpected = vitest.state.getUnhandledErrors().length
  await vitest.close()
  return passed && unexpected === 0
}

/** Plays `count` seeds, from `first` on. Resolves with the exit code. */
const simulate = async (first: number, count: number): Promise<number> => {
  const begun = Date.now()
  let failedChunks = 0
  for (let done = 0; done < count; done += CHUNK) {
    const size = Math.min(CHUNK, count - done)
    const tell = (line: string) => {
      const [, seeds] = /^(\d+) seeds/.exec(line) ?? []
      console.log(seeds === undefined ? line : progress(done + Number(seeds), count, begun, line))
    }
    if (!(await play(first + done, size, tell))) failedChunks++
  }
  console.log(failedChunks === 0 ? `${count} seeds kept every promise.` : 'Promises were broken.')
  return failedChunks === 0 ? 0 : 1
}

const progress = (done: number, count: number, begun: number, line: string): string => {
  const rate = (done * 1000) / (Date.now() - begun)
  return `${done} of ${count} seeds, ${rate.toFixed(1)} a second${line.replace(/^\d+ seeds/, '')}`
}

/** `npm run simulate -- [--seeds N] [--from N] [--seed N]`. */
const program = command({
  name: 'npm run simulate --',
  does: 'plays schedules of faults against the hub, one a seed',
  example: 'npm run simulate -- --seeds 5000',
  args: {
    seeds: { type: 'string', valueHint: 'COUNT', description: 'how many seeds; 1000 if not given' },
    from: { type: 'string', valueHint: 'SEED', description: 'the first of them; 1 if not given' },
    seed: { type: 'string', valueHint: 'SEED', description: 'this one alone' },
  },
  run: async ({ seeds, from, seed }) => {
    if (seed === undefined) {
      const first = wholeNumber('--from', from ?? '1', 0)
      return simulate(first, wholeNumber('--seeds', seeds ?? '1000', 1))
    }
    if (seeds !== undefined || from !== undefined) {
      throw new UsageError('--seed plays that one alone: leave out --seeds and --from')
    }
    return simulate(wholeNumber('--seed', seed, 0), 1)
  },
})

// Local request data would be asked of the network.
process.env['CLOUDFLARE_CF_FETCH_ENABLED'] ??= 'false'
process.exitCode = await runProgram(program)
