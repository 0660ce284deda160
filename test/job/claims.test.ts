import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { askJob } from '../../src/job/call-job.ts'
import { untilOf } from '../../src/job/core/state.ts'
import { createJob, send, giveUp } from '../support/hub/hub.ts'
import { objectOf, recordAnswer, ringNext, stored } from '../support/jobs/job.ts'
import { loggedOf } from '../support/logged.ts'
import { liveShop } from '../support/shops/live-pos.ts'

let id: string
const shop = liveShop()
beforeEach(async () => {
  id = (await createJob(shop.token)).paymentJob
})

describe('what a signed notification claims', () => {
  const claimFailure = async () => {
    const { account, reference } = await stored(id)
    const notified = { is: 'notified', came: Date.now(), account, reference, claims: 'FAILURE' } as const
    await askJob(env, id, 'claim', notified)
    return stored(id)
  }

  it('counts while the PSP says that the payment is open', async () => {
    expect(await claimFailure()).toMatchObject({ status: 'FAILURE', paid: 0 })
  })

  it('makes the hub ask for confirmation, even right after an answer that said open', async () => {
    await send(`/return/${id}`)
    shop.world.fake.setStatus('paid')
    expect(await claimFailure()).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })
})

describe('a payment that the hub stops', () => {
  /** The customer pays just before the hub's stop reaches the PSP. */
  const payFirst = () => {
    shop.world.fault = (request) => {
      if (request.method === 'DELETE') shop.world.fake.setStatus('paid')
      return shop.world.fake.handle(request)
    }
  }

  it('counts if it is paid while the customer cancels', async () => {
    payFirst()
    await giveUp(`/return/${id}?cancelled=1`)
    expect(await stored(id)).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it('counts if it is paid while the job ends', async () => {
    payFirst()
    vi.setSystemTime(untilOf(await stored(id)))
    await runDurableObjectAlarm(objectOf(id))
    expect(await stored(id)).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it('is stopped again if the PSP did not answer the stop at the end of the job', async () => {
    const stops = () => shop.world.asked.filter((call) => call.startsWith('DELETE')).length
    shop.world.fault = (request) =>
      request.method === 'DELETE' ? new Response(null, { status: 502 }) : shop.world.fake.handle(request)
    vi.setSystemTime(untilOf(await stored(id)))
    await runDurableObjectAlarm(objectOf(id))
    expect((await stored(id)).status).toBe('PENDING')
    const before = stops()
    shop.world.fault = null
    expect((await ringNext(id)).status).toBe('EXPIRED')
    expect(stops()).toBeGreaterThan(before)
  })
})

it('a customer who comes back while the PSP is silent leaves a step', async () => {
  shop.world.fault = () => new Response(null, { status: 500 })
  await send(`/return/${id}`)
  expect((await stored(id)).steps.map(({ action, status }) => [action, status])).toEqual([
    ['Start', 'PENDING'],
    ['Return', 'PENDING'],
  ])
})

it('the log shows once what was paid beyond the amount', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue()
  for (const paid of [1250, 1300, 1300]) {
    await recordAnswer(id, { is: 'observed', status: 'SUCCESS', paid, expiresAt: null })
  }
  const { pos, account } = await stored(id)
  expect(loggedOf(warned, id)).toEqual([{ event: 'payment.overpaid', job: id, pos, account }])
  warned.mockRestore()
})

it('what a job logs because of an operator’s question has the id of that request', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue()
  const request = `mine-${crypto.randomUUID()}`
  shop.world.fault = () => new Response(null, { status: 500 })
  await objectOf(id).ask({ why: 'back', request })
  expect(warned).toHaveBeenCalledWith(expect.objectContaining({ event: 'psp.unavailable', job: id, request }))
  warned.mockRestore()
})
