import { join } from 'node:path'
import { Log, LogLevel, Miniflare, type MiniflareOptions } from 'miniflare'
import { readSecrets } from '../secrets.ts'
import { workerOptions } from './worker-options.ts'
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'

export type LocalHub = {
  port: number
  stateDir: string
  secretsFile: string
  /** Whether log events are shown over several lines each, for people. */
  pretty?: boolean | undefined
}

/** A log event on a line of its own: what a search finds has the event's name beside it. */
export function onOneLine(message: string): string {
  return message.replaceAll(/\s*\n\s*/g, ' ')
}

/** A hub that runs. `refresh` starts it again with the files that the site has by then. */
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
    cf: false,
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

/** The processes that `parent` started, with their commands; none where there is no `ps` to ask. */
function childrenOf(parent: number): { pid: number; command: string }[] {
  try {
    return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, ppid]) => ppid === String(parent))
      .map(([pid, , command = '']) => ({ pid: Number(pid), command }))
  } catch {
    return []
  }
}

export function runtimes(): number[] {
  return childrenOf(process.pid)
    .filter(({ command }) => command.includes('workerd'))
    .map(({ pid }) => pid)
}

/** Ends processes once its standard input closes: then whoever holds the other end has died. */
const WATCH = `process.stdin.resume().on('end', () => {
  for (const id of process.argv.slice(1)) try { process.kill(Number(id), 'SIGKILL') } catch {}
})`

/**
 * Sees to it that the runtime does not outlive this process, however this one ends: a SIGKILL
 * leaves no time to stop a child, which would go on serving, and hold the port. Where there is no
 * `ps`, it leaves them behind.
 */
export function endChildrenWithMe(): void {
  const dog = spawn(process.execPath, ['-e', WATCH, ...runtimes().map(String)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  dog.unref()
  if ('unref' in dog.stdin && typeof dog.stdin.unref === 'function') dog.stdin.unref()
}

/** Makes a state folder its owner's alone: it has addresses of customers. Throws for another's. */
export function makeStateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}
