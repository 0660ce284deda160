import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { makePos } from '../support/hub/hub.ts'
import { stored } from '../support/jobs/job.ts'
import { answered, listen } from '../support/shops/listener.ts'
import { operate } from '../support/hub/operator.ts'
import { receiver } from '../support/shops/receiver.ts'
import { paidJob, untilTried } from '../support/jobs/reported.ts'

let shop: ReturnType<typeof receiver>
beforeEach(() => {
  shop = receiver(() => new Response('ok'))
})

describe('a listener of another point of sale', () => {
  it('sees nothing of a report, and its answer has no effect', async () => {
    const [own, other] = [await makePos(), await makePos()]
    const listener = await listen(own.apiKey)
    const stranger = await listen(other.apiKey)
    const id = await paidJob(own)
    const [report] = await listener.until('report')
    const { delivery = '' } = report ?? {}
    stranger.send(JSON.stringify({ type: 'answer', delivery, status: 410 }))
    // The stranger's own report comes after everything that it was sent before.
    const theirs = await paidJob(other)
    await stranger.until('report')
    expect(JSON.stringify(stranger.frames)).not.toContain(id)
    expect((await stored(id)).report?.history).toEqual([])
    listener.send(JSON.stringify({ type: 'answer', delivery, status: 200 }))
    expect(await untilTried(id)).toMatchObject({ history: [{ outcome: '200' }] })
    expect(JSON.stringify(listener.frames)).not.toContain(theirs)
    stranger.close()
  })
})

describe('a listener that sends', () => {
  const GARBAGE = {
    'what is no JSON': 'hello',
    'what is no answer': '{"type":"result"}',
    'an answer with a status that is none': '{"type":"answer","delivery":"d","status":99}',
    bytes: new Uint8Array([1, 2, 3]).buffer,
    'a huge frame': `{"type":"answer","pad":"${'x'.repeat(500_000)}"}`,
    'a header that is none': `{"type":"answer","delivery":"${crypto.randomUUID()}","status":503,"retryAfter":"1\\n2"}`,
  }

  it('something other than an answer is disconnected, and the others go on', async () => {
    const pos = await makePos()
    await listen(pos.apiKey, { answering: answered(200) })
    for (const [what, garbage] of Object.entries(GARBAGE)) {
      const hostile = await listen(pos.apiKey)
      hostile.send(garbage)
      expect([what, await hostile.closed]).toEqual([what, 4400])
    }
    expect(await untilTried(await paidJob(pos))).toMatchObject({ state: 'delivered' })
  })

  it('answers to tries that it invented, or that are over, has no effect', async () => {
    const pos = await makePos()
    const listener = await listen(pos.apiKey)
    const id = await paidJob(pos)
    const [{ delivery } = { delivery: '' }] = await listener.until('report')
    const answer = (name: string, status: number) =>
      listener.send(JSON.stringify({ type: 'answer', delivery: name, status }))
    answer(crypto.randomUUID(), 200)
    answer(delivery, 500)
    await listener.until('result')
    answer(delivery, 200)
    const next = await paidJob(pos)
    const [, second] = await listener.until('report', 2)
    answer(delivery, 200)
    answer(second?.delivery ?? '', 502)
    expect(await untilTried(next)).toMatchObject({ history: [{ outcome: '502' }] })
    expect((await stored(id)).report).toMatchObject({ state: 'due', history: [{ outcome: '500' }] })
  })
})

describe('a listener is disconnected', () => {
  it('when it has been silent for a minute: the report goes to report_url', async () => {
    const pos = await makePos()
    const listener = await listen(pos.apiKey)
    vi.setSystemTime(Date.now() + 61_000)
    const id = await paidJob(pos)
    expect(await untilTried(id)).toMatchObject({ state: 'delivered' })
    expect(shop.of(id)).toHaveLength(1)
    expect(await listener.closed).toBe(1001)
  })

  it('when a key was revoked: it may be the one that it came with', async () => {
    const pos = await makePos()
    const listener = await listen(pos.apiKey, { answering: answered(500) })
    const before = await paidJob(pos)
    expect(await untilTried(before)).toMatchObject({ history: [{ outcome: '500' }] })
    const rekeyed = await operate('POST', `/pos/${pos.id}/keys`)
    expect(rekeyed.status).toBe(201)
    const { apiKey } = await rekeyed.json<{ apiKey: string }>()
    expect((await operate('POST', `/pos/${pos.id}/keys/revoke`)).status).toBe(200)
    const id = await paidJob({ ...pos, apiKey })
    expect(await untilTried(id)).toMatchObject({ state: 'delivered' })
    expect(shop.of(id)).toHaveLength(1)
    expect(await listener.closed).toBe(4401)
  })
})

it('a listener stays while its object leaves memory, and gets the next report', async () => {
  const pos = await makePos()
  const listener = await listen(pos.apiKey, { answering: answered(200) })
  await evictDurableObject(env.REPORT_LISTENER.getByName(pos.id))
  const id = await paidJob(pos)
  expect(await untilTried(id)).toMatchObject({ state: 'delivered' })
  expect(shop.of(id)).toEqual([])
  expect(await listener.until('result')).toHaveLength(1)
})
