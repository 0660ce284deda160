import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { PROJECT } from '../../src/programs/wrangler.ts'

/** A running process of `npx hub …`, with its output so far, line by line. */
export function startHubProgram(words: readonly string[], env: Record<string, string>) {
  const { HUB_API_KEY: _, ...own } = process.env
  const child: ChildProcess = spawn(process.execPath, ['src/cli/hub.ts', ...words], {
    cwd: PROJECT,
    env: { ...own, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return {
    out: () => out.split('\n').slice(0, -1),
    err: () => err,
    ended,
    /** Ends only this process. Does nothing if it has already ended. */
    stop: async (signal: NodeJS.Signals = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}
