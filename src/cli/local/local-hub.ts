import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { LocalHub } from './serve-built.ts'

const DEV = fileURLToPath(new URL('dev.ts', import.meta.url))

const START_DEADLINE = 60_000

/** A hub that runs in a process of its own, `pid`. */
type RunningHub = { url: string; pid: number | undefined; stop: () => Promise<void> }

/**
 * Starts a hub with its output captured, and waits until it answers. Throws with that output when it does not. `program` is
 * the file, with its first words, that serves it: tests have one that need not build it.
 */
export const startHub = async (
  { port, stateDir, secretsFile }: LocalHub,
  program: readonly [file: string, ...words: string[]] = [DEV],
): Promise<RunningHub> => {
  const args = [`--port=${port}`, `--state=${stateDir}`, `--secrets=${secretsFile}`]
  const child = spawn(process.execPath, [...program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
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
  while (!(await answers(url))) {
    if (hasEnded() || Date.now() > deadline) {
      await stop()
      throw new Error(`the hub did not start:\n${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { url, pid: child.pid, stop }
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/v1/guardian`, { signal: AbortSignal.timeout(2000) })).status === 401
  } catch {
    return false
  }
}
