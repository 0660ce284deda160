import type { Measurement } from './measure.ts'
import { type Ratio, ratiosOf } from './summary.ts'
import type { ServerName } from './servers/server.ts'
import type { Concurrency } from './tasks/task.ts'

/** What the hub's figures against the bare Worker's must be. */
const TARGETS: Record<Ratio['figure'], { says: string; met: (ratio: number) => boolean }> = {
  rps: { says: '≥ 0.8', met: (ratio) => ratio >= 0.8 },
  p99: { says: '≤ 1.5', met: (ratio) => ratio <= 1.5 },
  cpuPerThousand: { says: '≤ 1.5', met: (ratio) => ratio <= 1.5 },
}

/** A comparison of the hub with a yardstick. `target` and `met` are null where there is no target. */
export type Comparison = {
  what: string
  against: string
  concurrency: Concurrency
  ratio: Ratio
  target: string | null
  met: boolean | null
}

type Pair = { ours: string; theirs: string; server: ServerName; judged: boolean }

const PAIRS: readonly Pair[] = [
  { ours: 'create', theirs: 'create + announcement', server: 'bare', judged: true },
  { ours: 'create', theirs: 'create', server: 'bare', judged: false },
  { ours: 'create', theirs: 'create + all operations', server: 'bare', judged: false },
  { ours: 'create', theirs: 'create', server: 'fastify', judged: false },
  { ours: 'read, one job', theirs: 'read, one job', server: 'bare', judged: true },
  { ours: 'read, one job', theirs: 'read, one job', server: 'fastify', judged: false },
  { ours: 'read, many jobs', theirs: 'read, many jobs', server: 'bare', judged: true },
  { ours: 'read, many jobs', theirs: 'read, many jobs', server: 'fastify', judged: false },
]

export const compare = (measurements: readonly Measurement[], concurrency: Concurrency): Comparison[] => {
  const of = (what: string, server: ServerName) =>
    measurements.filter(
      (each) => each.what === what && each.server === server && each.concurrency === concurrency,
    )
  return PAIRS.flatMap(({ ours, theirs, server, judged }) =>
    ratiosOf(of(ours, 'hub'), of(theirs, server)).map((ratio) => {
      const { says, met } = TARGETS[ratio.figure]
      return {
        what: ours,
        against: ours === theirs ? server : `${server}, ${theirs}`,
        concurrency,
        ratio,
        target: judged ? says : null,
        met: judged ? met(ratio.median) : null,
      }
    }),
  )
}
