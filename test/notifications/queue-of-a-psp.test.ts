import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HOUR } from '../../src/contract/timestamp.ts'
import { createJob, readJob, tokenFor } from '../support/hub/hub.ts'
import { objectOf, playObject, ringFor, stored } from '../support/jobs/job.ts'
import { loggedOf } from '../support/logged.ts'
import { outsideWith } from '../support/outside.ts'
import { deliver, notify, posAt } from '../support/psp-world.ts'
import { adyenFake } from '../support/psps/adyen.ts'
import type { SentNotification } from '../support/psps/fake-psp.ts'

/*
 * Adyen sends the webhooks of an account one after the other, and repeats one that was not accepted for
 * up to 30 days, while all others wait.
 */

function adyenWorld() {
  return Object.assign(outsideWith(adyenFake()), { psp: 'adyen' })
}

let world: ReturnType<typeof adyenWorld>
let token: string
let firstJob: string
let secondJob: string
let account: string
beforeEach(async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  world = adyenWorld()
  token = await tokenFor(await posAt(world))
  ;[firstJob, secondJob] = [await paidJob(), await paidJob()]
  account = (await stored(firstJob)).account
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

/** A webhook with several items. */
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

describe('a signed webhook is accepted once the hub has stored it, and will ask on its own', () => {
  it.each([
    ['does not answer', () => new Response(null, { status: 503 })],
    ['does not know the payment any more', () => Response.json({ status: 404 }, { status: 404 })],
    ['says a word that the hub does not know', () => Response.json({ id: 'PL1', status: 'dormant' })],
  ])('though the API %s', async (_, fault) => {
    world.fault = fault
    expect((await deliver(account, await world.fake.tell(firstJob, CHARGEBACK))).status).toBe(200)
    expect(await chargedBack(firstJob)).toBe('12.50')
  })

  it('even if it only says that something happened: the hub then asks on its own', async () => {
    world.fault = () => new Response(null, { status: 503 })
    const webhook = await world.fake.tell(firstJob, { eventCode: 'CAPTURE', pspReference: 'CA1' })
    for (const _ of [1, 2, 3]) expect((await deliver(account, webhook)).status).toBe(200)
    world.fault = null
    const before = world.asked.length
    await ringFor(firstJob, HOUR)
    expect(world.asked.length).toBeGreaterThan(before)
  })
})

describe('no item of a webhook holds up another', () => {
  it('if it is unsigned', async () => {
    const forged = world.fake.tell(firstJob, CHARGEBACK).then((sent) => ({
      ...sent,
      body: sent.body.replace(/"hmacSignature":"[^"]+"/, '"hmacSignature":"AAAA"'),
    }))
    const warnings = vi.spyOn(console, 'warn').mockReturnValue()
    const sent = await together(forged, world.fake.tell(secondJob, CHARGEBACK))
    expect((await deliver(account, sent)).status).toBe(200)
    expect([await chargedBack(firstJob), await chargedBack(secondJob)]).toEqual([undefined, '12.50'])
    expect(loggedOf(warnings, account)).toEqual([{ event: 'notification.unauthentic', account, item: 1 }])
    const refused = await deliver(account, await together(forged, forged))
    const detail = 'Item 1 of the notification is not signed by the PSP.'
    expect([refused.status, await refused.json()]).toMatchObject([401, { detail }])
  })

  it('if this release cannot read its job: it counts once the job can be read', async () => {
    const last = (await stored(firstJob)).entry.number
    const entry = String(last).padStart(6, '0')
    const readable = await runInDurableObject(objectOf(firstJob), (_, { storage }) => storage.kv.get(entry))
    await store(firstJob, entry, FUTURE)
    const sent = await together(world.fake.tell(firstJob, CHARGEBACK), world.fake.tell(secondJob, CHARGEBACK))
    expect((await deliver(account, sent)).status).toBe(200)
    expect(await chargedBack(secondJob)).toBe('12.50')
    await store(firstJob, entry, readable)
    await runDurableObjectAlarm(objectOf(firstJob))
    expect(await chargedBack(firstJob)).toBe('12.50')
    await runInDurableObject(objectOf(firstJob), (_, { storage }) =>
      expect(Array.from(storage.kv.list({ prefix: 'aside' }))).toEqual([]),
    )
  })

  it('if its job’s object fails: the webhook must come again, and counts once', async () => {
    playObject(firstJob, () => ({ ask: () => Promise.reject(new Error('overloaded')) }))
    const sent = await together(world.fake.tell(firstJob, CHARGEBACK), world.fake.tell(secondJob, CHARGEBACK))
    expect((await deliver(account, sent)).status).toBe(503)
    expect(await chargedBack(secondJob)).toBe('12.50')
    vi.mocked(env.PAYMENT_JOB.getByName).mockRestore()
    expect((await deliver(account, sent)).status).toBe(200)
    expect([await chargedBack(firstJob), await chargedBack(secondJob)]).toEqual(['12.50', '12.50'])
  })
})
