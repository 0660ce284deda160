import type { Measurement } from './measure.ts'
import { type Spread, spreadOf } from './percentiles.ts'
import type { ServerName } from './servers/server.ts'
import type { Storage } from './storages.ts'
import type { Concurrency } from './tasks/task.ts'

/** All rounds of a task: each figure is the median of its rounds, and `spread` has its lowest and highest. */
export type Summary = {
  what: string
  server: ServerName
  storage: Storage
  concurrency: Concurrency
  rounds: number
  requests: number
  httpRequests: number
  errors: number
  spread: Record<Figure, Spread | null>
} & Record<Figure, number | null>

const FIGURES = ['rps', 'p50', 'p95', 'p99', 'cpuPerThousand', 'peakMemory'] as const
type Figure = (typeof FIGURES)[number]

export const summarize = (measurements: readonly Measurement[], storage: Storage): Summary[] => {
  const groups = Map.groupBy(measurements, (each) => `${each.what} ${each.server} ${each.concurrency}`)
  return Array.from(groups.values(), (rounds): Summary => {
    const [first] = rounds
    if (!first) throw new Error('a group is never empty')
    const sum = (count: 'turns' | 'calls' | 'errors') =>
      rounds.reduce((total, round) => total + round[count], 0)
    const spread = figures((figure) => spreadOfAll(rounds.map((round) => round[figure])))
    return {
      what: first.what,
      server: first.server,
      storage,
      concurrency: first.concurrency,
      rounds: rounds.length,
      requests: sum('turns'),
      httpRequests: sum('calls'),
      errors: sum('errors'),
      ...figures((figure) => spread[figure]?.median ?? null),
      spread,
    }
  })
}

const figures = <Value>(of: (figure: Figure) => Value): Record<Figure, Value> => ({
  rps: of('rps'),
  p50: of('p50'),
  p95: of('p95'),
  p99: of('p99'),
  cpuPerThousand: of('cpuPerThousand'),
  peakMemory: of('peakMemory'),
})

const spreadOfAll = (values: readonly (number | null)[]): Spread | null => {
  const known = values.filter((value) => value !== null)
  return known.length < values.length ? null : spreadOf(known)
}

/** A figure of ours against a yardstick's: the median of the ratios that each round gave. */
export type Ratio = { figure: 'rps' | 'p99' | 'cpuPerThousand' } & Spread

/** The hub against a yardstick. Measurements are in the order of their rounds; a round's pair was measured together. */
export const ratiosOf = (ours: readonly Measurement[], theirs: readonly Measurement[]): Ratio[] =>
  (['rps', 'p99', 'cpuPerThousand'] as const).flatMap((figure) => {
    const pairs = ours.map((our, round) => (our[figure] ?? NaN) / (theirs[round]?.[figure] ?? NaN))
    const known = pairs.filter((ratio) => Number.isFinite(ratio))
    return known.length === 0 ? [] : [{ figure, ...spreadOf(known) }]
  })
