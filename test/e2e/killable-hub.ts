import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/cli/local/free-port.ts'
import { startHub } from '../../src/cli/local/local-hub.ts'
import { makeSecrets, readSecrets } from '../../src/cli/secrets.ts'

/** A local hub whose processes can be killed, to be started again on the state that they left behind. */
export const openKillableHub = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-kill-'))
  const secretsFile = join(folder, 'secrets')
  makeSecrets(secretsFile)
  const port = await freePort()
  const start = () => startHub({ port, stateDir: join(folder, 'state'), secretsFile })
  let hub = await start()
  return {
    url: hub.url,
    operatorToken: readSecrets(secretsFile)['OPERATOR_TOKEN'],
    /** Ends Node and workerd at once, as a power cut does: nothing gets to finish what it does. */
    kill: async () => {
      const pids = await treeOf(hub.pid)
      if (pids.length < 2) throw new Error(`expected the hub and its runtime, found ${pids.length} processes`)
      for (const pid of pids) endNow(pid)
      while ((await describeAll()).some(({ pid }) => pids.includes(pid))) await wait(20)
    },
    restart: async () => {
      hub = await start()
    },
    close: async () => {
      await hub.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const endNow = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

type Process = { pid: number; parent: number }

/** A process, and all that descend from it. */
const treeOf = async (root: number | undefined): Promise<number[]> => {
  const alive = await describeAll()
  const tree = new Set(alive.filter(({ pid }) => pid === root).map(({ pid }) => pid))
  for (let size = -1; size !== tree.size;) {
    size = tree.size
    for (const { pid, parent } of alive) if (tree.has(parent)) tree.add(pid)
  }
  return [...tree]
}

const describeAll = async (): Promise<Process[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return (await Promise.all(pids.map(describe))).filter((found) => found !== null)
}

const describe = async (pid: string): Promise<Process | null> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may have spaces; behind it come the state and the parent.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? null : { pid: Number(pid), parent: Number(parent) }
  } catch {
    return null
  }
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
