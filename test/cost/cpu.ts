import { readFile, readdir } from 'node:fs/promises'

/** The kernel counts in hundredths of a second. */
const MILLISECONDS_PER_TICK = 10

type Stat = { id: string; parent: string; command: string; ticks: number }

/** CPU milliseconds that the runtimes of this process have used so far; null where there is no /proc to ask. */
export const runtimeCpu = async (): Promise<number | null> => {
  try {
    const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const stats = (await Promise.all(ids.map(statOf))).filter((stat) => stat !== null)
    const mine = stats.filter(
      ({ parent, command }) => parent === String(process.pid) && command.includes('workerd'),
    )
    return mine.reduce((sum, { ticks }) => sum + ticks, 0) * MILLISECONDS_PER_TICK
  } catch {
    return null
  }
}

/** See proc_pid_stat(5); null for a process that has just ended. */
const statOf = async (id: string): Promise<Stat | null> => {
  try {
    const text = await readFile(`/proc/${id}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const fields = text.slice(end + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return { id, parent: fields[1] ?? '', command: text.slice(text.indexOf('(') + 1, end), ticks }
  } catch {
    return null
  }
}
