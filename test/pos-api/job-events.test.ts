import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { COMMENT_EVERY } from '../../src/platform/http/event-stream.ts'
import { type Events, type SeenEvent, readEvents } from '../support/shops/events.ts'
import { type JobJson, type Pos, createJob, makePos, readJob, send, tokenFor } from '../support/hub/hub.ts'
import { objectOf, playObject, recordAnswer, watchersOf } from '../support/jobs/job.ts'
import { operate } from '../support/hub/operator.ts'
import { receiver } from '../support/shops/receiver.ts'

let pos: Pos
let token: string
let id: string
let open: Events[]
beforeEach(async () => {
  receiver()
  pos = await makePos()
  token = await tokenFor(pos)
  id = (await createJob(token)).paymentJob
  open = []
})
afterEach(async () => {
  await Promise.all(open.map((events) => events.cancel().catch(() => undefined)))
})

function ask(headers: Record<string, string> = {}, bearer = token) {
  return send(`/v2/paymentjobs/${id}`, {
    headers: { authorization: `Bearer ${bearer}`, accept: 'text/event-stream', ...headers },
  })
}
async function watch(headers: Record<string, string> = {}, bearer = token): Promise<Events> {
  const events = readEvents(await ask(headers, bearer))
  open.push(events)
  return events
}
/** The events up to the next `paymentjob`, which ends a change. */
async function nextChange(events: Events): Promise<{ steps: SeenEvent[]; job: JobJson }> {
  const steps: SeenEvent[] = []
  for (;;) {
    const event = await events.next()
    if (!event) throw new Error('the stream has ended')
    if (event.event === 'paymentjob') return { steps, job: JSON.parse(event.data) as JobJson }
    expect(event.event).toBe('step')
    steps.push(event)
  }
}
function actionsOf(steps: SeenEvent[]) {
  return steps.map(({ data }) => (JSON.parse(data) as { action: string }).action)
}
function watchers() {
  return watchersOf(id)
}
function bring(status: 'PENDING' | 'SUCCESS', totals: object = {}) {
  const paid = status === 'SUCCESS' ? 1250 : 0
  return recordAnswer(id, { is: 'observed', status, paid, expiresAt: null, ...totals }, 'return')
}

describe('the events of a job', () => {
  it('are its steps as the trace shows them, and after each change the whole job', async () => {
    const events = await watch()
    const first = await nextChange(events)
    expect(actionsOf(first.steps)).toEqual(['Start'])
    expect(first.job).toEqual(await readJob(token, id))
    await bring('PENDING')
    expect(actionsOf((await nextChange(events)).steps)).toEqual(['Return'])
    await bring('SUCCESS')
    const paid = await nextChange(events)
    expect(paid.job).toEqual(await readJob(token, id))
    expect(JSON.parse(paid.steps[0]?.data ?? '')).toEqual(paid.job.payments.steps.at(-1))
  })

  it('go on after the payment: a refund and a charge-back', async () => {
    await bring('SUCCESS')
    const events = await watch()
    await nextChange(events)
    await bring('SUCCESS', { refunded: 500 })
    const refund = await nextChange(events)
    expect(actionsOf(refund.steps)).toEqual(['Refund'])
    expect(refund.job).toMatchObject({ status: 'SUCCESS', amountRefunded: '5.00' })
    await bring('SUCCESS', { refunded: 500, chargedBack: 100 })
    expect(actionsOf((await nextChange(events)).steps)).toEqual(['Chargeback'])
  })

  it('have nothing about a refund that was only requested: the job looks the same', async () => {
    await bring('SUCCESS')
    const events = await watch()
    await nextChange(events)
    const wanted = { id: crypto.randomUUID(), fingerprint: 'f', call: 'c', amount: 500, description: 'd' }
    await objectOf(id).refund(wanted, 'request')
    await bring('SUCCESS', { refunded: 500 })
    expect(actionsOf((await nextChange(events)).steps)).toEqual(['Refund'])
  })
})

describe('a client that comes back', () => {
  it('continues after the last step that it has seen', async () => {
    const first = await watch()
    const { steps } = await nextChange(first)
    await first.cancel()
    await bring('PENDING')
    await bring('SUCCESS')
    const again = await nextChange(await watch({ 'last-event-id': steps[0]?.id ?? '' }))
    expect(actionsOf(again.steps)).toEqual(['Return', 'Return'])
    expect(again.job.status).toBe('SUCCESS')
  })

  it('gets only the job if it has no new step', async () => {
    const { steps } = await nextChange(await watch())
    const again = await nextChange(await watch({ 'last-event-id': steps[0]?.id ?? '' }))
    expect([again.steps, again.job.status]).toEqual([[], 'PENDING'])
  })

  it.each(['', 'frob', '-1', '1e9', '12345678901234567890'])(
    'gets all steps after an invalid id: %j',
    async (last) => {
      expect((await nextChange(await watch({ 'last-event-id': last }))).steps).toHaveLength(1)
    },
  )
})

describe('a stream', () => {
  it('has its media type, and no signature, because it has no end', async () => {
    const response = await ask()
    open.push(readEvents(response))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(response.headers.has('x-signature')).toBe(false)
  })

  it('can also be read with an API key instead of a token', async () => {
    expect((await nextChange(await watch({}, pos.apiKey))).job.paymentJob).toBe(id)
  })

  it('is JSON for a client that also takes JSON', async () => {
    const response = await ask({ accept: 'text/event-stream, application/json' })
    expect(await response.json()).toMatchObject({ paymentJob: id })
  })

  it('is 401 without a token, and 404 for an unknown job and for another point of sale', async () => {
    expect((await ask({ authorization: '' })).status).toBe(401)
    expect((await ask({}, await tokenFor(await makePos()))).status).toBe(404)
    id = crypto.randomUUID()
    expect((await ask()).status).toBe(404)
  })

  it('leaves no watcher when the client goes', async () => {
    const events = await watch()
    await nextChange(events)
    expect(await watchers()).toBe(1)
    await events.cancel()
    await vi.waitFor(async () => expect(await watchers()).toBe(0))
  })

  it('of an object that cannot be watched ends after the present job', async () => {
    const fetch = () => Promise.resolve(new Response(null, { status: 500 }))
    playObject(id, () => ({ fetch }))
    const events = await watch()
    expect((await nextChange(events)).job.status).toBe('PENDING')
    expect(await events.next()).toBeNull()
    expect(events.others).toEqual(['retry: 2000', 'retry: 10000'])
  })
})

describe('a stream of a client that has lost its access', () => {
  beforeEach(() => {
    const { setTimeout: later } = globalThis
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
      run: () => void,
      ms: number,
      ...rest: unknown[]
    ) => later(run, ms === COMMENT_EVERY ? 5 : ms, ...rest)) as typeof setTimeout)
  })
  const passTime = (ms: number) => vi.setSystemTime(Date.now() + ms)

  it.each([
    ['a key of its shop is revoked', 'keys/revoke'],
    ['its shop is disabled', 'disable'],
  ])('ends with the next comment, once %s', async (_, change) => {
    await operate('POST', `/pos/${pos.id}/keys`, {})
    const events = await watch()
    await nextChange(events)
    await operate('POST', `/pos/${pos.id}/${change}`, {})
    expect(await events.next()).toBeNull()
    vi.useRealTimers()
    await vi.waitFor(async () => expect(await watchers()).toBe(0))
  })

  it('shows a disabled shop no payment, not even at the start', async () => {
    const events = await watch()
    await nextChange(events)
    await operate('POST', `/pos/${pos.id}/disable`, {})
    await bring('SUCCESS')
    expect(await events.next()).toBeNull()
  })

  it('goes on while the keys are valid, and while KV does not answer', async () => {
    const events = await watch()
    await nextChange(events)
    const { get } = env.TOKENS
    let failed = 0
    vi.spyOn(env.TOKENS, 'get').mockImplementation((async (name: string, ...rest: unknown[]) => {
      if (!name.includes(pos.id)) return Reflect.apply(get, env.TOKENS, [name, ...rest]) as Promise<unknown>
      failed++
      throw new Error('KV GET failed: 500 Internal Server Error')
    }) as typeof env.TOKENS.get)
    passTime(60_000)
    const next = nextChange(events)
    await vi.waitFor(() => expect(failed).toBeGreaterThan(0))
    await bring('SUCCESS')
    expect((await next).job.status).toBe('SUCCESS')
  })
})
