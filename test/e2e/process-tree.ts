import { readFile, readdir } from 'node:fs/promises'

type Process = { pid: number; parent: number }

/** A process and all its living descendants. */
async function treeOf(root: number | undefined): Promise<number[]> {
  const alive = await describeAll()
  const tree = new Set(alive.filter(({ pid }) => pid === root).map(({ pid }) => pid))
  for (let size = -1; size !== tree.size;) {
    size = tree.size
    for (const { pid, parent } of alive) if (tree.has(parent)) tree.add(pid)
  }
  return [...tree]
}

/** Kills a process and all its descendants at once, like a power cut. */
export async function killTree(root: number | undefined): Promise<void> {
  const pids = await treeOf(root)
  if (pids.length < 2) throw new Error(`expected the hub and its runtime, found ${pids.length} processes`)
  for (const pid of pids) endNow(pid)
  while ((await describeAll()).some(({ pid }) => pids.includes(pid)))
    await new Promise((resolve) => setTimeout(resolve, 20))
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

async function describeAll(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return (await Promise.all(pids.map(describe))).filter((found) => found !== null)
}

async function describe(pid: string): Promise<Process | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain spaces. The state and the parent follow it.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? null : { pid: Number(pid), parent: Number(parent) }
  } catch {
    return null
  }
}
