import { Webhook } from 'standardwebhooks'
import { expect, it, vi } from 'vitest'
import { createJob, makePos, payAs, read, send, tokenFor } from '../support/hub.ts'
import { hmacSha512 } from '../support/hmac.ts'
import { operate } from '../support/operator.ts'
import { receiver } from '../support/receiver.ts'

async function guardian(apiKey: string): Promise<number> {
  return (await send('/v1/guardian', { headers: { authorization: `Bearer ${apiKey}` } })).status
}

it('two API keys are live while one is rotated out; revoking ends the older one and every token', async () => {
  const pos = await makePos()
  const token = await tokenFor(pos)
  const { apiKey } = await (await operate('POST', `/pos/${pos.id}/keys`)).json<{ apiKey: string }>()
  expect([await guardian(pos.apiKey), await guardian(apiKey)]).toEqual([200, 200])
  expect(await (await operate('POST', `/pos/${pos.id}/keys/revoke`)).json()).toEqual({
    id: pos.id,
    revoked: 1,
  })
  expect([await guardian(pos.apiKey), await guardian(apiKey)]).toEqual([401, 200])
  expect((await read(token, crypto.randomUUID())).status).toBe(401)
})

it('a new signing secret signs at once, logs nobody out, and reports still verify with the old one', async () => {
  const shop = receiver()
  const pos = await makePos()
  const token = await tokenFor(pos)
  const { signingSecret } = await (
    await operate('POST', `/pos/${pos.id}/secret`)
  ).json<{ signingSecret: string }>()
  expect(signingSecret).not.toBe(pos.signingSecret)
  const { payUrl, paymentJob } = await createJob(token)
  const response = await read(token, paymentJob)
  expect(response.headers.get('x-signature')).toBe(await hmacSha512(signingSecret, await response.text()))
  await payAs(payUrl, 'paid')
  const report = await vi.waitFor(() => {
    const [first] = shop.of(paymentJob)
    if (!first) throw new Error('no report yet')
    return first
  }, 15_000)
  shop.stop()
  for (const secret of [signingSecret, pos.signingSecret]) {
    expect(() => new Webhook(secret).verify(report.body, report.headers)).not.toThrow()
  }
})

it('a revoke ends the tokens of before it, also by a Worker whose clock is behind', async () => {
  const pos = await makePos()
  await operate('POST', `/pos/${pos.id}/keys/revoke`)
  const token = await tokenFor(pos)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 5000 })
  await operate('POST', `/pos/${pos.id}/keys/revoke`)
  vi.useRealTimers()
  expect((await read(token, crypto.randomUUID())).status).toBe(401)
  expect((await read(await tokenFor(pos), crypto.randomUUID())).status).toBe(404)
})

it('a revoke of one key alone ends none, and says so', async () => {
  const pos = await makePos()
  expect(await (await operate('POST', `/pos/${pos.id}/keys/revoke`)).json()).toMatchObject({ revoked: 0 })
  expect(await guardian(pos.apiKey)).toBe(200)
})

it('of two keys of one instant, a revoke ends the first', async () => {
  const pos = await makePos()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const [first, second] = [await addKey(pos.id), await addKey(pos.id)]
  vi.useRealTimers()
  expect(await (await operate('POST', `/pos/${pos.id}/keys/revoke`)).json()).toMatchObject({ revoked: 2 })
  expect([await guardian(first), await guardian(second)]).toEqual([401, 200])
})

async function addKey(id: string): Promise<string> {
  return (await (await operate('POST', `/pos/${id}/keys`)).json<{ apiKey: string }>()).apiKey
}
