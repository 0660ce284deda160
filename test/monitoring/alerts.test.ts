import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/contract/timestamp.ts'
import { writeRows } from '../../src/job-index/job-index.ts'
import wranglerToml from '../../wrangler.toml?raw'
import { breakD1 } from '../security/outages.ts'
import { makePos } from '../support/hub/hub.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { addAccount } from '../support/psp-world.ts'
import { row } from '../support/hub/shards.ts'
import { withTerminals } from '../support/terminals.ts'
import { CRON, alertWorld, failingShop, later, run, typesOf } from './alert-world.ts'

const world = alertWorld()

it('wrangler.toml has the schedule', () => {
  expect(wranglerToml).toContain(`crons = ["17 * * * *", "${CRON}"]`)
})

describe('a shop whose reports fail', () => {
  it('causes a message at once, after six hours, and when all has been well for ten minutes', async () => {
    const { pos, mend } = await failingShop('Bakery')
    const begun = await run()
    expect(begun).toMatchObject([
      {
        type: 'alert.begun',
        kind: 'shop-failing',
        subject: pos.id,
        detail: 'Test mode: Reports to Bakery fail: 3 not delivered for more than 5 minutes.',
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
    const { alerts } = await answerTo<{ alerts: object[] }>('GET', '/alerts')
    expect(alerts).toMatchObject([{ kind: 'shop-failing', subject: pos.id, ended: expect.any(String) }])
  })

  it('causes an alert for a day after a report was given up', async () => {
    const pos = await makePos()
    await writeRows(env, [row({ pos: pos.id, failingSince: Date.now() - 72 * HOUR, givenUpAt: Date.now() })])
    expect(typesOf(await run())).toEqual(['alert.begun'])
    later(25 * HOUR)
    await run()
    later(10 * MINUTE)
    expect(typesOf(await run())).toEqual(['alert.ended'])
  })
})

describe('money that pays no order', () => {
  it('of a live payment causes one message when it begins and one when it ends', async () => {
    const pos = await makePos({ mode: 'live' })
    const paid = row({ pos: pos.id, status: 'EXPIRED', paid: 400, unapplied: 400 })
    await writeRows(env, [paid])
    expect(await run()).toMatchObject([
      {
        type: 'alert.begun',
        kind: 'money-unapplied',
        subject: paid.id,
        detail: expect.stringMatching(/EUR 4\.00.*A-7/),
      },
    ])
    later(25 * HOUR)
    expect(await run()).toEqual([])
    await writeRows(env, [{ ...paid, unapplied: 0, sequence: 2 }])
    await run()
    later(10 * MINUTE)
    expect(typesOf(await run())).toEqual(['alert.ended'])
  })

  it('does not end behind many newer ones, which are all that a look finds', async () => {
    const pos = await makePos({ mode: 'live' })
    const unapplied = (created: number) =>
      row({ pos: pos.id, created, status: 'EXPIRED', paid: 400, unapplied: 400 })
    await writeRows(env, [unapplied(1000)])
    expect(typesOf(await run())).toEqual(['alert.begun'])
    await writeRows(
      env,
      Array.from({ length: 50 }, (_, newer) => unapplied(2000 + newer)),
    )
    await run()
    later(10 * MINUTE)
    expect(typesOf(await run())).not.toContain('alert.ended')
  })

  it('of a test payment causes none', async () => {
    const pos = await makePos()
    await writeRows(env, [row({ pos: pos.id, status: 'EXPIRED', paid: 400, unapplied: 400 })])
    expect(await run()).toEqual([])
  })
})

describe('a terminal that is off', () => {
  it('causes an alert in the hours that the operator chose, and only then', async () => {
    const psp = withTerminals('mollie', [
      { id: 'term_night', name: 'Bar', isOn: false },
      { id: 'term_day', name: 'Till', isOn: false },
      { id: 'term_on', name: 'Kiosk', isOn: true },
      { id: 'term_quiet', name: 'Spare', isOn: false },
    ])
    const account = await addAccount(world.psp)
    const add = (terminal: string, alertHours?: string) =>
      operate('POST', `/accounts/${account}/terminals`, { terminal, ...(alertHours ? { alertHours } : {}) })
    await add('term_night', '22:00-02:00')
    await add('term_day', '09:00-18:00')
    await add('term_on', '00:00-23:59')
    await add('term_quiet')
    psp.asked = 0
    // It is ten in the morning in the hub's zone (UTC).
    later(MINUTE)
    expect(await run()).toMatchObject([
      {
        type: 'alert.begun',
        kind: 'terminal-off',
        subject: 'term_day',
        detail: expect.stringMatching(/Till.*off/),
      },
    ])
    expect(psp.asked).toBe(1)
    later(8 * HOUR)
    await run()
    later(10 * MINUTE)
    expect(typesOf(await run())).toEqual(['alert.ended'])
    later(7 * HOUR)
    expect(await run()).toMatchObject([{ type: 'alert.begun', subject: 'term_night' }])
  })
})

describe('money that is reserved', () => {
  it('for less than a day causes one message, and another when the shop has captured it', async () => {
    const pos = await makePos({ mode: 'live' })
    const held = row({ pos: pos.id, authorized: 1250, paid: 250, captureBefore: Date.now() + DAY + HOUR })
    await writeRows(env, [held])
    expect(await run()).toEqual([])
    later(HOUR + MINUTE)
    const detail = expect.stringMatching(/EUR 10\.00.*A-7.*until 20/)
    expect(await run()).toMatchObject([
      { type: 'alert.begun', kind: 'reservation-ending', subject: held.id, detail },
    ])
    later(10 * HOUR)
    expect(await run()).toEqual([])
    await writeRows(env, [{ ...held, paid: 1250, captureBefore: null, sequence: 2 }])
    await run()
    later(10 * MINUTE)
    expect(typesOf(await run())).toEqual(['alert.ended'])
  })

  it('of a test payment causes none', async () => {
    const pos = await makePos()
    await writeRows(env, [row({ pos: pos.id, authorized: 1250, captureBefore: Date.now() + HOUR })])
    expect(await run()).toEqual([])
  })
})

describe('an account', () => {
  it('causes an alert when it refuses its credentials twice in a row, until it works again', async () => {
    const account = await addAccount(world.psp)
    world.psp.fault = () =>
      Response.json({ status: 401, title: 'Unauthorized', detail: 'no' }, { status: 401 })
    expect(await run()).toEqual([])
    later(5 * MINUTE)
    expect(await run()).toMatchObject([{ type: 'alert.begun', kind: 'account-failing', subject: account }])
    world.psp.fault = null
    later(5 * MINUTE)
    await run()
    later(10 * MINUTE)
    expect(typesOf(await run())).toEqual(['alert.ended'])
  })

  it('is written to D1 when its state changes, and otherwise once an hour', async () => {
    const account = await addAccount(world.psp)
    const seen = () => env.DB.prepare('select * from account_checks where account = ?').bind(account).first()
    await run()
    const first = await seen()
    expect(first).toMatchObject({ state: 'working', since: world.start, checked_at: world.start })
    later(30 * MINUTE)
    await run()
    expect(await seen()).toEqual(first)
    later(30 * MINUTE)
    await run()
    expect(await seen()).toMatchObject({
      state: 'working',
      since: world.start,
      checked_at: world.start + HOUR,
    })
    world.psp.fault = () => new Response('', { status: 503 })
    later(5 * MINUTE)
    await run()
    expect(await seen()).toMatchObject({ state: 'unavailable', since: Date.now() })
  })

  it('for which payments wait longer than two minutes causes an alert', async () => {
    const account = await addAccount(world.psp)
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

it('no alert begins or ends while D1 is down, and the schedule does not fail', async () => {
  const mend = breakD1()
  expect(await run()).toEqual([])
  mend()
  await failingShop()
  expect(typesOf(await run())).toEqual(['alert.begun'])
})

it("a shard that cannot be read does not end a shop's alert", async () => {
  await failingShop()
  await run()
  await env.DB.prepare('delete from jobs').run()
  const broken = { INDEX_SHARDS: 'DB; 2020-01: GONE' }
  for (let runs = 0; runs < 4; runs++) {
    later(5 * MINUTE)
    expect(await run(broken)).toEqual([])
  }
})
