import { type Measurement, measure, quiet } from './measure.ts'
import type { Stage } from './stage.ts'
import { compare, restless } from './targets.ts'
import { CONCURRENCIES, type Concurrency, type Task } from './tasks/task.ts'

export type Pace = {
  /** How often each task is measured at the least. */
  rounds: number
  /** The tasks that are played, by name: those of each expression on a stage of their own. */
  acts: readonly RegExp[]
}

/** Index rows wait for so long (ms) in their queue (`max_batch_timeout`), unless a hundred of them come sooner. */
const QUEUE_PAUSE = 2300

/** For so long (ms) tasks are measured again where the machine is restless. */
const PATIENCE = 45_000

/**
 * Measures every task at each concurrency. Tasks of one kind take turns, ours and its yardsticks, in the other order each second
 * round, and a round is short: so a machine that is slow for a while is slow for all. Where the hub differs from itself all the
 * same, more rounds are played, which makes no hub better than another. No stage is used for much more than a
 * minute: jobs that nobody pays are pulled when they are a minute old, and would be in the way.
 */
export async function playRounds(
  openStage: () => Promise<Stage>,
  { rounds, acts }: Pace,
  deadline: AbortSignal,
  tell: (line: string) => void,
): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  for (const act of acts) {
    for (const concurrency of CONCURRENCIES) {
      const stage = await openStage()
      for (const server of stage.servers) await quiet(QUEUE_PAUSE, server.pids())
      const played = stage.tasks.filter(({ what }) => act.test(what))
      for (const [kind, tasks] of Map.groupBy(played, ({ what }) => what.replace(/ \+ .*/, ''))) {
        const measured = await takeTurns(tasks, concurrency, rounds, deadline)
        measurements.push(...measured)
        const rates = measured.map((each) => `${nameOf(each)} ${rateOf(each).toFixed(0)}/s`).join(', ')
        tell(`${kind} at ${concurrency}: ${rates}`)
      }
      await stage.stop()
    }
  }
  return measurements
}

async function takeTurns(
  tasks: readonly Task[],
  concurrency: Concurrency,
  rounds: number,
  deadline: AbortSignal,
): Promise<Measurement[]> {
  const pairs = tasks.map((task) => {
    const measurement: Measurement = { what: task.what, server: task.server.name, concurrency, rounds: [] }
    return { task, measurement }
  })
  const end = Date.now() + PATIENCE
  const isRestless = () => restless(compare(pairs.map(({ measurement }) => measurement))).length > 0
  for (let round = 1; round <= rounds || (isRestless() && Date.now() < end); round++) {
    for (const { task, measurement } of round % 2 === 0 ? pairs.toReversed() : pairs) {
      measurement.rounds.push(await measure(task, concurrency, task.turns[concurrency], deadline))
    }
  }
  return pairs.map(({ measurement }) => measurement)
}

function rateOf({ rounds }: Measurement): number {
  return (
    rounds.reduce((sum, { turns }) => sum + turns, 0) / rounds.reduce((sum, { seconds }) => sum + seconds, 0)
  )
}

function nameOf({ server, what }: Measurement): string {
  return server + what.replace(/^[^+]*(?= \+ |$)/, '')
}
