import { cpuSeconds, forgetPeak, peakMemory } from './process-usage.ts'
import type { ServerName } from './servers/server.ts'
import type { Concurrency, Task } from './tasks/task.ts'

/** A task at a server, at one concurrency: what was measured in each of its rounds. */
export type Measurement = {
  what: string
  server: ServerName
  concurrency: Concurrency
  rounds: Round[]
}

/** One round: latencies in ms, CPU in seconds, with that of the work that went on after the last answer, memory in bytes. */
export type Round = {
  turns: number
  seconds: number
  calls: number
  latencies: number[]
  cpu: number | null
  peakMemory: number | null
  errors: number
  firstError: string | null
}

/** The longest that work is waited for, and how long a quiet machine is quiet (ms). */
const PATIENCE = 8000
const QUIET = 200

/** Measures one round of a task, and waits until its server is done with it: the next one's round is not to pay for it. */
export async function measure(
  { server, work }: Task,
  concurrency: Concurrency,
  turns: number,
  deadline: AbortSignal,
): Promise<Round> {
  const pids = server.pids()
  forgetPeak(pids)
  const cpuBefore = cpuSeconds(pids)
  const { seconds, calls, latencies, errors, firstError } = await server.clients.drive(
    turns,
    concurrency,
    work,
    deadline,
  )
  await quiet(0, pids)
  const cpuAfter = cpuSeconds(pids)
  return {
    turns,
    seconds,
    calls,
    latencies,
    cpu: cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore,
    peakMemory: peakMemory(pids),
    errors,
    firstError,
  }
}

/** Waits until processes have nothing more to do, but for a while at least. */
export async function quiet(atLeast: number, pids: readonly number[]): Promise<void> {
  await pause(atLeast)
  const end = Date.now() + PATIENCE
  let before = cpuSeconds(pids)
  while (before !== null && Date.now() < end) {
    await pause(QUIET)
    const now = cpuSeconds(pids)
    if (now === null || now - before <= 0.02) return
    before = now
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
