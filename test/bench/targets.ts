import type { Measurement } from './measure.ts'
import { type Ratio, ratiosOf } from './summary.ts'
import type { ServerName } from './servers/server.ts'
import { AGAIN } from './tasks/api-tasks.ts'
import { CONCURRENCIES, type Concurrency } from './tasks/task.ts'

/** What a ratio must be. */
type Target = { says: string; met: (ratio: number) => boolean }
type Targets = Partial<Record<Ratio['figure'], Target>>

function atLeast(bound: number): Target {
  return { says: `≥ ${bound}`, met: (ratio) => ratio >= bound }
}
function atMost(bound: number): Target {
  return { says: `≤ ${bound}`, met: (ratio) => ratio <= bound }
}

/** No operation keeps its slowest caller waiting for much longer than the platform does by itself. */
const LATENCY: Targets = { p99: atMost(1.5) }
const READ: Targets = { ...LATENCY, rps: atLeast(1), cpuPerThousand: atMost(1.5) }
/** The same work, measured twice: where it differs by more, the machine was too restless for the other figures to mean much. */
const STEADY: Targets = { rps: { says: '0.95–1.05', met: (ratio) => Math.abs(ratio - 1) <= 0.05 } }

/** A comparison of the hub with a yardstick. `target` and `met` are null where there is no target. */
export type Comparison = {
  what: string
  against: string
  concurrency: Concurrency
  ratio: Ratio
  target: string | null
  met: boolean | null
}

type Pair = { ours: string; theirs: string; server: ServerName; targets: Targets }

const PAIRS: readonly Pair[] = [
  { ours: AGAIN.create, theirs: 'create', server: 'hub', targets: STEADY },
  { ours: AGAIN.read, theirs: 'read, one job', server: 'hub', targets: STEADY },
  {
    ours: 'create',
    theirs: 'create + announcement',
    server: 'bare',
    targets: { ...LATENCY, rps: atLeast(0.8), cpuPerThousand: atMost(1.5) },
  },
  { ours: 'create', theirs: 'create + all operations', server: 'bare', targets: { rps: atLeast(0.95) } },
  { ours: 'create', theirs: 'create', server: 'bare', targets: {} },
  { ours: 'create', theirs: 'create', server: 'fastify', targets: {} },
  { ours: 'read, one job', theirs: 'read, one job', server: 'bare', targets: READ },
  { ours: 'read, one job', theirs: 'read, one job', server: 'fastify', targets: {} },
  { ours: 'read, many jobs', theirs: 'read, many jobs', server: 'bare', targets: READ },
  { ours: 'read, many jobs', theirs: 'read, many jobs', server: 'fastify', targets: {} },
]

export function compare(measurements: readonly Measurement[]): Comparison[] {
  const of = (what: string, server: ServerName, concurrency: Concurrency) =>
    measurements.find(
      (each) => each.what === what && each.server === server && each.concurrency === concurrency,
    )
  return CONCURRENCIES.flatMap((concurrency) =>
    PAIRS.flatMap(({ ours, theirs, server, targets }) => {
      const [our, their] = [of(ours, 'hub', concurrency), of(theirs, server, concurrency)]
      if (!our || !their) return []
      const against = server === 'hub' ? 'itself' : ours === theirs ? server : `${server}, ${theirs}`
      return ratiosOf(our, their).map((ratio) => {
        const target = targets[ratio.figure]
        const met = target?.met(ratio.value) ?? null
        return { what: ours, against, concurrency, ratio, target: target?.says ?? null, met }
      })
    }),
  )
}

/** Where the machine was too restless for the other figures to mean much. */
export function restless(comparisons: readonly Comparison[]): Comparison[] {
  return comparisons.filter(({ against, met }) => against === 'itself' && met === false)
}
