import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, vi } from 'vitest'
import { HOUR, MINUTE } from '../../src/contract/timestamp.ts'
import { consumeAlerts } from '../../src/monitoring/alerts.ts'
import { loggedOf } from '../support/logged.ts'
import { answerTo } from '../support/hub/operator.ts'
import { batchOf } from '../support/hub/queue.ts'
import { HUB, alertWorld, failingShop, later, run, runAt, typesOf } from './alert-world.ts'

const world = alertWorld()

async function secretOf(): Promise<string> {
  const { signingSecret } = await answerTo<{ signingSecret: string }>('POST', '/alerts/secret')
  return signingSecret
}

it('a run sends at most a hundred messages, the next run the others, and none twice', async () => {
  await env.DB.prepare(
    `insert into alerts with recursive of(number) as (select 1 union all select number + 1 from of where number < 150)
    select 'alert-' || number, 'shop-failing', 'shop-' || number, 'fails', ?, null, null, null from of`,
  )
    .bind(Date.now())
    .run()
  const runs = [await run(), await run(), await run()]
  expect(runs.map(({ length }) => length)).toEqual([100, 50, 0])
  expect(new Set(runs.flat().map((body) => (body as { id: string }).id)).size).toBe(150)
})

describe('a message', () => {
  it('goes through the queue to ALERT_URL, signed by the Standard Webhooks rules', async () => {
    const { pos } = await failingShop()
    await runAt(env)
    await vi.waitFor(() => expect(world.told).toHaveLength(1))
    const [{ headers, body } = { headers: {}, body: '' }] = world.told
    // The library compares the timestamp with the real time.
    vi.setSystemTime(Number(headers['webhook-timestamp']) * 1000)
    expect(new Webhook(await secretOf()).verify(body, headers)).toMatchObject({
      type: 'alert.begun',
      data: { kind: 'shop-failing', subject: pos.id },
    })
    expect(() => new Webhook(btoa('another secret')).verify(body, headers)).toThrow()
  })

  it('is sent again under the same id, with growing delays, until the receiver takes it', async () => {
    await failingShop()
    const [message] = await run()
    world.answer = () => new Response(null, { status: 500 })
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const delays = []
    for (const attempts of [1, 2, 20]) {
      const failed = batchOf([message], 'payment-hub-alerts')
      for (const one of failed.batch.messages) Object.defineProperty(one, 'attempts', { value: attempts })
      await consumeAlerts(failed.batch, HUB as never)
      delays.push(...failed.delays())
    }
    world.answer = () => new Response('ok')
    const taken = batchOf([message], 'payment-hub-alerts')
    await consumeAlerts(taken.batch, HUB as never)
    expect([delays, taken.acked()]).toEqual([[30, 60, 3600], 1])
    const events = loggedOf(warned, (message as { id: string }).id).map(
      (entry) => (entry as { event: string }).event,
    )
    expect(events).toEqual(Array.from({ length: 3 }, () => 'alert.not-delivered'))
    expect(new Set(world.told.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('that the queue did not take is sent by the next run', async () => {
    await failingShop()
    const down = { ALERTS: { send: () => Promise.reject(new Error('queue is down')) } }
    await run(down)
    later(5 * MINUTE)
    expect(typesOf(await run())).toEqual(['alert.begun'])
  })

  it('has the same id again if its run was cut off before it noted the send', async () => {
    await failingShop()
    const [first] = await run()
    await env.DB.prepare('update alerts set told_at = null').run()
    later(5 * MINUTE)
    const [second] = await run()
    expect((second as { id: string }).id).toBe((first as { id: string }).id)
  })

  it('is sent once even if two runs look at the same time', async () => {
    await failingShop()
    const sent = (await Promise.all([run(), run()])).flat() as { id: string }[]
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    expect(await env.DB.prepare('select count(*) as n from alerts').first('n')).toBe(1)
  })

  it('waits until ALERT_URL is set', async () => {
    await failingShop()
    expect(await run({ ALERT_URL: '' })).toEqual([])
    later(HOUR)
    expect(typesOf(await run())).toEqual(['alert.begun'])
  })
})

describe('alert test', () => {
  it("shows the receiver's answer", async () => {
    expect(await answerTo('POST', '/alerts/test')).toEqual({ delivered: true, outcome: '200' })
    world.answer = () => new Response(null, { status: 404 })
    expect(await answerTo('POST', '/alerts/test')).toEqual({ delivered: false, outcome: '404' })
    expect(JSON.parse(world.told[0]?.body ?? '')).toMatchObject({
      type: 'alert.test',
      data: { subject: 'test' },
    })
  })
})
