import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { PROJECT } from '../../src/programs/wrangler.ts'

/** How long (ms) a seed may take on average, without shrinking. */
const PATIENCE_PER_SEED = 5000
const SHRINKING = 240_000
/** A runtime that exceeds its time by this (ms) is stuck in a loop, and cannot end its own test. */
const STUCK_AFTER = 60_000

/** Prints only the errors of tests: the simulation itself prints broken promises as they happen. */
const quiet: Reporter = {
  onTestCaseResult: (test) => {
    for (const error of test.result().errors ?? []) console.log(`${error.name}: ${error.message}`)
  },
  onTestRunEnd: (modules, errors) => {
    for (const error of [...modules.flatMap((module) => module.errors()), ...errors])
      console.log(`${error.name}: ${error.message}`)
  },
}

/** What became of a chunk: a runtime that did not start has played no seed. */
export type ChunkResult = 'kept' | 'broken' | 'not started'

/** Plays chunks of seeds. `close` ends its runtime: the next chunk starts another. */
export type Lane = {
  play: (first: number, count: number) => Promise<ChunkResult>
  close: () => Promise<void>
}

/**
 * Plays chunks of seeds, each in a fresh runtime, from code compiled once. A runtime uses one core, so
 * several lanes run side by side.
 */
export function openLane(isRecorded: boolean): Lane {
  let vitest: Vitest | null = null
  const open = async (): Promise<Vitest> => {
    // Loaded only now: it is large, and `--help` need not wait for it.
    const { createVitest } = await import('vitest/node')
    return createVitest('test', {
      root: PROJECT,
      config: 'test/vitest.config.ts',
      project: ['simulation'],
      watch: false,
      reporters: [quiet],
    })
  }
  const close = async (): Promise<void> => {
    await vitest?.close()
    vitest = null
  }
  return {
    close,
    async play(first, count) {
      vitest ??= await open()
      const patience = count * PATIENCE_PER_SEED + SHRINKING
      for (const project of vitest.projects)
        project.provide('simulation', { first, count, patience, isRecorded })
      const before = vitest.state.getUnhandledErrors().length
      let watch: NodeJS.Timeout | undefined
      const stuck = new Promise<null>((resolve) => {
        watch = setTimeout(resolve, patience + STUCK_AFTER, null)
      })
      const run = vitest.start(['test/simulation/simulation']).then(({ testModules }) => testModules)
      const modules = await Promise.race([run, stuck])
      clearTimeout(watch)
      const unexpected = vitest.state.getUnhandledErrors().length - before
      if (modules === null) {
        console.log(`Seeds ${first} to ${first + count - 1} never end: the hub is in a loop.`)
        await close()
        return 'broken'
      }
      if (!modules.some(isPlayed)) return 'not started'
      return modules.every((module) => module.ok()) && unexpected === 0 ? 'kept' : 'broken'
    },
  }
}

/** Returns whether a test of a module has ended: without a runtime, none does. */
function isPlayed({ children }: TestModule): boolean {
  return [...children.allTests()].some((test) => ['passed', 'failed'].includes(test.result().state))
}
