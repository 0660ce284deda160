import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ORIGIN, createJob, location, makePos, send, tokenFor } from '../support/hub/hub.ts'
import { callWorker } from './call-worker.ts'

const BROWSER = { headers: { accept: 'text/html' } }

async function payUrl(): Promise<string> {
  return (await createJob(await tokenFor(await makePos()))).payUrl
}

describe('every page keeps to itself in the browser', () => {
  it.each<[string, () => Promise<string> | string, string]>([
    ['the docs', () => '/docs', 'same-origin'],
    ['the till', () => '/till', 'same-origin'],
    ['the home page', () => '/', 'same-origin'],
    ['a page that does not exist', () => '/docs/nowhere', 'same-origin'],
    ['the console', () => '/console/sign-in', 'same-origin'],
    // A shop may open payUrl in a window of its own.
    ["the sandbox's page", async () => location(await send(await payUrl())), 'unsafe-none'],
    ['the receipt', async () => (await payUrl()).replace('/pay/', '/receipt/'), 'unsafe-none'],
    ['an unknown payment', () => '/pay/nowhere', 'unsafe-none'],
  ])('%s', async (_, address, opener) => {
    const { headers } = await send(await address(), BROWSER)
    expect(headers.get('content-type')).toContain('text/html')
    expect(headers.get('cross-origin-opener-policy')).toBe(opener)
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('permissions-policy')).not.toMatch(/wake-lock|clipboard/)
    expect(headers.get('x-frame-options')).toBe('DENY')
  })
})

describe('security.txt', () => {
  const fileOf = (contact: string | undefined) =>
    callWorker(new Request(`${ORIGIN}/.well-known/security.txt`), {
      ...env,
      SECURITY_CONTACT: contact as string,
    })

  it('names the contacts of the operator, and a time that is to come (RFC 9116)', async () => {
    const answer = await fileOf('security@shop.example https://shop.example/report')
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const lines = (await answer.text()).trim().split('\n')
    expect(lines.slice(0, 2)).toEqual([
      'Contact: mailto:security@shop.example',
      'Contact: https://shop.example/report',
    ])
    const expires = Date.parse(lines.find((line) => line.startsWith('Expires: '))?.slice(9) ?? '')
    expect(expires).toBeGreaterThan(Date.now())
    expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000)
    expect(lines).toContain(`Canonical: ${ORIGIN}/.well-known/security.txt`)
  })

  it.each([undefined, '', '  ', 'nobody', 'http://shop.example'])(
    'is a 404 with the contact %j',
    async (contact) => {
      expect((await fileOf(contact)).status).toBe(404)
    },
  )
})
