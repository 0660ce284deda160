import type { Client } from '../load.ts'
import { pick } from '../random.ts'
import type { Server } from '../servers/server.ts'
import type { Task } from './task.ts'

/** A hundred rows for the index leave their queue at once: none is left for the round of another. */
const CREATES = { 1: 100, 16: 100, 64: 100 }
/** Some fifth of a second: more rounds tell more than longer ones. */
const READS = { 1: 200, 16: 600, 64: 600 }
const PATH = '/v2/paymentjobs'
const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/

/** The names of what the hub is measured at a second time: `npm run bench` holds each figure against its twin. */
export const AGAIN = { create: 'create + again', read: 'read, one job + again' } as const

/** Creates a job, at the bare Worker with `last` behind the path. Its id: the first one in each server's answer. */
export async function create(
  { token }: Pick<Server, 'token'>,
  client: Client,
  body: string,
  last = '',
): Promise<{ id: string; text: string }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const { text } = await client({ method: 'POST', path: PATH + last, headers, body }, 201)
  const [id] = ID.exec(text) ?? []
  if (id === undefined || text.includes('"status":"FAILURE"')) {
    throw new Error(`no job was created: ${text.slice(0, 300)}`)
  }
  return { id, text }
}

/** Reads a job. */
export async function read({ token }: Pick<Server, 'token'>, client: Client, id: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const { text } = await client({ method: 'GET', path: `${PATH}/${id}`, headers }, 200)
  if (!text.includes(id)) throw new Error(`not job ${id}: ${text.slice(0, 300)}`)
  return text
}

/** Creating and reading, which every server can. `ids` are of jobs that are there. */
export function apiTasks(
  server: Server,
  ids: readonly [string, ...string[]],
  body: string,
  chance: () => number,
): Task[] {
  return [
    {
      what: 'create',
      server,
      turns: CREATES,
      work: async (_, client) => void (await create(server, client, body)),
    },
    {
      what: 'read, one job',
      server,
      turns: READS,
      work: async (_, client) => void (await read(server, client, ids[0])),
    },
    {
      what: 'read, many jobs',
      server,
      turns: READS,
      work: async (_, client) => void (await read(server, client, pick(ids, chance))),
    },
  ]
}

/** The same once more, at the same server. */
export function repeatedTasks(tasks: readonly Task[]): Task[] {
  return tasks.flatMap((task) =>
    task.what === 'create'
      ? { ...task, what: AGAIN.create }
      : task.what === 'read, one job'
        ? { ...task, what: AGAIN.read }
        : [],
  )
}

/**
 * What a create in test mode is fairly compared with, at the bare Worker. The hub announces the payment at the sandbox,
 * which is part of the same Worker and stores the payment in an object of its own; in live mode that write is the PSP's,
 * and somewhere else. So beside the bare create, against which the sandbox's work counts as the hub's, there is one with
 * this second write. And one with every operation that the hub asks of the platform besides: a rate limit, two alarms, a
 * queue message, and its row in D1. All of these are simulated here, and cost other than in production; what is left
 * against the last one is the hub's own code.
 */
export function comparableCreates(server: Server, body: string): Task[] {
  return [
    { what: 'create + announcement', last: '/announced' },
    { what: 'create + all operations', last: '/alike' },
  ].map(({ what, last }) => ({
    what,
    server,
    turns: CREATES,
    work: async (_, client) => void (await create(server, client, body, last)),
  }))
}
