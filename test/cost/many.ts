import type { Built } from '../e2e/built-hub.ts'
import { type Stage, atPace, hurry, onStage, pause } from './stage.ts'
import { type Counts, totalOf } from './worker/counts.ts'

/**
 * The payments before the measurement, at once, and in it: a runtime that has just started takes several
 * times as long.
 */
const WARM_UP = { payments: 500, atOnce: 100 }
const MEASURED = 100

/** What each of many payments took. Its CPU time (ms) includes the queues. */
type Share = { counts: Counts; cpu: number | null }

function shareOf(counts: Counts, count: number): Counts {
  return Object.fromEntries(Object.entries(counts).map(([what, times]) => [what, times / count]))
}

async function playMany(stage: Stage, count: number): Promise<Share> {
  const token = await stage.newToken(stage.pos)
  await stage.take()
  const cpu = await stage.cpuOf(async () => {
    await atPace(count, () => hurry(stage, token))
    await stage.settle()
  })
  const { counts } = await stage.take()
  return { counts: shareOf(counts, count), cpu: cpu && cpu / count }
}

/** Measures what each of many simultaneous payments takes on a warm runtime. */
export function playTogether(built: Built, count: number): Promise<Share> {
  return onStage(built, async (stage) => {
    for (let played = 0; played < WARM_UP.payments; played += WARM_UP.atOnce)
      await playMany(stage, WARM_UP.atOnce)
    const rounds: Share[] = []
    for (let played = 0; played < MEASURED; played += count) rounds.push(await playMany(stage, count))
    const cpus = rounds.flatMap(({ cpu }) => (cpu === null ? [] : [cpu]))
    return {
      counts: shareOf(totalOf(rounds), rounds.length),
      cpu: cpus.length === 0 ? null : cpus.reduce((sum, cpu) => sum + cpu, 0) / cpus.length,
    }
  })
}

/** Measures the hub's CPU time (ms) for each of many tills' streams that are open for a number of seconds. */
async function playStreams(stage: Stage, count: number, seconds: number): Promise<number | null> {
  const token = await stage.newToken(stage.pos)
  const jobs = await atPace(count, () => stage.newJob(token))
  await stage.settle()
  const open: Response[] = []
  const cpu = await stage.cpuOf(async () => {
    const accept = { accept: 'text/event-stream' }
    open.push(...(await Promise.all(jobs.map((job) => stage.read(token, job, accept)))))
    await pause(seconds * 1000)
  })
  await Promise.all(open.map(async ({ body }) => body?.cancel()))
  return cpu && cpu / count
}

/** The same, after equally many streams to warm up. */
export function cpuOfStreams(built: Built, count: number, seconds: number): Promise<number | null> {
  return onStage(built, async (stage) => {
    await playStreams(stage, count, 0)
    return playStreams(stage, count, seconds)
  })
}
