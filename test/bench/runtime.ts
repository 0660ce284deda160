import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { freePort } from '../../src/programs/free-port.ts'
import type { WorkerOptions } from '../../src/local/worker-options.ts'
import { endChildrenWithMe, runtimes } from '../../src/local/serve-built.ts'

/** A file system in memory on Linux: a disk would take most of the time. */
const IN_MEMORY = '/dev/shm'

const folders: string[] = []
process.once('exit', () => {
  for (const path of folders) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
})

/** Makes a folder that is deleted when this process ends. */
export function newFolder(): string {
  const path = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'payment-hub-bench-'))
  folders.push(path)
  return path
}

/** A Worker in a separate workerd, with its processes. */
export type Runtime = { url: string; miniflare: Miniflare; pids: number[]; stop: () => Promise<void> }

/**
 * Runs a Worker in a separate workerd. Clients connect to the Worker itself: Miniflare's proxy in Node, which
 * `npm run dev` uses too, would take most of each request's time.
 */
export async function startRuntime(worker: WorkerOptions, stateDir: string): Promise<Runtime> {
  const others = new Set(runtimes())
  const port = await freePort()
  const miniflare = new Miniflare({
    host: '127.0.0.1',
    cf: false,
    log: new Log(LogLevel.NONE),
    handleStructuredLogs: ({ level, message }) => {
      if (level === 'error' || level === 'warn')
        console.error(`${worker.config.name}: ${message.slice(0, 300)}`)
    },
    resourcePersistencePath: stateDir,
    telemetry: { enabled: false },
    workers: [{ ...worker, dev: { unsafeDirectSockets: [{ host: '127.0.0.1', port }] } }],
  })
  await miniflare.ready
  endChildrenWithMe()
  return {
    url: `http://127.0.0.1:${port}`,
    miniflare,
    pids: runtimes().filter((pid) => !others.has(pid)),
    stop: () => miniflare.dispose(),
  }
}

/** Clock ticks a second, the unit of CPU time in /proc: 100 on every Linux that Node runs on. */
const TICKS = 100

/** Returns the CPU seconds of processes so far, in user and kernel mode; null without /proc. */
export function cpuSeconds(pids: readonly number[]): number | null {
  try {
    return pids.reduce((total, pid) => {
      // proc_pid_stat(5): the command's name is in brackets and may have spaces; utime and stime
      // are fields 14 and 15.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return total + (Number(fields[11]) + Number(fields[12])) / TICKS
    }, 0)
  } catch {
    return null
  }
}

/** The longest wait for work to end, and how long a machine must be idle to count as idle (ms). */
const PATIENCE = 8000
const QUIET = 200

/** Waits until processes are idle. */
export async function quiet(pids: readonly number[]): Promise<void> {
  const end = Date.now() + PATIENCE
  let before = cpuSeconds(pids)
  while (before !== null && Date.now() < end) {
    await pause(QUIET)
    const now = cpuSeconds(pids)
    if (now === null || now - before <= 0.02) return
    before = now
  }
}
