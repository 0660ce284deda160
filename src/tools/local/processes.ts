import { execFileSync } from 'node:child_process'

/** The processes that `parent` started, with their commands; none where there is no `ps` to ask. */
export function childrenOf(parent: number): { pid: number; command: string }[] {
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
