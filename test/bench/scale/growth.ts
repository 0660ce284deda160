import type { Load, Work } from '../load.ts'
import { quiet } from '../measure.ts'
import { percentile } from '../percentiles.ts'
import { pick } from '../random.ts'
import type { Hub } from '../servers/hub.ts'
import { create, read } from '../tasks/api-tasks.ts'
import { createdAt, fillIndex, orderNumber, rowCount, shopId } from './fill.ts'
import { timeIndexBatches } from './index-batch.ts'

export const SIZES = [1000, 10_000, 100_000] as const

const CLIENTS = 8
const TURNS = 300
const WARM_UP = 50

/** How long (ms) something takes with so many rows in the index. */
export type Grown = {
  what: string
  rows: number
  p50: number
  p99: number
  errors: number
  firstError: string | null
}

type Props = {
  hub: Hub
  order: string
  chance: () => number
  deadline: AbortSignal
  tell: (line: string) => void
}

/** Fills the index step by step, and measures at each size. What the hub does not offer is left out. */
export const measureGrowth = async ({ hub, order, chance, deadline, tell }: Props): Promise<Grown[]> => {
  const grown: Grown[] = []
  const ids: string[] = []
  const newJob: Work = async (_, client) => void ids.push((await create(hub, client, order)).id)
  await hub.clients.drive(TURNS, CLIENTS, newJob, deadline)
  let rows = 0
  for (const size of SIZES) {
    await fillIndex(hub, rows, size)
    rows = size
    await quiet(2500, hub.pids())
    tell(`the index has ${await rowCount(hub)} rows`)
    const searches = searchesOf(hub, size, chance)
    const works: Record<string, Work> = {
      create: newJob,
      read: async (_, client) => void (await read(hub, client, pick(ids, chance))),
      ...searches,
    }
    for (const [what, work] of Object.entries(works)) {
      await hub.clients.drive(WARM_UP, CLIENTS, work, deadline)
      const load = await hub.clients.drive(TURNS, CLIENTS, work, deadline)
      if (load.firstError?.includes('answered 404')) tell(`${what}: the hub has no such operation`)
      else grown.push(grownOf(what, size, load))
    }
    await quiet(2500, hub.pids())
    const batches = await timeIndexBatches(hub, size)
    const figures = { p50: percentile(batches, 0.5), p99: percentile(batches, 0.99) }
    grown.push({ what: 'index batch of 100', rows: size, ...figures, errors: 0, firstError: null })
  }
  return grown
}

const grownOf = (what: string, rows: number, { latencies, errors, firstError }: Load): Grown => {
  return { what, rows, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), errors, firstError }
}

/** What operators look for. Each finds the same number of rows at every size, so that only the looking may grow. */
const searchesOf = (hub: Hub, size: number, chance: () => number): Record<string, Work> => {
  const ask =
    (path: () => string, found: string): Work =>
    async (_, client) => {
      const headers = { authorization: `Bearer ${hub.operatorToken}` }
      const { text } = await client({ method: 'GET', path: path(), headers }, 200)
      if (!text.includes(found)) throw new Error(`${path()} did not find ${found}: ${text.slice(0, 200)}`)
    }
  const time = (place: number) => new Date(createdAt(place)).toISOString()
  const lastThousand = `from=${time(size - 1000)}&to=${time(size)}`
  const anyRow = () => Math.floor(chance() * size)
  return {
    'reports given up': ask(() => `/operator/v1/reports/undelivered?${lastThousand}`, 'SCALE-'),
    'search by order number': ask(() => `/operator/v1/jobs?order_number=${orderNumber(anyRow())}`, 'SCALE-'),
    'search by point of sale': ask(() => `/operator/v1/jobs?pos=${shopId(anyRow() % 20)}&limit=20`, 'SCALE-'),
    'search by time': ask(() => `/operator/v1/jobs?${lastThousand}&limit=20`, 'SCALE-'),
  }
}
