import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { hmacSha512 } from '../support/shops/hmac.ts'
import { type Pos, askWith, createJob, makePos, payAs, send, tokenFor } from '../support/hub/hub.ts'
import { objectOf, playObject, recordAnswer, watchersOf } from '../support/jobs/job.ts'
import { quickPauses } from '../support/time/quick-pauses.ts'
import { receiver } from '../support/shops/receiver.ts'

let pos: Pos
let token: string
let id: string
let payUrl: string
beforeEach(async () => {
  receiver()
  pos = await makePos()
  token = await tokenFor(pos)
  ;({ paymentJob: id, payUrl } = await createJob(token))
})

function ask(headers: Record<string, string> = {}, init: RequestInit = {}) {
  return send(`/v2/paymentjobs/${id}`, { ...init, headers: { authorization: `Bearer ${token}`, ...headers } })
}
function wait(seconds: number, headers: Record<string, string> = {}) {
  return ask({ prefer: `wait=${seconds}`, ...headers })
}
function watchers() {
  return watchersOf(id)
}
function bring(status: 'PENDING' | 'SUCCESS', totals: object = {}) {
  const paid = status === 'SUCCESS' ? 1250 : 0
  return recordAnswer(id, { is: 'observed', status, paid, expiresAt: null, ...totals }, 'return')
}
async function etagOf(response: Response): Promise<string> {
  await response.text()
  return response.headers.get('etag') ?? ''
}
/** Starts a waiting request, and then changes the job. */
async function changeWhile(waiting: Promise<Response>, change: () => Promise<unknown>): Promise<Response> {
  await vi.waitFor(async () => expect(await watchers()).toBe(1))
  await change()
  return waiting
}

describe('a read with Prefer: wait', () => {
  it('is answered when the job changes, as a plain read would be, and signed', async () => {
    const response = await changeWhile(wait(30), () => payAs(payUrl, 'paid'))
    const body = await response.text()
    expect(JSON.parse(body)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
    expect(response.headers.get('preference-applied')).toBe('wait=30')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('x-signature')).toBe(await hmacSha512(pos.signingSecret, body))
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('is answered with the present job when nothing changes in that time', async () => {
    const pauses = quickPauses()
    const response = await wait(20)
    expect(pauses).toContain(20_000)
    expect([response.status, response.headers.get('preference-applied')]).toEqual([200, 'wait=20'])
    expect(await response.text()).toBe(await (await ask()).text())
  })

  it('is answered at once when the job has its final status', async () => {
    await bring('SUCCESS')
    expect(await (await wait(60)).json()).toMatchObject({ status: 'SUCCESS' })
  })

  it('waits at most a minute', async () => {
    await bring('SUCCESS')
    expect((await wait(3600)).headers.get('preference-applied')).toBe('wait=55')
  })

  it.each(['wait=ten', 'respond-async', 'wait=0'])(
    'does not wait if the wait is invalid: %s',
    async (prefer) => {
      const response = await ask({ prefer })
      expect([response.status, response.headers.get('preference-applied')]).toEqual([200, null])
    },
  )

  it('leaves no watcher, whether it was answered early or late', async () => {
    await changeWhile(wait(30), () => bring('SUCCESS'))
    await vi.waitFor(async () => expect(await watchers()).toBe(0))
    // At once, because the job has its final status.
    await wait(60)
    await vi.waitFor(async () => expect(await watchers()).toBe(0))
    quickPauses()
    await wait(20, { 'if-none-match': '*' })
    await vi.waitFor(async () => expect(await watchers()).toBe(0))
  })

  it('does not wait with a HEAD', async () => {
    const response = await ask({ prefer: 'wait=60' }, { method: 'HEAD' })
    expect([response.status, response.headers.get('preference-applied')]).toEqual([200, null])
  })

  it.each([
    ['an unknown job', async () => [token, crypto.randomUUID()]],
    ['a text that is not an id', async () => [token, 'frob']],
    ["another point of sale's job", async () => [await tokenFor(await makePos()), id]],
  ])('is 404 at once for %s', async (_, asked) => {
    const [bearer = '', which] = await asked()
    const path = `/v2/paymentjobs/${which}`
    const response = await askWith(bearer, 'GET', path, undefined, { prefer: 'wait=60' })
    expect(response.status).toBe(404)
    expect(response.headers.has('x-signature')).toBe(true)
  })

  it('is 401 without a token', async () => {
    const response = await send(`/v2/paymentjobs/${id}`, { headers: { prefer: 'wait=60' } })
    expect(response.status).toBe(401)
  })

  /** Replaces the job's object for requests for a socket. */
  const fetchAs = (fetch: () => Promise<Response>) => playObject(id, () => ({ fetch }))
  const noSocket = async (): Promise<Response> => new Response(null, { status: 500 })

  // job/live/watchers.test.ts tests that number.
  it('is refused if the job has too many watchers, but a plain read is not', async () => {
    fetchAs(async () => new Response(null, { status: 429 }))
    for (const refused of [await wait(60), await ask({ accept: 'text/event-stream' })]) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
      expect(await refused.json()).toMatchObject({ code: 'too-many-watchers', status: 429 })
    }
    expect((await ask()).status).toBe(200)
  })

  it('is answered in time even if the object hangs', async () => {
    fetchAs(() => new Promise(() => {}))
    quickPauses()
    const response = await wait(20)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    expect(response.headers.has('x-signature')).toBe(true)
    expect(await response.json()).toMatchObject({ code: 'unavailable' })
  })

  it('is answered like a read if the watch is cut off for good', async () => {
    const waiting = wait(60)
    await vi.waitFor(async () => expect(await watchers()).toBe(1))
    const object = objectOf(id)
    // The job can no longer be watched. It changes without a message to watchers.
    fetchAs(noSocket)
    await runInDurableObject(object, (_, ctx) => ctx.getWebSockets().forEach((socket) => socket.close(1012)))
    await bring('SUCCESS')
    expect(await (await waiting).json()).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
  })

  it('is answered with the present job if its object cannot be watched', async () => {
    fetchAs(noSocket)
    const response = await wait(60)
    expect([response.status, response.headers.get('preference-applied')]).toEqual([200, null])
    expect(await response.json()).toMatchObject({ status: 'PENDING' })
  })
})

describe('a read with If-None-Match', () => {
  it('has a strong ETag, which stays the same as long as the job does', async () => {
    const etag = await etagOf(await ask())
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    expect(await etagOf(await ask())).toBe(etag)
    expect(await etagOf(await changeWhile(wait(30), () => bring('PENDING')))).not.toBe(etag)
  })

  it('is 304 without a body while nothing has changed, with the signature of the body that the client has', async () => {
    const first = await ask()
    const body = await first.text()
    const etag = first.headers.get('etag') ?? ''
    const again = await ask({ 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(again.headers.get('etag')).toBe(etag)
    expect(again.headers.get('x-signature')).toBe(await hmacSha512(pos.signingSecret, body))
    expect(again.headers.has('content-type')).toBe(false)
  })

  it('is 200 once something has changed', async () => {
    const etag = await etagOf(await ask())
    await bring('SUCCESS')
    const response = await ask({ 'if-none-match': etag })
    expect(await response.json()).toMatchObject({ status: 'SUCCESS' })
    expect(response.headers.get('etag')).not.toBe(etag)
  })

  it('and wait: a change between the read and the wait is not missed', async () => {
    const etag = await etagOf(await ask())
    await bring('PENDING')
    const response = await wait(60, { 'if-none-match': etag })
    expect(await response.json()).toMatchObject({ payments: { steps: [{}, { action: 'Return' }] } })
  })

  it('and wait: also waits for a job with its final status, for money that goes back', async () => {
    await bring('SUCCESS')
    const etag = await etagOf(await ask())
    const refund = () => bring('SUCCESS', { refunded: 500 })
    const response = await changeWhile(wait(30, { 'if-none-match': etag }), refund)
    expect(await response.json()).toMatchObject({ status: 'SUCCESS', amountRefunded: '5.00' })
  })

  it('and wait: is 304 when nothing has changed in that time', async () => {
    await bring('SUCCESS')
    const etag = await etagOf(await ask())
    const pauses = quickPauses()
    const response = await wait(20, { 'if-none-match': etag })
    expect(pauses).toContain(20_000)
    expect([response.status, response.headers.get('preference-applied')]).toEqual([304, 'wait=20'])
  })
})
