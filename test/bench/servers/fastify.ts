import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openClients } from '../load.ts'
import { childrenOf } from '../../../src/tools/local/processes.ts'
import type { Server } from './server.ts'

const SERVICE = join(import.meta.dirname, 'fastify-service.ts')
const START_DEADLINE = 30_000

/** Starts the service of `fastify-service.ts` with PostgreSQL's programs, its data in `folder`. */
export async function startFastify(programs: string, folder: string): Promise<Server> {
  const child = fork(SERVICE, [programs, folder], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'exit')
  const [started] = (await Promise.race([
    once(child, 'message', { signal: AbortSignal.timeout(START_DEADLINE) }),
    ended.then(() => Promise.reject(new Error(`the Fastify service did not start: ${output}`))),
  ])) as [{ url: string; token: string; postgres: number }]
  const clients = openClients(started.url)
  return {
    name: 'fastify',
    url: started.url,
    token: started.token,
    clients,
    pids: () => [child.pid ?? 0, started.postgres, ...childrenOf(started.postgres).map(({ pid }) => pid)],
    stop: async () => {
      await clients.close()
      child.disconnect()
      await ended
    },
  }
}
