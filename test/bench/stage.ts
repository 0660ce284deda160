import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { atEnd } from './endings.ts'
import type { Client } from './load.ts'
import { startBare } from './servers/bare.ts'
import { startFastify } from './servers/fastify.ts'
import { type Hub, startHub } from './servers/hub.ts'
import type { Server } from './servers/server.ts'
import { type Storage, newFolder } from './storages.ts'
import { apiTasks, comparableCreates, create, read, repeatedTasks } from './tasks/api-tasks.ts'
import { createPayment, hubTasks, notify } from './tasks/hub-tasks.ts'
import type { Task } from './tasks/task.ts'

/** Jobs that reads are spread over, and payments that notifications are. */
const MANY = 300
const NOTIFIED = 50

export type Stage = { servers: Server[]; tasks: Task[]; stop: () => Promise<void> }

type Props = {
  bundle: string
  /** PostgreSQL's programs; null where there are none. */
  postgres: string | null
  storage: Storage
  order: string
  chance: () => number
  deadline: AbortSignal
  tell: (line: string) => void
}

/** Starts the hub and its yardsticks with their state in a new folder, and gives each the jobs that it is asked for. */
export async function setStage({ bundle, postgres, storage, order, chance, deadline, tell }: Props) {
  const servers: Server[] = []
  const folder = await newFolder(storage)
  const stop = atEnd(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await folder.remove()
  })
  const folderOf = async (name: string) => {
    await mkdir(join(folder.path, name), { recursive: true })
    return join(folder.path, name)
  }
  const hub = await startHub(bundle, await folderOf('hub'), tell)
  servers.push(hub)
  const sizes = await sizesOf(hub, order, deadline)
  servers.push(await startBare(sizes, await folderOf('bare'), tell))
  if (postgres !== null) servers.push(await startFastify(postgres, await folderOf('postgres')))
  const tasks: Task[] = []
  for (const server of servers) {
    const [first, ...others] = await prepare(server, MANY, deadline, async (client) => {
      const { id } = await create(server, client, order)
      await read(server, client, id)
      return id
    })
    if (first === undefined) throw new Error('no job was prepared')
    const own = apiTasks(server, [first, ...others], order, chance)
    tasks.push(...own)
    if (server.name === 'hub') tasks.push(...repeatedTasks(own))
    if (server.name === 'bare') tasks.push(...comparableCreates(server, order))
  }
  const payments = async (outcome: 'paid' | 'open') =>
    prepare(hub, NOTIFIED, deadline, async (client) => {
      const payment = await createPayment(hub, client, order, outcome)
      await notify(client, payment.id, payment.reference)
      return payment
    })
  const jobs = { open: await payments('open'), settled: await payments('paid') }
  return { servers, tasks: [...tasks, ...hubTasks(hub, jobs, order, chance)], stop } satisfies Stage
}

async function sizesOf(hub: Hub, order: string, deadline: AbortSignal) {
  let [created, found] = ['', '']
  await prepare(hub, 1, deadline, async (client) => {
    const { id, text } = await create(hub, client, order)
    created = text
    found = await read(hub, client, id)
  })
  const tokens = await hub.runtime.miniflare.getKVNamespace('TOKENS')
  const [first] = (await tokens.list({ prefix: 'token:' })).keys
  const record = first ? await tokens.get(first.name, 'text') : null
  if (record === null) throw new Error('the hub has no token')
  return { created: created.length, read: found.length, token: hub.token, record }
}

/** Does something a number of times, untimed: it warms the server up, too. Throws the first error. */
async function prepare<Made>(
  { clients }: Server,
  times: number,
  deadline: AbortSignal,
  make: (client: Client) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = []
  const work = async (_: number, client: Client) => void made.push(await make(client))
  const { errors, firstError } = await clients.drive(times, Math.min(times, 16), work, deadline)
  if (errors > 0) throw new Error(firstError ?? 'the server could not be prepared')
  return made
}
