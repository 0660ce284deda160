import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { table } from '../../../src/tools/table.ts'
import { build } from '../../../src/tools/local/build.ts'
import { atEnd } from '../endings.ts'
import { random } from '../random.ts'
import { openReceiver } from '../receiver.ts'
import type { Run } from '../run.ts'
import { type Hub, startHub } from '../servers/hub.ts'
import { newFolder } from '../storages.ts'
import { orderAt } from '../tasks/order.ts'
import { type Crowd, notifyAtOnce, openShopsAtOnce } from './crowds.ts'
import { type Grown, SIZES, measureGrowth } from './growth.ts'

/** What takes no more than so many times as long at the largest size as at the smallest is flat, on a busy machine. */
const FLAT = 1.5

/** `--scale`: times as the index grows, and a thousand clients at once. True when nothing failed. */
export async function runScale({ seed, tell, show, line }: Run): Promise<boolean> {
  const deadline = AbortSignal.timeout(300_000)
  const { path: folder } = await newFolder('memory')
  const receiver = await openReceiver()
  await build(folder)
  const hubs: Hub[] = []
  const stop = atEnd(async () => {
    await Promise.all(hubs.map((hub) => hub.stop()))
  })
  for (const size of SIZES) {
    await mkdir(join(folder, String(size)))
    hubs.push(await startHub(folder, join(folder, String(size)), tell))
  }
  const order = orderAt(receiver.url)
  const grown = await measureGrowth({ hubs, order, chance: random(seed), deadline, tell })
  const largest = hubs.at(-1)
  if (!largest) throw new Error('there is a hub for each size')
  const props = { hub: largest, order, deadline }
  tell('a thousand notifications of one job')
  const crowds = [await notifyAtOnce(props)]
  tell('a thousand points of sale')
  crowds.push(await openShopsAtOnce(props))
  await stop()
  receiver.close()
  show(`\nLatency (ms) as the index grows; flat is at most ${FLAT} times as long\n\n${growthTable(grown)}\n`)
  show(`A thousand at once\n\n${crowdTable(crowds)}\n`)
  for (const each of [...grown, ...crowds]) line(each)
  const failures = [...grown.map(({ firstError }) => firstError), ...crowds.map(({ problem }) => problem)]
  const first = failures.find((failure) => failure !== null)
  if (first !== undefined) tell(`✗ ${first}`)
  return first === undefined
}

function growthTable(grown: readonly Grown[]): string {
  return table(
    ['what', ...SIZES.flatMap((size) => [`p50 at ${size}`, 'p95']), 'largest/smallest'],
    Array.from(
      Map.groupBy(grown, ({ what }) => what),
      ([what, sizes]) => {
        const ratio = sizes.at(-1)?.ratio ?? NaN
        return [
          what,
          ...sizes.flatMap(({ p50, p95 }) => [p50.toFixed(2), p95.toFixed(2)]),
          `${ratio.toFixed(2)} ${ratio <= FLAT ? '✓' : '✗'}`,
        ]
      },
    ),
  )
}

function crowdTable(crowds: readonly Crowd[]): string {
  return table(
    ['what', 'clients', 'seconds', 'p50 ms', 'p99 ms', ''],
    crowds.map(({ what, clients, seconds, p50, p99, problem }) => [
      what,
      String(clients),
      seconds.toFixed(2),
      p50.toFixed(0),
      p99.toFixed(0),
      problem === null ? '✓' : `✗ ${problem}`,
    ]),
  )
}
