import { describe, expect, it, vi } from 'vitest'
import { type JobJson, askWith, create, makePos, readJob, send, tokenFor } from '../support/hub/hub.ts'
import { playObject, recordAnswer } from '../support/jobs/job.ts'
import { liveShop } from '../support/shops/live-pos.ts'

const shop = liveShop()

async function openJob(): Promise<string> {
  return (await (await create(shop.token)).json<JobJson>()).paymentJob
}
function cancel(id: string, bearer = shop.token): Promise<Response> {
  return askWith(bearer, 'POST', `/v2/paymentjobs/${id}/cancel`)
}

describe('a cancel', () => {
  it('stops the payment at the PSP, is a step, and is reported', async () => {
    const id = await openJob()
    const response = await cancel(id)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-signature')).not.toBeNull()
    const job = await response.json<JobJson>()
    expect(job).toMatchObject({ status: 'CANCELLED', amountPaid: '0.00' })
    expect(job.payments.steps.map(({ action }) => action)).toEqual(['Start', 'Cancel'])
    expect(shop.world.fake.payments.find((payment) => payment.job === id)?.status).toBe('canceled')
    await vi.waitFor(() => expect(shop.world.reportsOf(id)).toEqual(['CANCELLED']))
  })

  it('twice is the same as once', async () => {
    const id = await openJob()
    const answers = await Promise.all([cancel(id), cancel(id), cancel(id)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await readJob(shop.token, id)).payments.steps).toHaveLength(2)
  })

  it('of a job that no PSP has taken yet ends it, in one call of its object', async () => {
    shop.world.fault = () => new Response(null, { status: 503 })
    const id = await openJob()
    playObject(id, () => ({ pull: () => Promise.reject(new Error('This one is called as well.')) }))
    const response = await cancel(id)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status: 'CANCELLED' })
  })

  it.each([
    ['paid', 'SUCCESS'],
    ['failed', 'FAILURE'],
    ['expired', 'EXPIRED'],
  ] as const)('of a payment that is already %s is answered with its status: %s', async (outcome, status) => {
    const id = await openJob()
    shop.world.fake.bring(id, outcome)
    const response = await cancel(id)
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining(status) as string })
    expect(await readJob(shop.token, id)).toMatchObject({ status })
  })

  it.each([
    ['pending', 'PENDING, with its money on the way'],
    ['authorized', 'SUCCESS'],
  ] as const)(
    'changes nothing about a job that is %s: it is too late, and the payment job is %s',
    async (status, how) => {
      const id = await openJob()
      shop.world.fake.setStatusOf(id, status)
      const response = await cancel(id)
      expect(response.status).toBe(409)
      expect(await response.json()).toMatchObject({
        detail: `It is too late to cancel: the payment job is ${how}.`,
      })
      expect(shop.world.asked.some((asked) => asked.startsWith('DELETE'))).toBe(false)
      expect((await readJob(shop.token, id)).status).not.toBe('CANCELLED')
    },
  )

  it('has to be repeated while the PSP does not answer', async () => {
    const id = await openJob()
    shop.world.fault = () => new Response(null, { status: 500 })
    const response = await cancel(id)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).not.toBeNull()
    expect(await response.json()).toMatchObject({ detail: 'The payment could not be stopped. Try again.' })
    expect((await readJob(shop.token, id)).status).toBe('PENDING')
  })

  it.each([
    ['has ended', 'paid'],
    ['has its money on the way', 'pending'],
  ] as const)(
    'of a job that %s does not ask the PSP, and is answered even while that is silent',
    async (_, status) => {
      const id = await openJob()
      shop.world.fake.setStatusOf(id, status)
      await send(`/return/${id}`)
      // Long enough not to share the answer to the return.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
      shop.world.fault = () => new Response(null, { status: 500 })
      const payment = shop.world.fake.payments.find(({ job }) => job === id)?.id ?? ''
      const asked = () => shop.world.asked.filter((ask) => ask.includes(payment)).length
      const before = asked()
      expect(before).toBeGreaterThan(0)
      expect((await cancel(id)).status).toBe(409)
      expect(asked()).toBe(before)
    },
  )

  it('is too late for a job that is paid while the PSP is asked and does not answer', async () => {
    const id = await openJob()
    shop.world.fault = async () => {
      await recordAnswer(id, {
        is: 'observed',
        status: 'SUCCESS',
        paid: 1250,
        expiresAt: null,
      })
      return new Response(null, { status: 500 })
    }
    const response = await cancel(id)
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('SUCCESS') as string })
  })

  it('of another point of sale is unknown', async () => {
    const id = await openJob()
    expect((await cancel(id, await tokenFor(await makePos()))).status).toBe(404)
    expect((await readJob(shop.token, id)).status).toBe('PENDING')
  })
})
