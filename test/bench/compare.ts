import { build } from '../../src/cli/local/build.ts'
import { bundleSize } from './bundle.ts'
import type { Measurement } from './measure.ts'
import { random } from './random.ts'
import { openReceiver } from './receiver.ts'
import { comparisonTable, summaryTable } from './report.ts'
import { type Pace, playRounds } from './rounds.ts'
import type { Run } from './run.ts'
import { findPostgres } from './servers/postgres.ts'
import { setStage } from './stage.ts'
import { startupCpu } from './startup.ts'
import { type Storage, newFolder } from './storages.ts'
import { summarize } from './summary.ts'
import { orderAt } from './tasks/order.ts'
import { CONCURRENCIES } from './tasks/task.ts'
import { compare } from './targets.ts'

/** The whole run may take this long (ms). */
const PATIENCE = 300_000

const ALL = /./
const API = /^(create|read)/

/** On disk there are fewer turns, of the operations that have a target: an object's fsync takes most of the time there. */
const PACES: Record<'full' | 'quick', Record<Storage, Pace>> = {
  full: {
    memory: { rounds: 5, share: 0.6, until: 195_000, only: ALL },
    disk: { rounds: 2, share: 0.3, until: 265_000, only: API },
  },
  quick: {
    memory: { rounds: 1, share: 0.3, until: 60_000, only: ALL },
    disk: { rounds: 1, share: 0, until: 90_000, only: API },
  },
}
const STORED: Record<Storage, string> = { memory: 'in memory', disk: 'on disk' }

/** Measures the hub beside its yardsticks, in memory and on disk. True when no answer was wrong. */
export const runComparison = async ({ quick, seed, tell, show, line }: Run): Promise<boolean> => {
  const begun = Date.now()
  const deadline = AbortSignal.timeout(PATIENCE)
  const { path: bundle } = await newFolder('memory')
  tell('building the Worker')
  await build(bundle)
  const built = { ...(await bundleSize(bundle)), startupMilliseconds: await startupCpu(bundle) }
  const postgres = findPostgres()
  if (postgres === null) tell('there is no PostgreSQL here: Fastify and PostgreSQL are left out')
  const receiver = await openReceiver()
  const order = orderAt(receiver.url)
  const wrong: Measurement[] = []
  const lines: object[] = [{ bundle: built }]
  for (const storage of ['memory', 'disk'] as const) {
    tell(`measuring with the state ${STORED[storage]}`)
    const openStage = () =>
      setStage({ bundle, postgres, storage, order, chance: random(seed), deadline, tell })
    const pace = PACES[quick ? 'quick' : 'full'][storage]
    const measured = await playRounds(openStage, { ...pace, until: begun + pace.until }, deadline, tell)
    wrong.push(...measured.filter(({ errors }) => errors > 0))
    const summaries = summarize(measured, storage)
    const comparisons = CONCURRENCIES.flatMap((concurrency) => compare(measured, concurrency))
    lines.push(...summaries, ...comparisons.map((each) => ({ storage, ...each })))
    show(`\nState ${STORED[storage]}\n\n${summaryTable(summaries)}\n`)
    show(`The hub's figures divided by a yardstick's\n\n${comparisonTable(comparisons)}\n`)
  }
  receiver.close()
  show(
    `The bundle has ${(built.gzipped / 1024).toFixed(1)} KiB gzipped (at most 120), and starts in ` +
      `${built.startupMilliseconds.toFixed(1)} ms of CPU.\n`,
  )
  for (const each of lines) line(each)
  for (const { what, server, errors, firstError } of wrong) {
    tell(`✗ ${what} at ${server}: ${errors} errors, the first: ${firstError}`)
  }
  return wrong.length === 0
}
