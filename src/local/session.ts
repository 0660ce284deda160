import { spawn } from 'node:child_process'
import { once } from 'node:events'

const OWN_SESSION = 'HUB_OWN_SESSION'

/** Returns true if Ctrl-C in the terminal would also reach the programs that this one starts. */
export function isInTerminal(): boolean {
  return process.stdout.isTTY && process.platform !== 'win32' && process.env[OWN_SESSION] === undefined
}

/**
 * Runs this program again in a session of its own, and returns its exit code. There, Ctrl-C does not end
 * the runtime, which still has to write.
 */
export async function inOwnSession(): Promise<number> {
  const child = spawn(process.execPath, process.argv.slice(1), {
    detached: true,
    stdio: 'inherit',
    env: { ...process.env, [OWN_SESSION]: 'yes' },
  })
  const ended = once(child, 'exit')
  onSignal(() => child.kill())
  const [code] = await ended
  return typeof code === 'number' ? code : 1
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** How often (ms) a program checks whether its parent is gone. */
const CHECK_EVERY = 500

/**
 * Calls `end` for each signal that asks this program to end, and once when its parent is gone: the shell
 * of `npm run` passes no signal on.
 */
export function onSignal(end: () => void): void {
  const listen = (signal: NodeJS.Signals): void => {
    process.removeAllListeners(signal)
    process.on(signal, end)
  }
  for (const signal of SIGNALS) listen(signal)
  // Miniflare adds listeners that end the process at once.
  process.on('newListener', (name, listener) => {
    const signal = SIGNALS.find((one) => one === name)
    if (signal && listener !== end) queueMicrotask(() => listen(signal))
  })
  // Others may leave it running, as `nohup` does.
  if (!(OWN_SESSION in process.env || 'npm_lifecycle_event' in process.env)) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, CHECK_EVERY).unref()
}
