import type { Measurement, Round } from './measure.ts'
import { type Spread, median, percentile, spreadOf } from './percentiles.ts'
import type { ServerName } from './servers/server.ts'
import type { Storage } from './storages.ts'
import type { Concurrency } from './tasks/task.ts'

/** All rounds of a task: `rps` is the middle one's with the lowest and highest, percentiles (ms) are of all turns, CPU in seconds per thousand turns. */
export type Summary = {
  what: string
  server: ServerName
  storage: Storage
  concurrency: Concurrency
  rounds: number
  requests: number
  httpRequests: number
  errors: number
  firstError: string | null
  rps: Spread
  p50: number
  p95: number
  p99: number
  cpuPerThousand: number | null
  peakMemory: number | null
}

export function summarize({ what, server, concurrency, rounds }: Measurement, storage: Storage): Summary {
  const latencies = latenciesOf(rounds)
  const memory = known(rounds.map(({ peakMemory }) => peakMemory))
  return {
    what,
    server,
    storage,
    concurrency,
    rounds: rounds.length,
    requests: sum(rounds.map(({ turns }) => turns)),
    httpRequests: sum(rounds.map(({ calls }) => calls)),
    errors: sum(rounds.map(({ errors }) => errors)),
    firstError: rounds.find(({ firstError }) => firstError !== null)?.firstError ?? null,
    rps: spreadOf(rounds.map(rateOf)),
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    cpuPerThousand: cpuPerThousand(rounds),
    peakMemory: memory && Math.max(...memory),
  }
}

/** A figure of ours divided by a yardstick's, with the lowest and the highest of the rounds. */
export type Ratio = { figure: 'rps' | 'p99' | 'cpuPerThousand'; value: number; low: number; high: number }

/** The hub against a yardstick: `rps` is the middle one of the rounds' ratios, the others are of all rounds together. */
export function ratiosOf(ours: Measurement, theirs: Measurement): Ratio[] {
  const figures = {
    rps: ratios(ours, theirs, rateOf),
    p99: ratios(ours, theirs, p99Of),
    cpuPerThousand: ratios(ours, theirs, (round) => cpuPerThousand([round]) ?? NaN),
  }
  const values = {
    rps: median(figures.rps),
    p99: percentile(latenciesOf(ours.rounds), 0.99) / percentile(latenciesOf(theirs.rounds), 0.99),
    cpuPerThousand: (cpuPerThousand(ours.rounds) ?? NaN) / (cpuPerThousand(theirs.rounds) ?? NaN),
  }
  return (['rps', 'p99', 'cpuPerThousand'] as const).flatMap((figure) =>
    Number.isFinite(values[figure])
      ? [
          {
            figure,
            value: values[figure],
            low: Math.min(...figures[figure]),
            high: Math.max(...figures[figure]),
          },
        ]
      : [],
  )
}

/** Both were measured one after the other in each round. */
function ratios(ours: Measurement, theirs: Measurement, of: (round: Round) => number): number[] {
  return ours.rounds.flatMap((round, place) => {
    const other = theirs.rounds[place]
    return other ? [of(round) / of(other)] : []
  })
}

function rateOf({ turns, seconds }: Round): number {
  return turns / seconds
}

function latenciesOf(rounds: readonly Round[]): number[] {
  return rounds.flatMap(({ latencies }) => latencies).toSorted((a, b) => a - b)
}

function p99Of(round: Round): number {
  return percentile(latenciesOf([round]), 0.99)
}

function cpuPerThousand(rounds: readonly Round[]): number | null {
  const cpu = known(rounds.map((round) => round.cpu))
  return cpu && (sum(cpu) * 1000) / sum(rounds.map(({ turns }) => turns))
}

/** All of the values, or null where one is not known. */
function known(values: readonly (number | null)[]): number[] | null {
  const all = values.filter((value) => value !== null)
  return all.length < values.length ? null : all
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
