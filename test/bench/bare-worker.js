import { DurableObject } from 'cloudflare:workers'

/** Nobody looks any more when the alarms ring, as with the hub's. */
const LATER = 60 * 60_000

/** One value in an object of its own, with an alarm that would come back to what was not done, and the row for an index. */
export class Stored extends DurableObject {
  write(value, row) {
    this.ctx.storage.kv.put('value', value)
    void this.ctx.storage.setAlarm(Date.now() + LATER)
    if (row !== null) this.ctx.waitUntil(this.env.ROWS.send(row))
    return value
  }

  read() {
    return this.ctx.storage.kv.get('value') ?? null
  }

  alarm() {}
}

/** The sandbox's payment: it is part of the hub in test mode. */
export class Announced extends Stored {}

async function create(env, text) {
  if (!(await env.LIMIT.limit({ key: 'all' })).success) return new Response(null, { status: 429 })
  const id = crypto.randomUUID()
  const job = (id + text).padEnd(Number(env.JOB_SIZE), '.')
  await env.ANNOUNCED.getByName(id).write(job.slice(0, Number(env.PAYMENT_SIZE)), null)
  await env.STORED.getByName(id).write(job, job.slice(0, Number(env.ROW_SIZE)))
  return new Response(job.slice(0, Number(env.CREATED_SIZE)), { status: 201 })
}

/** Takes the hub's requests, and asks the platform what the hub asks it: the same operations, of the same sizes, and nothing else. */
export default {
  async fetch(request, env) {
    const [, , resource, last] = new URL(request.url).pathname.split('/')
    if (resource !== 'paymentjobs') return new Response(null, { status: 404 })
    const name = (request.headers.get('authorization') ?? '').slice('Bearer '.length)
    if ((await env.TOKENS.get(name, { cacheTtl: 30 })) === null) return new Response(null, { status: 401 })
    if (request.method === 'POST') return create(env, await request.text())
    const value = await env.STORED.getByName(last).read()
    return new Response(value?.slice(0, Number(env.READ_SIZE)), { status: value === null ? 404 : 200 })
  },

  async queue({ messages }, { DB }) {
    const insert = DB.prepare('insert into rows (id, value) values (?, ?)')
    await DB.batch(messages.map(({ id, body }) => insert.bind(id, body)))
  },
}
