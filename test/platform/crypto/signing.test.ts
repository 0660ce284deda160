import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import {
  bodySignature,
  signingSecret,
  signingSecrets,
  webhookHeaders,
} from '../../../src/platform/crypto/signing.ts'

const BODY = '{"paymentJob":"7f2c","status":"SUCCESS","orderNumber":"é € 👍"}'
function now(): number {
  return Math.floor(Date.now() / 1000)
}

describe('the signing secret of a point of sale', () => {
  it('is 64 base64 characters without padding', async () => {
    expect(await signingSecret('root', 'pos1', 1)).toMatch(/^[A-Za-z0-9+/]{64}$/)
  })

  // Computed with node:crypto. Points of sale have stored theirs: another way to derive it would lock
  // them out.
  it('never changes for the same root, point of sale and version', async () => {
    expect(await signingSecret('root', 'pos1', 1)).toBe(
      'ZTRZWNbl2y8/yEkPoO+KFAXiFxrTt0ZgnuDrlWMU5S6zekS/IsbqGfDf53y7TgYE',
    )
  })

  it('differs for another root, point of sale or version', async () => {
    const secrets = await Promise.all([
      signingSecret('root', 'pos1', 1),
      signingSecret('root2', 'pos1', 1),
      signingSecret('root', 'pos2', 1),
      signingSecret('root', 'pos1', 2),
      signingSecret('root', 'pos1:1', 1),
      signingSecret('root', 'pos1', 11),
    ])
    expect(new Set(secrets).size).toBe(secrets.length)
  })
})

it('there is one secret for the first version, and also the previous one for later versions', async () => {
  const [first, second] = await Promise.all([1, 2].map((version) => signingSecret('root', 'pos1', version)))
  expect(await signingSecrets('root', 'pos1', 1)).toEqual([first])
  expect(await signingSecrets('root', 'pos1', 2)).toEqual([second, first])
})

it('signs a body with hex HMAC-SHA512, keyed by the secret as text', async () => {
  // Computed with node:crypto.
  expect(await bodySignature('key', '{"a":"é"}')).toBe(
    'd7691b733588981a59f53c84e28268184fb7d84d10fe3bf1c8cd5c3a5bd3ac33c7d9d9a97a738f948584baaa3b41bc8ab008c44a435a8ac4a6b1651ca11b7b04',
  )
})

describe('a Standard Webhooks message', () => {
  const message = async () => {
    const secret = await signingSecret('root', 'pos1', 1)
    return { secret, headers: await webhookHeaders([secret], 'msg_7f2c_2', now(), BODY) }
  }

  it("is verified by the standard's own library with the secret as it was given", async () => {
    const { secret, headers } = await message()
    expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY))
    expect(new Webhook(`whsec_${secret}`).verify(BODY, headers)).toEqual(JSON.parse(BODY))
  })

  it('is also verified by the previous secret while the point of sale switches', async () => {
    const headers = await webhookHeaders(await signingSecrets('root', 'pos1', 3), 'msg_1', now(), BODY)
    for (const version of [3, 2]) {
      const secret = await signingSecret('root', 'pos1', version)
      expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY))
    }
    const older = await signingSecret('root', 'pos1', 1)
    expect(() => new Webhook(older).verify(BODY, headers)).toThrow(WebhookVerificationError)
  })

  it('has exactly the three headers, the id and time as given', async () => {
    const secret = await signingSecret('root', 'pos1', 1)
    const headers = await webhookHeaders([secret], 'msg_1', 1_790_000_000, BODY)
    expect(Object.keys(headers)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    expect(headers).toMatchObject({ 'webhook-id': 'msg_1', 'webhook-timestamp': '1790000000' })
  })

  it.each([
    ['the body is another', {}, `${BODY} `],
    ['the id is another', { 'webhook-id': 'msg_7f2c_3' }, BODY],
    ['the time is another', { 'webhook-timestamp': String(now() - 60) }, BODY],
    ['the signature is of another version', { 'webhook-signature': 'v2,abc' }, BODY],
  ])('is refused when %s', async (_, changes, body) => {
    const { secret, headers } = await message()
    expect(() => new Webhook(secret).verify(body, { ...headers, ...changes })).toThrow(
      WebhookVerificationError,
    )
  })

  it("is refused under another point of sale's secret", async () => {
    const { headers } = await message()
    const other = await signingSecret('root', 'pos2', 1)
    expect(() => new Webhook(other).verify(BODY, headers)).toThrow(WebhookVerificationError)
  })
})
