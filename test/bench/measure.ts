import { percentile } from './percentiles.ts'
import { cpuSeconds, forgetPeak, peakMemory } from './process-usage.ts'
import type { ServerName } from './servers/server.ts'
import type { Concurrency, Task } from './tasks/task.ts'

/** One round of a task: latencies in ms, CPU in seconds per thousand turns, memory in bytes. */
export type Measurement = {
  what: string
  server: ServerName
  concurrency: Concurrency
  turns: number
  calls: number
  rps: number
  p50: number
  p95: number
  p99: number
  cpuPerThousand: number | null
  peakMemory: number | null
  errors: number
  firstError: string | null
}

/** Index rows wait for two seconds in their queue (`max_batch_timeout`): what a job leaves to do begins as late. */
export const QUEUE_PAUSE = 2300
/** The longest that work is waited for, and how long a quiet machine is quiet (ms). */
const PATIENCE = 8000
const QUIET = 200

/** Measures one round of a task. The CPU is counted to the end of the work that goes on after the last answer. */
export const measure = async (
  task: Task,
  concurrency: Concurrency,
  turns: number,
  deadline: AbortSignal,
): Promise<Measurement> => {
  const { what, server } = task
  const pids = server.pids()
  forgetPeak(pids)
  const cpuBefore = cpuSeconds(pids)
  const load = await server.clients.drive(turns, concurrency, task.work, deadline)
  if (task.leaves === 'rows') await quiet(QUEUE_PAUSE, pids)
  const cpuAfter = cpuSeconds(pids)
  return {
    what,
    server: server.name,
    concurrency,
    turns,
    calls: load.calls,
    rps: turns / load.seconds,
    p50: percentile(load.latencies, 0.5),
    p95: percentile(load.latencies, 0.95),
    p99: percentile(load.latencies, 0.99),
    cpuPerThousand: cpuBefore === null || cpuAfter === null ? null : ((cpuAfter - cpuBefore) * 1000) / turns,
    peakMemory: peakMemory(pids),
    errors: load.errors,
    firstError: load.firstError,
  }
}

/** Waits until processes have nothing more to do, but for a while at least. */
export const quiet = async (atLeast: number, pids: readonly number[]): Promise<void> => {
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

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))
