import { execFileSync, spawn } from 'node:child_process'

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

/** The runtimes that this process has started. */
export function runtimes(): number[] {
  return childrenOf(process.pid)
    .filter(({ command }) => command.includes('workerd'))
    .map(({ pid }) => pid)
}

/** Ends the processes it is given once its standard input closes: that is when whoever holds the other end has died. */
const WATCH = `process.stdin.resume().on('end', () => {
  for (const id of process.argv.slice(1)) try { process.kill(Number(id), 'SIGKILL') } catch {}
})`

/**
 * Sees to it that the runtime does not outlive this process, however this one ends: a SIGKILL leaves no time to stop
 * a child, which would go on serving, and hold the port. Where there is no `ps`, it leaves them behind.
 */
export function endChildrenWithMe(): void {
  const dog = spawn(process.execPath, ['-e', WATCH, ...runtimes().map(String)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  dog.unref()
  if ('unref' in dog.stdin && typeof dog.stdin.unref === 'function') dog.stdin.unref()
}
