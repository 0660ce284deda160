import { type Measurement, QUEUE_PAUSE, measure, quiet } from './measure.ts'
import type { Stage } from './stage.ts'
import { CONCURRENCIES, type Concurrency, type Task } from './tasks/task.ts'

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
 * Each round is on a stage of its own: jobs that nobody pays are pulled when they are a minute old, and those of earlier
 * rounds would be in the way.
 */
export const playRounds = async (
  openStage: () => Promise<Stage>,
  { rounds, until, ...pace }: Pace,
  deadline: AbortSignal,
  tell: (line: string) => void,
): Promise<Measurement[]> => {
  const measurements: Measurement[] = []
  for (let round = 1, took = 0; round <= rounds && Date.now() + took < until; round++) {
    const begun = Date.now()
    const stage = await openStage()
    tell(`round ${round} of ${rounds}: waiting until the servers are quiet`)
    for (const server of stage.servers) await quiet(server.name === 'hub' ? QUEUE_PAUSE : 0, server.pids())
    const order = round % 2 === 0 ? 'reversed' : 'forward'
    measurements.push(
      ...(await playRound(stage, pace, order, deadline, (line) => tell(`round ${round}: ${line}`))),
    )
    await stage.stop()
    took = Date.now() - begun
  }
  return measurements
}

const playRound = async (
  { tasks }: Stage,
  { share, only }: Pick<Pace, 'share' | 'only'>,
  order: 'forward' | 'reversed',
  deadline: AbortSignal,
  tell: (line: string) => void,
): Promise<Measurement[]> => {
  const measurements: Measurement[] = []
  const played = tasks.filter(({ what }) => only.test(what))
  for (const [what, group] of Map.groupBy(played, (task) => task.what.replace(/ \+ .*/, ''))) {
    for (const concurrency of CONCURRENCIES) {
      const measured: Measurement[] = []
      for (const task of order === 'reversed' ? group.toReversed() : group) {
        measured.push(await measure(task, concurrency, turnsOf(task, concurrency, share), deadline))
      }
      measurements.push(...measured)
      const rates = measured.map((each) => `${nameOf(each)} ${each.rps.toFixed(0)}/s`).join(', ')
      tell(`${what} at ${concurrency}: ${rates}`)
    }
  }
  return measurements
}

const turnsOf = ({ turns }: Task, concurrency: Concurrency, share: number) =>
  Math.max(Math.round(turns[concurrency] * share), concurrency, FEWEST)

const nameOf = ({ server, what }: Measurement): string => server + what.replace(/^[^+]*(?= \+ |$)/, '')
