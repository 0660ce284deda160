import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'

function ask(url: string, init: RequestInit = {}, loopback = 'refused'): Promise<Response> {
  return worker.fetch(
    new Request(url, { redirect: 'manual', ...init }) as Parameters<typeof worker.fetch>[0],
    {
      ...env,
      LOOPBACK_URLS: loopback,
    },
  )
}

describe('outside the local run a plain http request', () => {
  it.each(['GET', 'HEAD'])('is redirected to the same address over https if it is a %s', async (method) => {
    const response = await ask('http://hub.shop-payments.com/pay/x?a=1&b=%20', { method })
    expect(response.status).toBe(308)
    expect(response.headers.get('location')).toBe('https://hub.shop-payments.com/pay/x?a=1&b=%20')
  })

  it('is redirected without the port, which has no https', async () => {
    const response = await ask('http://hub.shop-payments.com:8080/pay/x')
    expect(response.headers.get('location')).toBe('https://hub.shop-payments.com/pay/x')
  })

  it.each([
    ['POST', '/v2/paymentjobs'],
    ['POST', '/operator/v1/pos'],
    ['POST', '/notifications/shop'],
    ['POST', '/sandbox/payments/x/pay'],
  ])('is refused if it is a %s of %s', async (method, path) => {
    const response = await ask(`http://hub.shop-payments.com${path}`, { method })
    expect(response.status).toBe(403)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({
      error: 'Use https: anyone on the way can read what you send over http.',
    })
  })
})

it('an answer over https makes browsers stay with https', async () => {
  for (const path of ['/', '/pay/x', '/v1/guardian', '/operator/v1/pos']) {
    const response = await ask(`https://hub.shop-payments.com${path}`)
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
  }
})

it('a local hub answers over http, without a word about https', async () => {
  const response = await ask('http://localhost:8787/v1/guardian', {}, 'allowed')
  expect(response.status).toBe(401)
  expect(response.headers.has('strict-transport-security')).toBe(false)
})
