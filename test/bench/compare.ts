import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { build } from '../../src/tools/local/build.ts'
import { PROJECT } from '../../src/tools/wrangler.ts'
import { bundleSize } from './bundle.ts'
import { withSpeedTable } from './docs-table.ts'
import { random } from './random.ts'
import { openReceiver } from './receiver.ts'
import { comparisonTable, summaryTable } from './report.ts'
import { type Pace, playRounds } from './rounds.ts'
import type { Run } from './run.ts'
import { findPostgres } from './servers/postgres.ts'
import { setStage } from './stage.ts'
import { startupCpu } from './startup.ts'
import { type Storage, newFolder } from './storages.ts'
import { type Summary, summarize } from './summary.ts'
import { orderAt } from './tasks/order.ts'
import { type Comparison, compare, restless } from './targets.ts'

/** The whole run may take this long (ms). */
const PATIENCE = 900_000

/** What is measured on disk are the operations that have a target, fewer times: an object's fsync takes most of the time there. */
const [CREATES, READS, OTHERS] = [/^create/, /^read/, /^(?!create|read)/]
const PACES: Record<'full' | 'quick', Record<Storage, Pace>> = {
  full: {
    memory: { rounds: 11, acts: [CREATES, READS, OTHERS] },
    disk: { rounds: 3, acts: [CREATES, READS] },
  },
  quick: {
    memory: { rounds: 2, acts: [CREATES, READS] },
    disk: { rounds: 1, acts: [CREATES] },
  },
}
const STORED: Record<Storage, string> = { memory: 'in memory', disk: 'on disk' }

/** Measures the hub beside its yardsticks, in memory and on disk. True when no answer was wrong. */
export async function runComparison({ quick, write, seed, tell, show, line }: Run): Promise<boolean> {
  const deadline = AbortSignal.timeout(PATIENCE)
  const { path: bundle } = await newFolder('memory')
  tell('building the Worker')
  await build(bundle)
  const built = { ...(await bundleSize(bundle)), startupMilliseconds: await startupCpu(bundle) }
  const postgres = findPostgres()
  if (postgres === null) tell('there is no PostgreSQL here: Fastify and PostgreSQL are left out')
  const receiver = await openReceiver()
  const order = orderAt(receiver.url)
  const wrong: Summary[] = []
  const lines: object[] = [{ bundle: built }]
  for (const storage of ['memory', 'disk'] as const) {
    tell(`measuring with the state ${STORED[storage]}`)
    const openStage = () =>
      setStage({ bundle, postgres, storage, order, chance: random(seed), deadline, tell })
    const pace = PACES[quick ? 'quick' : 'full'][storage]
    const measured = await playRounds(openStage, pace, deadline, tell)
    const summaries = measured.map((each) => summarize(each, storage))
    const comparisons = compare(measured)
    wrong.push(...summaries.filter(({ errors }) => errors > 0))
    const shaky = restless(comparisons)
    for (const { what, concurrency, ratio } of shaky) {
      const times = ratio.value.toFixed(2)
      tell(`the machine was restless: ${what}, ${concurrency} at once, was ${times} times the same work`)
    }
    if (write && storage === 'memory' && shaky.length === 0) await writeTable(comparisons)
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

const DOCUMENT = join(PROJECT, 'docs', 'limits-and-cost.md')

/** Of a steady run alone: the others' figures mean little. */
async function writeTable(comparisons: readonly Comparison[]): Promise<void> {
  const run = { date: new Date().toISOString().slice(0, 10), cores: availableParallelism() }
  await writeFile(DOCUMENT, withSpeedTable(await readFile(DOCUMENT, 'utf8'), comparisons, run))
}
