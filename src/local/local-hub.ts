import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeSecrets, readSecrets } from '../programs/secrets.ts'
import { freePort, isFree } from '../programs/free-port.ts'
import type { LocalHub } from './serve-built.ts'

const DEV = fileURLToPath(new URL('dev.ts', import.meta.url))

const START_DEADLINE = 60_000

/** A hub that runs in its own process, `pid`, and its log. */
type RunningHub = {
  url: string
  pid: number | undefined
  output: () => string
  stop: () => Promise<void>
}

/**
 * Starts a hub with its output captured, and waits until it answers. Throws that output if it does not.
 * `program` is the file that serves it, with its first words; tests have one that is already built.
 */
export async function startHub(
  { port, stateDir, secretsFile }: LocalHub,
  program: readonly [file: string, ...words: string[]] = [DEV],
): Promise<RunningHub> {
  const args = [`--port=${port}`, `--state=${stateDir}`, `--secrets=${secretsFile}`]
  const child = spawn(process.execPath, [...program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A hub of a program needs no documents.
    env: { ...process.env, DOCS: 'none' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const stop = async () => {
    if (hasEnded()) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  const url = `http://localhost:${port}`
  const deadline = Date.now() + START_DEADLINE
  for (;;) {
    const why = await whyNoHub(url)
    if (why === null) break
    const isOver = hasEnded()
    if (isOver || Date.now() > deadline) {
      await stop()
      const what = isOver ? 'the hub did not start' : `no hub was reached at ${url} (${why}). Its log`
      throw new Error(`${what}:\n${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { url, pid: child.pid, output: () => output, stop }
}

const TRIES = 3

/**
 * Starts a hub on a free port. Tries another port when a program takes it before the hub does.
 * `portOf` returns the ports to try.
 */
export async function startHubAnywhere(
  place: Omit<LocalHub, 'port'>,
  program?: Parameters<typeof startHub>[1],
  portOf = freePort,
): Promise<RunningHub & { port: number }> {
  for (let tries = 1; ; tries++) {
    const port = await portOf()
    try {
      return { ...(await startHub({ ...place, port }, program)), port }
    } catch (error) {
      if (tries === TRIES || (await isFree(port))) throw error
    }
  }
}

/** Returns null if a hub answers, because only a hub repeats the request's id; else what came instead. */
async function whyNoHub(url: string): Promise<string | null> {
  const id = crypto.randomUUID()
  try {
    const { status, headers } = await fetch(`${url}/v1/guardian`, {
      headers: { 'x-request-id': id },
      signal: AbortSignal.timeout(2000),
    })
    return status === 401 && headers.get('x-request-id') === id ? null : `status ${status} of another program`
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return String(cause instanceof AggregateError ? cause.errors[0] : cause)
  }
}

/** Starts a fresh hub on a free port. Stopping it removes its state and its secrets. */
export async function startThrowawayHub() {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const secretsFile = join(folder, 'secrets')
    makeSecrets(secretsFile)
    const hub = await startHubAnywhere({ stateDir: join(folder, 'state'), secretsFile })
    const stop = async () => {
      await hub.stop()
      await remove()
    }
    return { url: hub.url, secrets: readSecrets(secretsFile), stop }
  } catch (error) {
    await remove()
    throw error
  }
}
