import { DurableObject } from 'cloudflare:workers'

/** The alarms of the hub ring when nobody looks any more, too. */
const LATER = 60 * 60_000

/** One value in an object of its own: the least that a Worker with one object for each job does. */
export class Stored extends DurableObject {
  write(value) {
    this.ctx.storage.kv.put('value', value)
    return value
  }

  /** With the alarm that comes back to what was not done, and, where it is the job's, the row for an index. */
  writeAlike(value, row) {
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

export class Announced extends Stored {}

/** Creates as little as can be, with `announced` as the last part of the path a second object, with `alike` all else. */
const create = async (env, last, text) => {
  const id = crypto.randomUUID()
  const job = (id + text).padEnd(Number(env.JOB_SIZE), '.')
  const payment = job.slice(0, Number(env.PAYMENT_SIZE))
  const stored = env.STORED.getByName(id)
  if (last === 'alike') {
    if (!(await env.LIMIT.limit({ key: 'all' })).success) return new Response(null, { status: 429 })
    await env.ANNOUNCED.getByName(id).writeAlike(payment, null)
    await stored.writeAlike(job, job.slice(0, Number(env.ROW_SIZE)))
  } else {
    if (last === 'announced') await env.ANNOUNCED.getByName(id).write(payment)
    await stored.write(job)
  }
  return new Response(job.slice(0, Number(env.CREATED_SIZE)), { status: 201 })
}

/** Takes the requests of the hub's API, after a KV read as the hub's. Sizes are the hub's, too. */
export default {
  async fetch(request, env) {
    const [, , resource, last] = new URL(request.url).pathname.split('/')
    if (resource !== 'paymentjobs') return new Response(null, { status: 404 })
    const name = (request.headers.get('authorization') ?? '').slice('Bearer '.length)
    if ((await env.TOKENS.get(name, { cacheTtl: 30 })) === null) return new Response(null, { status: 401 })
    if (request.method === 'POST') return create(env, last, await request.text())
    const value = await env.STORED.getByName(last).read()
    return new Response(value?.slice(0, Number(env.READ_SIZE)), { status: value === null ? 404 : 200 })
  },

  async queue({ messages }, { DB }) {
    const insert = DB.prepare('insert into rows (id, value) values (?, ?)')
    await DB.batch(messages.map(({ id, body }) => insert.bind(id, body)))
  },
}
