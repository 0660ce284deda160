import { join } from 'node:path'
import { Log, LogLevel, Miniflare, type MiniflareOptions } from 'miniflare'
import { readSecrets } from '../programs/secrets.ts'
import { workerOptions } from './worker-options.ts'
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'

export type LocalHub = {
  port: number
  stateDir: string
  secretsFile: string
  /** Prints log events over several lines each, for people. */
  pretty?: boolean | undefined
}

/** Puts a log event on one line, so that a search shows the event's name beside what it finds. */
export function onOneLine(message: string): string {
  return message.replaceAll(/\s*\n\s*/g, ' ')
}

/** A running hub. `refresh` starts it again with the present files of the site. */
export type Served = { stop: () => Promise<void>; refresh: () => Promise<void> }

/** Serves a hub that `build` made in the folder `bundle`. Its databases must be up to date. */
export async function serveBuilt(
  bundle: string,
  { port, stateDir, secretsFile, pretty = false }: LocalHub,
): Promise<Served> {
  makeStateFolder(stateDir)
  const values = { ...readSecrets(secretsFile), LOOPBACK_URLS: 'allowed', JURISDICTION: '' }
  const options: MiniflareOptions = {
    host: '127.0.0.1',
    port,
    // Customers' pages show the times of their customer's zone: here that of this machine.
    cf: { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    log: new Log(LogLevel.INFO, { prefix: 'hub' }),
    handleStructuredLogs: ({ level, message }) =>
      console.log(`[hub:${level}] ${pretty ? message : onOneLine(message)}`),
    resourcePersistencePath: join(stateDir, 'v3'),
    telemetry: { enabled: false },
    workers: [await workerOptions(bundle, values)],
  }
  const runtime = new Miniflare(options)
  await runtime.ready
  endChildrenWithMe()
  return { stop: () => runtime.dispose(), refresh: () => runtime.setOptions(options) }
}

/** Returns the ids of the runtimes that this process started; none without `ps`. */
export function runtimes(): number[] {
  try {
    return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, ppid, command]) => ppid === String(process.pid) && command?.includes('workerd'))
      .map(([pid]) => Number(pid))
  } catch {
    return []
  }
}

/** Kills processes when its standard input closes, because the parent has then died. */
const WATCH = `process.stdin.resume().on('end', () => {
  for (const id of process.argv.slice(1)) try { process.kill(Number(id), 'SIGKILL') } catch {}
})`

/**
 * Makes sure that the runtime does not outlive this process. A SIGKILL leaves no time to stop a
 * child, which would go on serving, and hold the port. Without `ps` it cannot find the runtime.
 */
export function endChildrenWithMe(): void {
  const dog = spawn(process.execPath, ['-e', WATCH, ...runtimes().map(String)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  dog.unref()
  if ('unref' in dog.stdin && typeof dog.stdin.unref === 'function') dog.stdin.unref()
}

/**
 * Makes a state folder for its owner alone: it has customers' addresses. Throws if it is another's.
 */
export function makeStateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}
