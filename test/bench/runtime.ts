import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { freePort } from '../../src/programs/free-port.ts'
import type { WorkerOptions } from '../../src/local/worker-options.ts'
import { endChildrenWithMe, runtimes } from '../../src/local/serve-built.ts'

/** Where Linux has a file system in memory: the disk would take most of the time. */
const IN_MEMORY = '/dev/shm'

/** A new folder, which goes with this process. */
export function newFolder(): string {
  const path = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'payment-hub-bench-'))
  process.once('exit', () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}

/** A Worker in a workerd of its own, with the processes that it takes. */
export type Runtime = { url: string; miniflare: Miniflare; pids: number[]; stop: () => Promise<void> }

/**
 * Runs a Worker in a workerd of its own. Its socket is the Worker's: Miniflare's own proxy in Node,
 * through which `npm run dev` goes too, would take most of each request's time.
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

/** Clock ticks a second, in which /proc counts CPU time: 100 on every Linux that Node runs on. */
const TICKS = 100

/**
 * CPU seconds that processes have taken so far, in user and kernel mode; null where there is no
 * /proc.
 */
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

/** The longest that work is waited for, and how long a quiet machine is quiet (ms). */
const PATIENCE = 8000
const QUIET = 200

/** Waits until processes have nothing more to do. */
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
