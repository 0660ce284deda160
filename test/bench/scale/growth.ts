import { type Work } from '../load.ts'
import { quiet } from '../measure.ts'
import { median, percentile } from '../percentiles.ts'
import { pick } from '../random.ts'
import type { Hub } from '../servers/hub.ts'
import { create, read } from '../tasks/api-tasks.ts'
import { fillIndex } from './fill.ts'
import { timeIndexBatches } from './index-batch.ts'
import { searchesOf } from './searches.ts'

export const SIZES = [1000, 10_000, 100_000] as const

const ROUNDS = 5
const CLIENTS = 8
const TURNS = 100

/** How long (ms) something takes with so many rows in the index: medians of the rounds. */
export type Grown = {
  what: string
  rows: number
  p50: number
  p95: number
  /** The median of what each round took, divided by what it took at the smallest size. */
  ratio: number
  firstError: string | null
}

type Props = {
  hubs: readonly Hub[]
  order: string
  chance: () => number
  deadline: AbortSignal
  tell: (line: string) => void
}
type Round = { p50: number; p95: number; firstError: string | null }
type Measure = () => Promise<Round>

/**
 * Gives each hub an index of another size, and measures them in turn: hubs that grew one after the other would differ
 * in what else the machine did meanwhile, and in how many objects they had awake.
 */
export async function measureGrowth({ hubs, tell, ...props }: Props): Promise<Grown[]> {
  const sized: { rows: number; measures: Map<string, Measure>; rounds: Map<string, Round[]> }[] = []
  for (const [place, rows] of SIZES.entries()) {
    const hub = hubs[place]
    if (!hub) throw new Error('each size needs a hub')
    await fillIndex(hub, rows)
    sized.push({ rows, measures: await measuresOf({ hub, rows, ...props }), rounds: new Map() })
    tell(`an index has ${rows} rows`)
  }
  for (let round = 1; round <= ROUNDS; round++) {
    for (const what of sized[0]?.measures.keys() ?? []) {
      for (const { measures, rounds } of round % 2 === 0 ? sized.toReversed() : sized) {
        const measured = await measures.get(what)?.()
        if (measured) rounds.set(what, [...(rounds.get(what) ?? []), measured])
      }
    }
    tell(`round ${round} of ${ROUNDS} at each size`)
  }
  const [smallest] = sized
  return sized.flatMap(({ rows, rounds }) =>
    Array.from(rounds, ([what, all]): Grown => {
      const first = smallest?.rounds.get(what) ?? []
      return {
        what,
        rows,
        p50: median(all.map(({ p50 }) => p50)),
        p95: median(all.map(({ p95 }) => p95)),
        ratio: median(all.map(({ p50 }, round) => p50 / (first[round]?.p50 ?? NaN))),
        firstError: all.find(({ firstError }) => firstError !== null)?.firstError ?? null,
      }
    }),
  )
}

/** What is measured at a hub with an index of `rows` rows. Each job that is read was created by the round before. */
async function measuresOf({
  hub,
  rows,
  order,
  chance,
  deadline,
}: Omit<Props, 'hubs' | 'tell'> & { hub: Hub; rows: number }) {
  let ids: string[] = []
  const newJob: Work = async (_, client) => void ids.push((await create(hub, client, order)).id)
  const times =
    (work: Work): Measure =>
    async () => {
      const { latencies, firstError } = await hub.clients.drive(TURNS, CLIENTS, work, deadline)
      return { p50: percentile(latencies, 0.5), p95: percentile(latencies, 0.95), firstError }
    }
  const creates = async () => {
    ids = []
    return times(newJob)()
  }
  const indexBatches = async () => {
    await quiet(0, hub.pids())
    const took = await timeIndexBatches(hub, rows)
    return { p50: percentile(took, 0.5), p95: percentile(took, 0.95), firstError: null }
  }
  const measures = new Map<string, Measure>([
    ['create', creates],
    ['read', times(async (_, client) => void (await read(hub, client, pick(ids, chance))))],
  ])
  for (const [what, work] of await searchesOf(hub, rows, chance)) measures.set(what, times(work))
  measures.set('index batch of 100', indexBatches)
  for (const warmUp of measures.values()) await warmUp()
  return measures
}
