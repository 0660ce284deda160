import { DurableObject } from 'cloudflare:workers'

/** One value in an object of its own: the least that a Worker with one object for each job does. */
export class Stored extends DurableObject {
  write(value) {
    this.ctx.storage.kv.put('value', value)
    return value
  }

  read() {
    return this.ctx.storage.kv.get('value') ?? null
  }
}

export class Announced extends Stored {}

/**
 * `POST /v2/paymentjobs`: a KV read and an object write; with `/announced` behind it a second object write, of what the
 * sandbox stores of a payment. `GET /v2/paymentjobs/{id}`: a KV read and an object read. Sizes are the hub's.
 */
export default {
  async fetch(request, env) {
    const [, , resource, last] = new URL(request.url).pathname.split('/')
    if (resource !== 'paymentjobs') return new Response(null, { status: 404 })
    const name = (request.headers.get('authorization') ?? '').slice('Bearer '.length)
    if ((await env.TOKENS.get(name, { cacheTtl: 30 })) === null) return new Response(null, { status: 401 })
    if (request.method === 'GET') {
      const value = await env.STORED.getByName(last).read()
      return new Response(value?.slice(0, Number(env.READ_SIZE)), { status: value === null ? 404 : 200 })
    }
    const id = crypto.randomUUID()
    const body = id + (await request.text())
    if (last === 'announced') {
      await env.ANNOUNCED.getByName(id).write(body.padEnd(Number(env.PAYMENT_SIZE), '.'))
    }
    const value = await env.STORED.getByName(id).write(body.padEnd(Number(env.JOB_SIZE), '.'))
    return new Response(value.slice(0, Number(env.CREATED_SIZE)), { status: 201 })
  },
}
