import { readFileSync, writeFileSync } from 'node:fs'

/** Clock ticks a second, in which /proc counts CPU time: 100 on every Linux that Node runs on. */
const TICKS = 100

/** CPU seconds that processes have taken so far, in user and kernel mode; null where there is no /proc. */
export function cpuSeconds(pids: readonly number[]): number | null {
  return sum(pids, (pid) => {
    // proc_pid_stat(5): the command's name is in brackets and may have spaces; utime and stime are fields 14 and 15.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  })
}

/** The most memory (bytes) that processes had at once since the last `forgetPeak`; pages they share count for each. */
export function peakMemory(pids: readonly number[]): number | null {
  return sum(pids, (pid) => {
    const [, kibibytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kibibytes) * 1024
  })
}

/** Lets the peaks begin anew, where the kernel lets us (proc_pid_clear_refs(5)). */
export function forgetPeak(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
    } catch {
      // Then the peak is that since the start.
    }
  }
}

function sum(pids: readonly number[], read: (pid: number) => number): number | null {
  try {
    return pids.reduce((total, pid) => total + read(pid), 0)
  } catch {
    return null
  }
}
