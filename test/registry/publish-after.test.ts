import { env } from 'cloudflare:workers'
import { type MockInstance, beforeEach, expect, it, vi } from 'vitest'
import { consumeCopies, publishAfter } from '../../src/registry/publish-after.ts'
import { changePointOfSale } from '../../src/registry/points-of-sale.ts'
import { profileById } from '../../src/registry/profiles.ts'
import { refreshProfile } from '../../src/registry/copies.ts'
import { type Pos, makePos, read, tokenFor } from '../support/hub/hub.ts'
import { loggedOf } from '../support/logged.ts'
import { operate } from '../support/hub/operator.ts'
import { batchOf } from '../support/hub/queue.ts'

let pos: Pos
/** Records the waits between two writes of a copy. They take no time here. */
let waits: MockInstance<typeof scheduler.wait>
beforeEach(async () => {
  pos = await makePos()
  waits = vi.spyOn(scheduler, 'wait').mockResolvedValue()
  vi.spyOn(console, 'error').mockReturnValue()
})

function copy() {
  return env.TOKENS.get<{ signReturn: boolean }>(`pos:${pos.id}`, 'json')
}
function signReturn(wanted: boolean) {
  return changePointOfSale(env.DB, pos.id, { signReturn: wanted })
}

function manyOf(count: number) {
  return Array.from({ length: count }, (_, number) => ({ pos: `many-${number}` }))
}

/** Runs `act` before each write of this copy. Copies of other files stay unchanged. */
function beforeWrite(act: (writes: number) => Promise<unknown>) {
  const put = env.TOKENS.put.bind(env.TOKENS)
  let writes = 0
  vi.spyOn(env.TOKENS, 'put').mockImplementation(async (name: string, ...rest: unknown[]) => {
    if (name === `pos:${pos.id}`) await act(++writes)
    await put(name, ...(rest as [string]))
  })
  return () => writes
}

it('the copy ends up like D1 when a newer change was written before an older one', async () => {
  const writes = beforeWrite(async (count) => {
    // Another Worker makes and writes its change before this one writes what it has read.
    if (count === 1) await operate('POST', `/pos/${pos.id}`, { signReturn: true })
  })
  await refreshProfile(env, pos.id)
  expect(writes()).toBe(3)
  expect(await copy()).toMatchObject({ signReturn: true })
})

it('a copy is written at most three times if D1 changes each time: the second write has the last change', async () => {
  const writes = beforeWrite((count) => signReturn(count % 2 === 1))
  await refreshProfile(env, pos.id)
  expect(writes()).toBe(3)
})

it('a write that KV refuses is repeated after a second, because KV takes one a second per key', async () => {
  await signReturn(true)
  beforeWrite(async (count) => {
    if (count === 1) throw new Error('KV PUT failed: 429 Too Many Requests')
  })
  await refreshProfile(env, pos.id)
  expect(waits.mock.calls).toEqual([[expect.toSatisfy((time: number) => time > 1000)]])
  expect(await copy()).toMatchObject({ signReturn: true })
  expect(loggedOf(vi.mocked(console.error), pos.id)).toMatchObject([{ event: 'kv.write-failed' }])
})

it('a change that KV never takes is an error, and the second write repeats it', async () => {
  const sent = vi.spyOn(env.COPIES, 'sendBatch')
  const writes = beforeWrite(async (count) => {
    if (count <= 3) throw new Error('KV PUT failed: 500')
  })
  const response = await operate('POST', `/pos/${pos.id}`, { signReturn: true })
  expect([response.status, writes()]).toEqual([503, 3])
  expect(await copy()).toMatchObject({ signReturn: false })
  const mine = sent.mock.calls
    .flatMap(([messages]) => [...messages])
    .filter(({ body }) => (body as { pos: string }).pos === pos.id)
  expect(mine).toEqual([{ body: { pos: pos.id, version: 1 }, delaySeconds: 90 }])
  const { batch, acked } = batchOf([mine[0]?.body], 'payment-hub-copies')
  await consumeCopies(batch, env)
  expect(acked()).toBe(1)
  expect(await copy()).toMatchObject({ signReturn: true })
})

it('the message for the second write is sent before D1 changes', async () => {
  const order: string[] = []
  const send = env.COPIES.sendBatch.bind(env.COPIES)
  vi.spyOn(env.COPIES, 'sendBatch').mockImplementation(async (messages) => {
    order.push('message')
    return send(messages)
  })
  await publishAfter(env, [{ pos: pos.id }], async () => void order.push('D1'))
  expect(order).toEqual(['message', 'D1'])
})

it('a point of sale is stopped even while the queue is down, and the log says so', async () => {
  const token = await tokenFor(pos)
  const fault = `Queue send failed: ${pos.id}`
  vi.spyOn(env.COPIES, 'sendBatch').mockRejectedValue(new Error(fault))
  expect((await operate('POST', `/pos/${pos.id}/disable`)).status).toBe(200)
  const logged = loggedOf(vi.mocked(console.error), fault)
  expect(logged).toMatchObject([{ event: 'queue.send-failed', messages: 1 }])
  expect((await read(token, crypto.randomUUID())).status).toBe(401)
})

it.each([
  [100, [[100, 90]]],
  [
    250,
    [
      [100, 90],
      [100, 90],
      [50, 90],
      [100, 0],
      [50, 0],
    ],
  ],
])('of %i points of sale, the queue writes those that do not fit in one request', async (count, batches) => {
  const sent = vi.spyOn(env.COPIES, 'sendBatch').mockResolvedValue({} as QueueSendBatchResponse)
  await publishAfter(env, manyOf(count), async () => undefined)
  const mine = sent.mock.calls
    .map(([messages]) => [...messages])
    .filter(([first]) => first === undefined || JSON.stringify(first).includes('many-'))
  expect(mine.map((batch) => [batch.length, batch[0]?.delaySeconds])).toEqual(batches)
  if (count > 100) expect(mine[3]?.[0]?.body).toMatchObject({ pos: 'many-100' })
})

it('while the queue is down, a change of more is an error, but one request writes as many as it can', async () => {
  vi.spyOn(env.COPIES, 'sendBatch').mockRejectedValue(new Error('Queue send failed'))
  const change = publishAfter(env, [{ pos: pos.id }, ...manyOf(100)], () => signReturn(true))
  await expect(change).rejects.toThrow('Queue send failed')
  expect(await copy()).toMatchObject({ signReturn: true })
})

it('if KV refuses one copy, all others are written or queued before the error', async () => {
  const sent = vi.spyOn(env.COPIES, 'sendBatch').mockResolvedValue({} as QueueSendBatchResponse)
  const broken = await makePos()
  const put = env.TOKENS.put.bind(env.TOKENS)
  vi.spyOn(env.TOKENS, 'put').mockImplementation(async (name: string, ...rest: unknown[]) => {
    if (name === `pos:${broken.id}`) throw new Error('KV PUT failed: 500')
    // The other one is slow: KV takes it after the broken one has failed.
    if (name === `pos:${pos.id}`) await new Promise((resolve) => setTimeout(resolve, 500))
    await put(name, ...(rest as [string]))
  })
  const change = publishAfter(env, [{ pos: broken.id }, { pos: pos.id }, ...manyOf(99)], () =>
    signReturn(true),
  )
  await expect(change).rejects.toThrow('KV PUT failed')
  expect(await copy()).toMatchObject({ signReturn: true })
  const bodies = sent.mock.calls.flatMap(([messages]) => [...messages])
  expect(bodies).toContainEqual({ body: { pos: 'many-98', version: 1 }, delaySeconds: 0 })
})

it('a batch of messages that the queue refuses holds up no other', async () => {
  let sends = 0
  const sent: unknown[] = []
  vi.spyOn(env.COPIES, 'sendBatch').mockImplementation(async (messages) => {
    const mine = [...messages]
    if (JSON.stringify(mine).includes('many-') && ++sends === 1) throw new Error('Queue send failed')
    sent.push(...mine)
    return {} as QueueSendBatchResponse
  })
  await publishAfter(env, manyOf(101), async () => undefined)
  expect(sent).toContainEqual({ body: { pos: 'many-100', version: 1 }, delaySeconds: 90 })
})

it("D1 reads are of one instant by D1's own clock, which moves on", async () => {
  const first = await profileById(env.DB, pos.id)
  await new Promise((resolve) => setTimeout(resolve, 5))
  const second = await profileById(env.DB, pos.id)
  expect(second?.profile.access.asOf).toBeGreaterThan(first?.profile.access.asOf ?? Infinity)
  // Another file may have moved the clock of this runtime; D1 has its own.
  expect(Math.abs((second?.profile.access.asOf ?? 0) - vi.getRealSystemTime())).toBeLessThan(60_000)
})

it('a point of sale that gets a key is written a second time', async () => {
  const sent = vi.spyOn(env.COPIES, 'sendBatch')
  expect((await operate('POST', `/pos/${pos.id}/keys`)).status).toBe(201)
  const messages = sent.mock.calls.flatMap(([batch]) => [...batch])
  const mine = messages.filter(({ body }) => (body as { pos?: string }).pos === pos.id)
  expect(mine).toMatchObject([{ delaySeconds: 90 }])
})
