import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HOUR } from '../../../src/contract/timestamp.ts'
import { createJob, readJob, tokenFor } from '../../support/hub.ts'
import { objectOf, playObject, ringFor, stored } from '../../support/job.ts'
import { loggedOf } from '../../support/logged.ts'
import { outsideWith } from '../../support/outside.ts'
import { deliver, notify, posAt } from '../../support/psp-world.ts'
import { adyenFake } from '../../support/psps/adyen.ts'
import type { SentNotification } from '../../support/psps/fake-psp.ts'

/*
 * Adyen sends the webhooks of an account one after the other, and repeats one that was not accepted for
 * up to 30 days, while all others wait.
 */

function adyenWorld() {
  return Object.assign(outsideWith(adyenFake()), { psp: 'adyen' })
}

let world: ReturnType<typeof adyenWorld>
let token: string
let one: string
let other: string
let account: string
beforeEach(async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  world = adyenWorld()
  token = await tokenFor(await posAt(world))
  ;[one, other] = [await paidJob(), await paidJob()]
  account = (await stored(one)).account
  vi.setSystemTime(Date.now() + HOUR)
})

async function paidJob(): Promise<string> {
  const { paymentJob: job } = await createJob(token)
  world.fake.bring(job, 'paid')
  expect(await notify(world, job)).toEqual([200])
  return job
}

const CHARGEBACK = { eventCode: 'CHARGEBACK', pspReference: 'CB00000000000001', reason: '' }
async function chargedBack(id: string): Promise<string | undefined> {
  const { amountChargedBack } = await readJob(token, id)
  return amountChargedBack as string | undefined
}

/** One webhook with the items of several. */
async function together(...all: Promise<SentNotification>[]): Promise<SentNotification> {
  const [first, ...others] = await Promise.all(all)
  if (!first) throw new Error('there is nothing to send')
  const items = [first, ...others].flatMap(
    ({ body }) => (JSON.parse(body) as { notificationItems: unknown[] }).notificationItems,
  )
  return { ...first, body: JSON.stringify({ live: 'false', notificationItems: items }) }
}

const FUTURE = { version: 99, whatever: 'a later release writes' }
async function store(id: string, key: string, value: unknown): Promise<void> {
  await runInDurableObject(objectOf(id), (_, { storage: { kv } }) =>
    value === undefined ? kv.delete(key) : kv.put(key, value),
  )
  await evictDurableObject(objectOf(id))
}

describe('a signed webhook is accepted once the hub has what it tells, and will ask by itself', () => {
  it.each([
    ['does not answer', () => new Response(null, { status: 503 })],
    ['does not know the payment any more', () => Response.json({ status: 404 }, { status: 404 })],
    ['says a word that the hub does not know', () => Response.json({ id: 'PL1', status: 'dormant' })],
  ])('though the API %s', async (_, fault) => {
    world.fault = fault
    expect((await deliver(account, await world.fake.tell(one, CHARGEBACK))).status).toBe(200)
    expect(await chargedBack(one)).toBe('12.50')
  })

  it('also where it tells nothing but that something happened: the hub asks then by itself', async () => {
    world.fault = () => new Response(null, { status: 503 })
    const told = await world.fake.tell(one, { eventCode: 'CAPTURE', pspReference: 'CA1' })
    for (const _ of [1, 2, 3]) expect((await deliver(account, told)).status).toBe(200)
    world.fault = null
    const before = world.asked.length
    await ringFor(one, HOUR)
    expect(world.asked.length).toBeGreaterThan(before)
  })
})

describe('of several items of a webhook, none holds up another', () => {
  it('that nobody signed', async () => {
    const forged = world.fake.tell(one, CHARGEBACK).then((sent) => ({
      ...sent,
      body: sent.body.replace(/"hmacSignature":"[^"]+"/, '"hmacSignature":"AAAA"'),
    }))
    const warnings = vi.spyOn(console, 'warn').mockReturnValue()
    const sent = await together(forged, world.fake.tell(other, CHARGEBACK))
    expect((await deliver(account, sent)).status).toBe(200)
    expect([await chargedBack(one), await chargedBack(other)]).toEqual([undefined, '12.50'])
    expect(loggedOf(warnings, account)).toEqual([{ event: 'notification.unauthentic', account, item: 1 }])
    const refused = await deliver(account, await together(forged, forged))
    const detail = 'Item 1 of the notification is not signed by the PSP.'
    expect([refused.status, await refused.json()]).toMatchObject([401, { detail }])
  })

  it('of a job that this release cannot read: what it tells counts once the job can be read', async () => {
    const last = (await stored(one)).entry.number
    const entry = String(last).padStart(6, '0')
    const readable = await runInDurableObject(objectOf(one), (_, { storage }) => storage.kv.get(entry))
    await store(one, entry, FUTURE)
    const sent = await together(world.fake.tell(one, CHARGEBACK), world.fake.tell(other, CHARGEBACK))
    expect((await deliver(account, sent)).status).toBe(200)
    expect(await chargedBack(other)).toBe('12.50')
    await store(one, entry, readable)
    await runDurableObjectAlarm(objectOf(one))
    expect(await chargedBack(one)).toBe('12.50')
    await runInDurableObject(objectOf(one), (_, { storage }) =>
      expect(Array.from(storage.kv.list({ prefix: 'aside' }))).toEqual([]),
    )
  })

  it('of a job whose object fails: the webhook is to come again, and counts once', async () => {
    playObject(one, () => ({ ask: () => Promise.reject(new Error('overloaded')) }))
    const sent = await together(world.fake.tell(one, CHARGEBACK), world.fake.tell(other, CHARGEBACK))
    expect((await deliver(account, sent)).status).toBe(503)
    expect(await chargedBack(other)).toBe('12.50')
    vi.mocked(env.PAYMENT_JOB.getByName).mockRestore()
    expect((await deliver(account, sent)).status).toBe(200)
    expect([await chargedBack(one), await chargedBack(other)]).toEqual(['12.50', '12.50'])
  })
})
