import { join } from 'node:path'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { readSecrets } from '../programs/secrets.ts'
import type { siteFolder } from './site-folder.ts'
import { type WorkerOptions, workerOptions } from './worker-options.ts'
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'

export type LocalHub = {
  port: number
  stateDir: string
  secretsFile: string
  /** Prints log events over several lines each, for people. */
  pretty?: boolean | undefined
}

/** Puts a log event on one line, so that a search shows the event's name with what it finds. */
export function onOneLine(message: string): string {
  return message.replaceAll(/\s*\n\s*/g, ' ')
}

/**
 * Serves a hub that `build` made in the folder `bundle`. Its databases must be up to date. `site`
 * serves the files of the site, instead of Miniflare with those of its start.
 */
export async function serveBuilt(
  bundle: string,
  { port, stateDir, secretsFile, pretty = false }: LocalHub,
  site?: ReturnType<typeof siteFolder>,
): Promise<{ stop: () => Promise<void> }> {
  makeStateFolder(stateDir)
  const values = { ...readSecrets(secretsFile), LOOPBACK_URLS: 'allowed', JURISDICTION: '' }
  const worker = await workerOptions(bundle, values)
  const runtime = new Miniflare({
    host: '127.0.0.1',
    port,
    // Customers' pages show the times of their customer's zone: here that of this machine.
    cf: { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    log: new Log(LogLevel.INFO, { prefix: 'hub' }),
    handleStructuredLogs: ({ level, message }) =>
      console.log(`[hub:${level}] ${pretty ? message : onOneLine(message)}`),
    resourcePersistencePath: join(stateDir, 'v3'),
    telemetry: { enabled: false },
    workers: [site ? withSite(worker, site) : worker],
  })
  await runtime.ready
  endChildrenWithMe()
  return { stop: () => runtime.dispose() }
}

function withSite(
  { config: { assets: _assets, ...config }, ...others }: WorkerOptions,
  handler: ReturnType<typeof siteFolder>,
): WorkerOptions {
  return { ...others, config: { ...config, env: { ...config.env, ASSETS: { type: 'fetcher', handler } } } }
}

/** Returns the ids of the runtimes that this process started. */
export function runtimes(): number[] {
  return processLines().flatMap((line) => {
    const [, id, command, parent] = /^\s*(\d+) \((.*)\) \S+ (\d+)/.exec(line) ?? []
    return parent === String(process.pid) && command?.includes('workerd') ? [Number(id)] : []
  })
}

/**
 * Returns a line for each process, which begins as in proc_pid_stat(5): `id (command) state parent`. Linux may
 * lack `ps`, as slim images do, and other systems have no /proc.
 */
function processLines(): string[] {
  if (process.platform !== 'linux') {
    const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    return listed.split('\n').map((line) => line.replace(/^\s*(\d+)\s+(\d+) (.*)/, '$1 ($3) ? $2'))
  }
  return readdirSync('/proc').flatMap((id) => {
    try {
      return /^\d+$/.test(id) ? [readFileSync(`/proc/${id}/stat`, 'utf8')] : []
    } catch {
      return [] // It has ended meanwhile.
    }
  })
}

/** Kills processes when its standard input closes, because the parent has then died. */
const WATCH = `process.stdin.resume().on('end', () => {
  for (const id of process.argv.slice(1)) try { process.kill(Number(id), 'SIGKILL') } catch {}
})`

/**
 * Makes sure that the runtime does not outlive this process. A SIGKILL leaves no time to stop a
 * child, which would go on serving and hold the port.
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
 * Makes a state folder that only its owner can read, because it has customers' addresses. Throws if
 * it belongs to another user.
 */
export function makeStateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}
