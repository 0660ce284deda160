import { Webhook } from 'standardwebhooks'
import { expect, it, vi } from 'vitest'
import { createJob, makePos, payAs, read, send, tokenFor } from '../support/hub.ts'
import { hmacSha512 } from '../support/hmac.ts'
import { operate } from '../support/operator.ts'
import { receiver } from '../support/receiver.ts'

const guardian = async (apiKey: string): Promise<number> =>
  (await send('/v1/guardian', { headers: { authorization: `Bearer ${apiKey}` } })).status

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

it.each(['keys', 'keys/revoke', 'secret'])('says when there is no such point of sale: %s', async (path) => {
  expect((await operate('POST', `/pos/frob/${path}`)).status).toBe(404)
})
