import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY } from '../../src/contract/timestamp.ts'
import { upsertJobs } from '../../src/job-index/job-index.ts'
import { createJob, send, tokenFor } from '../support/hub/hub.ts'
import { stored } from '../support/jobs/job.ts'
import { operate } from '../support/hub/operator.ts'
import { outsideWith } from '../support/outside.ts'
import { deliver, notify, posAt } from '../support/psp-world.ts'
import { SHOP, adyenFake } from '../support/psps/adyen.ts'
import { row } from '../support/hub/shards.ts'

type Webhook = { address: string | null; setUp: string; state: string; last: string | null }

let world: ReturnType<typeof adyenWorld>
let job: string
let account: string

function adyenWorld() {
  return Object.assign(outsideWith(adyenFake()), { psp: 'adyen' })
}

beforeEach(async () => {
  world = adyenWorld()
  job = (await createJob(await tokenFor(await posAt(world)))).paymentJob
  account = (await stored(job)).account
})

async function webhook(): Promise<Webhook> {
  return (await operate('GET', `/accounts/${account}/webhook`)).json()
}

function settled(state: string) {
  return vi.waitFor(async () => expect((await webhook()).state).toBe(state), 5000)
}

describe('whether the notifications of an account come', () => {
  it('is shown with the address to enter at the PSP', async () => {
    expect(await webhook()).toMatchObject({
      address: expect.stringMatching(new RegExp(`/notifications/${account}$`)),
      setUp: expect.stringContaining('Standard webhook'),
      state: 'none',
    })
  })

  it('is reported as missing once it has paid payments', async () => {
    const paid = { account, status: 'SUCCESS', paid: 1250, paidAfter: 15_000 } as const
    await upsertJobs(env.DB, [{ ...row(), created: Date.now() * 1000, ...paid }])
    expect((await webhook()).state).toBe('missing')
    const { accounts } = await (
      await operate('GET', '/health')
    ).json<{ accounts: { account: string; notifications: object }[] }>()
    expect(accounts.find((one) => one.account === account)?.notifications).toEqual({
      state: 'missing',
      last: null,
    })
  })

  it('is known from the first that the HMAC key verifies, whatever came before', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    await deliver(account, { url: null, headers: {}, body: '{"notificationItems":[{}]}' })
    await settled('refused')
    world.fake.bring(job, 'paid')
    await notify(world, job)
    await settled('working')
    const check = await (
      await operate('POST', `/accounts/${account}/check`)
    ).json<{ notifications: Webhook }>()
    expect(check.notifications.last).not.toBeNull()
  })

  it('is written once a day', async () => {
    const puts = vi.spyOn(env.TOKENS, 'put')
    const ofAccount = () => puts.mock.calls.filter(([name]) => name === `notified:${account}`).length
    world.fake.bring(job, 'paid')
    for (let times = 0; times < 3; times++) await notify(world, job)
    await settled('working')
    expect(ofAccount()).toBe(1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY + 60_000 })
    await notify(world, job)
    await vi.waitFor(() => expect(ofAccount()).toBe(2))
  })

  it('is unknown again once the account has other credentials', async () => {
    world.fake.bring(job, 'paid')
    await notify(world, job)
    await settled('working')
    const { apiKey, merchantAccount, hmacKey, livePrefix } = SHOP
    const credentials = { apiKey, merchantAccount, hmacKey, livePrefix }
    expect((await operate('POST', `/accounts/${account}/credentials`, { credentials })).status).toBe(200)
    expect((await webhook()).state).toBe('none')
  })
})

it('status shows notifications for an account that the hub does not have', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  const name = `typo-${crypto.randomUUID().slice(0, 8)}`
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY })
  expect((await send(`/notifications/${name}`, { method: 'POST', body: '{}' })).status).toBe(200)
  await vi.waitFor(async () => {
    const { unknownAccounts } = await (await operate('GET', '/health')).json<{ unknownAccounts: object[] }>()
    expect(unknownAccounts).toContainEqual(expect.objectContaining({ account: name, count: 1 }))
  })
})
