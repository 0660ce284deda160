import { type Measurement, measure, quiet } from './measure.ts'
import type { Stage } from './stage.ts'
import { CONCURRENCIES, type Task } from './tasks/task.ts'

export type Pace = {
  rounds: number
  /** What share of its turns each task makes. */
  share: number
  /** When (ms) the last round must have ended, if it takes as long as the one before. */
  until: number
  /** The tasks that are played. */
  only: RegExp
}

/** Fewer turns would say nothing about a p99. */
const FEWEST = 16

/**
 * Measures every task once a round at each concurrency. Tasks of the same name follow each other, ours and its
 * yardsticks alternating, in the other order each second round: so a machine that is slow for a while is slow for both.
 */
export const playRounds = async (
  { servers, tasks }: Stage,
  { rounds, share, until, only }: Pace,
  deadline: AbortSignal,
  tell: (line: string) => void,
): Promise<Measurement[]> => {
  const measurements: Measurement[] = []
  const played = tasks.filter(({ what }) => only.test(what))
  const groups = Map.groupBy(played, ({ what }) => what.replace(/ \+ .*/, ''))
  tell('waiting until the servers are quiet')
  for (const server of servers) await quiet(server.name === 'hub' ? 2500 : 0, server.pids())
  for (let round = 1, took = 0; round <= rounds && Date.now() + took < until; round++) {
    const begun = Date.now()
    for (const [what, group] of groups) {
      for (const concurrency of CONCURRENCIES) {
        const inTurn = round % 2 === 0 ? group.toReversed() : group
        const measured: Measurement[] = []
        for (const task of inTurn) {
          measured.push(await measure(task, concurrency, turnsOf(task, concurrency, share), deadline))
        }
        measurements.push(...measured)
        const rates = measured.map((each) => `${nameOf(each)} ${each.rps.toFixed(0)}/s`).join(', ')
        tell(`round ${round} of ${rounds}: ${what} at ${concurrency}: ${rates}`)
      }
    }
    took = Date.now() - begun
  }
  return measurements
}

const turnsOf = (
  { turns }: Task,
  concurrency: Task['turns'] extends Record<infer C, number> ? C : never,
  share: number,
) => Math.max(Math.round(turns[concurrency] * share), concurrency, FEWEST)

const nameOf = ({ server, what }: Measurement): string => server + what.replace(/^[^+]*(?= \+ |$)/, '')
