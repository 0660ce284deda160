import { parseArgs } from 'node:util'
import { type Reporter, createVitest } from 'vitest/node'
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
  onTestRunEnd: (_, errors) => {
    for (const error of errors) tell(`${error.name}: ${error.message}`)
  },
})

/** Plays a chunk of seeds in a fresh runtime. True when every promise was kept. */
const play = async (first: number, count: number, tell: (line: string) => void): Promise<boolean> => {
  let heard = Date.now()
  const listen = (line: string) => {
    heard = Date.now()
    tell(line)
  }
  const vitest = await createVitest('test', {
    root: PROJECT,
    config: 'test/vitest.config.ts',
    project: ['workers'],
    watch: false,
    provide: { simulation: { first, count, patience: count * PATIENCE_PER_SEED + SHRINKING } },
    reporters: [quiet(listen)],
  })
  let watch: NodeJS.Timeout | undefined
  const stuck = new Promise<null>((resolve) => {
    watch = setInterval(() => Date.now() - heard > SILENCE && resolve(null), 1000)
  })
  const played = await Promise.race([vitest.start(['test/simulation']), stuck])
  clearInterval(watch)
  if (played === null)
    tell(`Nothing was heard of seeds ${first} to ${first + count - 1}: the hub is in a loop.`)
  const passed = played?.testModules.length === 1 && played.testModules.every((module) => module.ok())
  const unexpected = vitest.state.getUnhandledErrors().length
  await vitest.close()
  return passed && unexpected === 0
}

/** `npm run simulate -- [--seeds N] [--from N] [--seed N]`: plays schedules of faults against the hub. */
const simulate = async (): Promise<number> => {
  const { values } = parseArgs({
    options: { seeds: { type: 'string' }, from: { type: 'string' }, seed: { type: 'string' } },
  })
  const first = Number(values.seed ?? values.from ?? 1)
  const count = values.seed === undefined ? Number(values.seeds ?? 1000) : 1
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(count) || first < 0 || count < 1) {
    console.error('usage: npm run simulate -- [--seeds COUNT] [--from SEED] | [--seed SEED]')
    return 2
  }
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

// Local request data would be asked of the network.
process.env['CLOUDFLARE_CF_FETCH_ENABLED'] ??= 'false'
process.exitCode = await simulate()
