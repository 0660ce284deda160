import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HOUR, MINUTE } from '../../src/domain/timestamp.ts'
import worker from '../../src/index.ts'
import { consumeAlerts } from '../../src/queues/alerts.ts'
import { writeRows } from '../../src/storage/d1/job-index.ts'
import wranglerToml from '../../wrangler.toml?raw'
import { watchLogs } from '../security/evidence.ts'
import { breakD1 } from '../security/outages.ts'
import { eventually } from '../support/eventually.ts'
import { makePos } from '../support/hub.ts'
import { operate } from '../support/operator.ts'
import { addAccount, pspWorld } from '../support/psp-world.ts'
import { batchOf } from '../support/queue.ts'
import { row } from '../support/shards.ts'

const CRON = '*/5 * * * *'
const ALERT_URL = 'https://operator.example.nl/alerts'
/** What the test's Worker is bound to (test/projects.ts). */
const HUB = { ...env, ALERT_URL }

type Told = { headers: Record<string, string>; body: string }

let told: Told[]
let answer: () => Response
let psp: ReturnType<typeof pspWorld>
let start = Date.UTC(2031, 0, 1, 10)
beforeEach(async () => {
  watchLogs()
  start += 10 * 24 * HOUR
  vi.setSystemTime(start)
  for (const table of ['alerts', 'account_checks', 'psp_accounts', 'jobs'])
    await env.DB.prepare(`delete from ${table}`).run()
  told = []
  answer = () => new Response('ok')
  psp = pspWorld('mollie')
  const world = vi.mocked(globalThis.fetch)
  const atPsp = world.getMockImplementation()
  world.mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    if (request.url !== ALERT_URL) return atPsp?.(request) ?? Response.error()
    told.push({ headers: Object.fromEntries(request.headers), body: await request.text() })
    return answer()
  })
})
afterEach(() => {
  psp.stop()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Runs the schedule as the platform does. */
const runAt = async (hub: object): Promise<void> => {
  const controller = createScheduledController({ cron: CRON, scheduledTime: new Date() })
  await worker.scheduled?.(controller as never, hub as never)
}

/** Runs the schedule with a queue that keeps what it is sent. Gives that. */
const run = async (changes: object = {}): Promise<unknown[]> => {
  const sent: unknown[] = []
  const ALERTS = { send: async (body: unknown) => void sent.push(body) }
  await runAt({ ...HUB, ALERTS, ...changes })
  return sent
}

const later = (time: number): void => void vi.setSystemTime(Date.now() + time)
const typesOf = (sent: unknown[]) => sent.map((body) => (body as { type: string }).type)
const secretOf = async (): Promise<string> => {
  const { signingSecret } = await (await operate('POST', '/alerts/secret')).json<{ signingSecret: string }>()
  return signingSecret
}

/** A shop to which three reports have been owed for six minutes. */
const failingShop = async (name = 'Shop 1') => {
  const pos = await makePos()
  await operate('POST', `/pos/${pos.id}`, { name })
  const rows = Array.from({ length: 3 }, () =>
    row({ pos: pos.id, created: Date.now() * 1000, owedSince: Date.now() - 6 * MINUTE }),
  )
  await writeRows(env, rows)
  const mend = () =>
    writeRows(
      env,
      rows.map((owed) => Object.assign(owed, { owedSince: null, sequence: owed.sequence + 1 })),
    )
  return { pos, mend }
}

it('wrangler.toml has the schedule', () => {
  expect(wranglerToml).toContain(`crons = ["17 * * * *", "${CRON}"]`)
})

it('a run sends a hundred messages at most, and the next one the others, none twice', async () => {
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

describe('a shop whose reports fail', () => {
  it('is told of once, again after six hours, and when all has been well for ten minutes', async () => {
    const { pos, mend } = await failingShop('Bakery')
    const begun = await run()
    expect(begun).toMatchObject([
      {
        type: 'alert.begun',
        kind: 'shop-failing',
        subject: pos.id,
        detail: 'Reports to Bakery fail: 3 not delivered for more than 5 minutes.',
      },
    ])
    for (const time of [5 * MINUTE, HOUR, 4 * HOUR]) {
      later(time)
      expect(await run()).toEqual([])
    }
    later(HOUR)
    expect(typesOf(await run())).toEqual(['alert.lasts'])
    await mend()
    later(5 * MINUTE)
    expect(await run()).toEqual([])
    later(5 * MINUTE)
    expect(await run()).toEqual([])
    later(5 * MINUTE)
    expect(typesOf(await run())).toEqual(['alert.ended'])
    expect(await run()).toEqual([])
    const { alerts } = await (await operate('GET', '/alerts')).json<{ alerts: object[] }>()
    expect(alerts).toMatchObject([{ kind: 'shop-failing', subject: pos.id, ended: expect.any(String) }])
  })

  it('that comes and goes is one alert', async () => {
    const { pos, mend } = await failingShop()
    await run()
    await mend()
    later(5 * MINUTE)
    expect(await run()).toEqual([])
    await writeRows(
      env,
      [1, 2, 3].map(() => row({ pos: pos.id, owedSince: Date.now() - 6 * MINUTE })),
    )
    later(5 * MINUTE)
    expect(await run()).toEqual([])
    later(10 * MINUTE)
    expect(await run()).toEqual([])
  })

  it('is told of when its report was given up within a day, and no longer for that', async () => {
    const pos = await makePos()
    await writeRows(env, [row({ pos: pos.id, owedSince: Date.now() - 72 * HOUR, undeliveredAt: Date.now() })])
    expect(typesOf(await run())).toEqual(['alert.begun'])
    later(25 * HOUR)
    await run()
    later(10 * MINUTE)
    expect(typesOf(await run())).toEqual(['alert.ended'])
  })

  it('is not told of while two reports wait, or while three wait for a short time', async () => {
    const [one, other] = [await makePos(), await makePos()]
    const owed = (pos: string, minutes: number) => row({ pos, owedSince: Date.now() - minutes * MINUTE })
    await writeRows(env, [owed(one.id, 60), owed(one.id, 60)])
    await writeRows(env, [owed(other.id, 2), owed(other.id, 2), owed(other.id, 2)])
    expect(await run()).toEqual([])
  })
})

describe('an account', () => {
  it('that refuses its credentials twice in a row is told of, and when it works again', async () => {
    const account = await addAccount(psp)
    psp.fault = () => Response.json({ status: 401, title: 'Unauthorized', detail: 'no' }, { status: 401 })
    expect(await run()).toEqual([])
    later(5 * MINUTE)
    expect(await run()).toMatchObject([{ type: 'alert.begun', kind: 'account-failing', subject: account }])
    psp.fault = null
    later(5 * MINUTE)
    await run()
    later(10 * MINUTE)
    expect(typesOf(await run())).toEqual(['alert.ended'])
  })

  it('that fails now and then, never twice in a row, is not told of', async () => {
    await addAccount(psp)
    for (const isDown of [true, false, true, false]) {
      psp.fault = isDown ? () => new Response('', { status: 503 }) : null
      expect(await run()).toEqual([])
      later(5 * MINUTE)
    }
  })

  it('is written to D1 when its state changes, and else once an hour', async () => {
    const account = await addAccount(psp)
    const seen = () => env.DB.prepare('select * from account_checks where account = ?').bind(account).first()
    await run()
    const first = await seen()
    expect(first).toMatchObject({ state: 'working', since: start, checked_at: start })
    later(30 * MINUTE)
    await run()
    expect(await seen()).toEqual(first)
    later(30 * MINUTE)
    await run()
    expect(await seen()).toMatchObject({ state: 'working', since: start, checked_at: start + HOUR })
    psp.fault = () => new Response('', { status: 503 })
    later(5 * MINUTE)
    await run()
    expect(await seen()).toMatchObject({ state: 'unavailable', since: Date.now() })
  })

  it('for which payments wait longer than two minutes is told of', async () => {
    const account = await addAccount(psp)
    const waits = (minutes: number) =>
      row({ account, announcement: 'due', created: (Date.now() - minutes * MINUTE) * 1000 })
    await writeRows(env, [waits(1)])
    expect(await run()).toEqual([])
    await writeRows(env, [waits(3), row({ account, announcement: 'due', status: 'EXPIRED' })])
    expect(await run()).toMatchObject([
      { subject: account, detail: `2 payments wait to be announced at ${account}.` },
    ])
  })
})

describe('a message', () => {
  it('goes through the queue to ALERT_URL, signed as Standard Webhooks say', async () => {
    const { pos } = await failingShop()
    await runAt(env)
    await eventually(() => expect(told).toHaveLength(1))
    const [{ headers, body } = { headers: {}, body: '' }] = told
    // The library compares with the real time.
    vi.setSystemTime(Number(headers['webhook-timestamp']) * 1000)
    expect(new Webhook(await secretOf()).verify(body, headers)).toMatchObject({
      type: 'alert.begun',
      data: { kind: 'shop-failing', subject: pos.id },
    })
    expect(() => new Webhook(btoa('another secret')).verify(body, headers)).toThrow()
  })

  it('is sent again under the same id until it is taken, each time later', async () => {
    await failingShop()
    const [message] = await run()
    answer = () => new Response(null, { status: 500 })
    const delays = []
    for (const attempts of [1, 2, 20]) {
      const failed = batchOf([message], 'payment-hub-alerts')
      for (const one of failed.batch.messages) Object.defineProperty(one, 'attempts', { value: attempts })
      await consumeAlerts(failed.batch, HUB as never)
      delays.push(...failed.delays())
    }
    answer = () => new Response('ok')
    const taken = batchOf([message], 'payment-hub-alerts')
    await consumeAlerts(taken.batch, HUB as never)
    expect([delays, taken.acked()]).toEqual([[30, 60, 3600], 1])
    expect(new Set(told.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('is not lost when the queue does not take it: the next run sends it', async () => {
    await failingShop()
    const down = { ALERTS: { send: () => Promise.reject(new Error('queue is down')) } }
    await run(down)
    later(5 * MINUTE)
    expect(typesOf(await run())).toEqual(['alert.begun'])
  })

  it('has the same id when the run was cut off before it noted that it was sent', async () => {
    await failingShop()
    const [first] = await run()
    await env.DB.prepare('update alerts set told_at = null').run()
    later(5 * MINUTE)
    const [second] = await run()
    expect((second as { id: string }).id).toBe((first as { id: string }).id)
  })

  it('is one although two runs look at the same time', async () => {
    await failingShop()
    const sent = (await Promise.all([run(), run()])).flat() as { id: string }[]
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    expect(await env.DB.prepare('select count(*) as n from alerts').first('n')).toBe(1)
  })

  it('is not sent without an ALERT_URL, and is once there is one', async () => {
    await failingShop()
    expect(await run({ ALERT_URL: '' })).toEqual([])
    later(HOUR)
    expect(typesOf(await run())).toEqual(['alert.begun'])
  })
})

it('nothing begins or ends while D1 is down, and the schedule does not fail', async () => {
  const mend = breakD1()
  expect(await run()).toEqual([])
  mend()
  await failingShop()
  expect(typesOf(await run())).toEqual(['alert.begun'])
})

it('a shard that cannot be read ends no alert of a shop', async () => {
  await failingShop()
  await run()
  await env.DB.prepare('delete from jobs').run()
  const broken = { INDEX_SHARDS: 'DB GONE' }
  for (let runs = 0; runs < 4; runs++) {
    later(5 * MINUTE)
    expect(await run(broken)).toEqual([])
  }
})

describe('alert test', () => {
  it('says what the receiver answered', async () => {
    expect(await (await operate('POST', '/alerts/test')).json()).toEqual({ delivered: true, outcome: '200' })
    answer = () => new Response(null, { status: 404 })
    expect(await (await operate('POST', '/alerts/test')).json()).toEqual({ delivered: false, outcome: '404' })
    expect(JSON.parse(told[0]?.body ?? '')).toMatchObject({ type: 'alert.test', data: { subject: 'test' } })
  })
})
