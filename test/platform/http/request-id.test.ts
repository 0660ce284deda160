import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { askWith, createJob, makePos, payAs, send, tokenFor } from '../../support/hub/hub.ts'
import { waitForNextPull } from '../../support/jobs/job.ts'
import { liveShop } from '../../support/shops/live-pos.ts'
import { receiver } from '../../support/shops/receiver.ts'
import { newApiKey } from '../../../src/operator-api/points-of-sale.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

async function idOf(path: string, headers: Record<string, string> = {}): Promise<string | null> {
  return (await send(path, { headers })).headers.get('x-request-id')
}

describe('X-Request-Id', () => {
  it.each(['/v1/guardian', '/v2/paymentjobs/x', '/pay/x', '/sandbox/x', '/nowhere', '/return/x'])(
    'is in the answer of %s, as the client sent it, or a new one',
    async (path) => {
      expect(await idOf(path, { 'x-request-id': 'till-7:order.1_2' })).toBe('till-7:order.1_2')
      const [one, other] = [await idOf(path), await idOf(path)]
      expect(one).toMatch(UUID)
      expect(other).not.toBe(one)
    },
  )

  it.each([
    ['empty', ''],
    ['too long', 'a'.repeat(129)],
    ['with a space', 'a b'],
    ['with a quote', 'a"b'],
    ['with a letter that is not ASCII', 'é'],
  ])('is a new one when the client sends one that is %s', async (_, given) => {
    expect(await idOf('/v1/guardian', { 'x-request-id': given })).toMatch(UUID)
  })

  it('has at most 128 characters', async () => {
    const id = 'a'.repeat(128)
    expect(await idOf('/v1/guardian', { 'x-request-id': id })).toBe(id)
  })

  it('is in the log event of its request', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const id = `mine-${crypto.randomUUID()}`
    await send('/notifications/nobody-has-it', {
      method: 'POST',
      headers: { 'x-request-id': id },
      body: '{}',
    })
    expect(warned).toHaveBeenCalledWith(
      expect.objectContaining({ event: 'notification.account-unknown', request: id }),
    )
  })

  describe('is in the log event of a PSP that does not answer', () => {
    const shop = liveShop()
    const headers = { 'x-request-id': `mine-${crypto.randomUUID()}` }
    const down = () => new Response(null, { status: 502 })

    it('when a customer wants to pay', async () => {
      shop.world.fault = down
      const { payUrl, paymentJob: job } = await createJob(shop.token)
      waitForNextPull()
      const warned = vi.spyOn(console, 'warn').mockReturnValue()
      await send(payUrl, { headers })
      const event = { event: 'psp.unavailable', job, request: headers['x-request-id'] }
      expect(warned).toHaveBeenCalledWith(expect.objectContaining(event))
    })

    it('when a shop wants to refund', async () => {
      const { paymentJob: job } = await createJob(shop.token)
      shop.world.fake.bring(job, 'paid')
      await send(`/return/${job}`)
      shop.world.fault = down
      const warned = vi.spyOn(console, 'warn').mockReturnValue()
      await askWith(shop.token, 'POST', `/v2/paymentjobs/${job}/refunds`, {}, headers)
      const event = { event: 'psp.instruction-unanswered', job, request: headers['x-request-id'] }
      expect(warned).toHaveBeenCalledWith(expect.objectContaining(event))
    })
  })

  it('is the id of a fault, in the log and in the answer', async () => {
    const failed = vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
      throw new Error('no table')
    })
    const id = `mine-${crypto.randomUUID()}`
    const key = await newApiKey(env)
    const answer = await send('/v1/guardian', {
      headers: { 'x-request-id': id, authorization: `Bearer ${key}` },
    })
    expect(await answer.json()).toMatchObject({
      code: 'internal-error',
      status: 500,
      detail: expect.stringContaining(id) as string,
    })
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ event: 'request.failed', request: id, id }))
  })

  it('is on every report, a different one each time', async () => {
    const shop = receiver()
    const token = await tokenFor(await makePos())
    const first = await createJob(token)
    const second = await createJob(token)
    await Promise.all([first, second].map(({ payUrl }) => payAs(payUrl, 'paid')))
    const ids = await vi.waitFor(() =>
      [first, second].map(({ paymentJob }) => {
        const [report] = shop.of(paymentJob)
        expect(report).toBeDefined()
        return report?.headers['x-request-id']
      }),
    )
    expect(ids).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)])
    expect(ids[0]).not.toBe(ids[1])
  })
})
