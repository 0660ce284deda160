import { parseArgs } from 'node:util'
import { endChildrenWithMe } from '../../src/cli/watchdog.ts'
import { buildHub, bundleSize } from './bundle.ts'
import type { Measurement } from './measure.ts'
import { random } from './random.ts'
import { openReceiver } from './receiver.ts'
import { comparisonTable, summaryTable } from './report.ts'
import { type Pace, playRounds } from './rounds.ts'
import { findPostgres } from './servers/postgres.ts'
import { setStage } from './stage.ts'
import { type Storage, newFolder, removeFolder, removeFoldersAtExit } from './storages.ts'
import { type Summary, summarize } from './summary.ts'
import { orderAt } from './tasks/order.ts'
import { type Comparison, compare } from './targets.ts'
import { CONCURRENCIES } from './tasks/task.ts'

const begun = Date.now()
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    scale: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
})

/** The whole run may take this long (ms). */
const PATIENCE = 300_000

const tell = (line: string): void =>
  console.error(`[${((Date.now() - begun) / 1000).toFixed(0).padStart(3)} s] ${line}`)
const show = (text: string): void => {
  if (!options.json) console.log(text)
}

const PACES: Record<Storage, (from: number) => Pace> = options.quick
  ? {
      memory: () => ({ rounds: 1, share: 0.3, until: begun + 40_000 }),
      disk: () => ({ rounds: 1, share: 0.1, until: begun + 60_000 }),
    }
  : {
      memory: () => ({ rounds: 5, share: 1, until: begun + 190_000 }),
      disk: () => ({ rounds: 3, share: 0.3, until: begun + 270_000 }),
    }

const compareServers = async (): Promise<boolean> => {
  const deadline = AbortSignal.timeout(PATIENCE)
  const folder = await newFolder('memory')
  await buildHub(folder)
  const size = await bundleSize(folder)
  const postgres = findPostgres()
  if (postgres === null)
    tell('there is no PostgreSQL here: the yardstick of Fastify and PostgreSQL is left out')
  const receiver = await openReceiver()
  const lines: object[] = [{ bundle: size }]
  const failures: Measurement[] = []
  for (const storage of ['memory', 'disk'] as const) {
    tell(`starting the servers, with their state ${storage === 'disk' ? 'on disk' : 'in memory'}`)
    const state = await newFolder(storage)
    const stage = await setStage({
      bundle: folder,
      postgres,
      folder: state,
      order: orderAt(receiver.url),
      chance: random(Number(options.seed)),
      deadline,
      tell,
    })
    endChildrenWithMe()
    const measurements = await playRounds(stage, PACES[storage](begun), deadline, tell)
    await stage.stop()
    await removeFolder(state)
    failures.push(...measurements.filter(({ errors }) => errors > 0))
    const summaries = summarize(measurements, storage)
    const comparisons = CONCURRENCIES.flatMap((concurrency) => compare(measurements, concurrency))
    lines.push(...summaries, ...comparisons.map((each) => ({ ...each, storage })))
    print(storage, summaries, comparisons)
  }
  receiver.close()
  show(`bundle: ${(size.gzipped / 1024).toFixed(1)} KiB gzipped of at most 80 KiB\n`)
  for (const line of lines) console.log(JSON.stringify(line))
  for (const { what, server, errors, firstError } of failures) {
    console.error(`✗ ${what} at ${server}: ${errors} errors, the first: ${firstError}`)
  }
  return failures.length === 0
}

const print = (storage: Storage, summaries: readonly Summary[], comparisons: readonly Comparison[]): void => {
  show(`\nState ${storage === 'disk' ? 'on disk' : 'in memory'}\n\n${summaryTable(summaries)}\n`)
  show(`The hub's figures divided by the yardsticks'\n\n${comparisonTable(comparisons)}\n`)
}

process.env['CLOUDFLARE_CF_FETCH_ENABLED'] ??= 'false'
removeFoldersAtExit()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
process.exitCode = (await compareServers()) ? 0 : 1
process.exit()
