import { execFileSync, spawn } from 'node:child_process'

/** Ends the processes it is given once its standard input closes: that is when whoever holds the other end has died. */
const WATCH = `process.stdin.resume().on('end', () => {
  for (const id of process.argv.slice(1)) try { process.kill(Number(id), 'SIGKILL') } catch {}
})`

/**
 * Sees to it that the runtime does not outlive this process, however this one ends: a SIGKILL leaves no time to stop
 * a child, which would go on serving, and hold the port.
 */
export const endChildrenWithMe = (): void => {
  const dog = spawn(process.execPath, ['-e', WATCH, ...runtimes()], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  dog.unref()
  if ('unref' in dog.stdin && typeof dog.stdin.unref === 'function') dog.stdin.unref()
}

/** The ids of this process's runtimes; none where there is no `ps` to ask: then a SIGKILL leaves them behind. */
const runtimes = (): string[] => {
  try {
    return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, parent, command]) => parent === String(process.pid) && command?.includes('workerd'))
      .map(([id = '']) => id)
  } catch {
    return []
  }
}
