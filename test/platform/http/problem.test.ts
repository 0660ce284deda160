import { describe, expect, it } from 'vitest'
import { PROBLEMS } from '../../../src/contract/problems.ts'
import { problem } from '../../../src/platform/http/refusal.ts'
import { inRequest } from '../../../src/platform/request-context.ts'
import { send } from '../../support/hub/hub.ts'

describe('a problem', () => {
  it("has a code, and its type is the address of the paragraph about it in this hub's documents", async () => {
    const answer = await send('/v1/guardian', { headers: { authorization: 'Bearer wrong' } })
    expect(await answer.json()).toEqual({
      type: 'https://hub.shop-payments.com/docs/errors#api-key-invalid',
      code: 'api-key-invalid',
      title: 'The API key is not valid',
      status: 401,
      detail: 'The API key is unknown or revoked, or its point of sale is disabled.',
      error: 'The API key is unknown or revoked, or its point of sale is disabled.',
      field: '',
    })
  })

  it('has the type of the hub that was asked', async () => {
    const answer = inRequest(() => problem({ code: 'job-not-found', detail: 'None.' }), {
      origin: 'https://b.example',
    })
    expect(await answer.json()).toMatchObject({ type: 'https://b.example/docs/errors#job-not-found' })
  })

  it.each([
    [undefined, 'credentials-missing'],
    ['Basic YTpi', 'credentials-missing'],
    ['Bearer', 'credentials-missing'],
    ['Bearer a b', 'token-invalid'],
    ['Bearer wrong', 'token-invalid'],
    [`Bearer ${'k'.repeat(160)}`, 'api-key-invalid'],
  ])('of a request with the credentials %j is %s', async (authorization, code) => {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await send('/v2/paymentjobs/x', { headers })
    expect(await answer.json()).toMatchObject({ code, status: 401 })
  })

  it.each([
    ['/v1/guardian', 'Bearer a b', 'api-key-invalid'],
    ['/operator/v1/pos', 'Bearer a b', 'operator-token-invalid'],
    ['/v1/guardian', 'Basic YTpi', 'credentials-missing'],
    ['/v2/paymentjobs', 'Basic YTpi', 'credentials-missing'],
    ['/operator/v1/pos', 'Basic YTpi', 'credentials-missing'],
  ])(
    'of %s with %s is %s, with an error in its challenge only if a Bearer token was sent',
    async (...given) => {
      const [path, authorization, code] = given
      const answer = await send(path, { headers: { authorization } })
      expect(await answer.json()).toMatchObject({ code, status: 401 })
      const challenge = answer.headers.get('www-authenticate') ?? ''
      expect(challenge).toMatch(/^Bearer realm="payment-hub"/)
      expect(challenge.includes('error=')).toBe(code !== 'credentials-missing')
    },
  )
})

describe('the codes', () => {
  it('have a form that fits an address, the status of an error, and a title of their own', () => {
    for (const [code, [status]] of Object.entries(PROBLEMS)) {
      expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(status).toBeGreaterThanOrEqual(400)
    }
    const titles = Object.values(PROBLEMS).map(([, title]) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })

  it('keep their status once they are published', () => {
    const published = Object.entries(PROBLEMS).map(([code, [status]]) => `${status} ${code}`)
    expect(published).toEqual(expect.arrayContaining(PUBLISHED))
  })
})

/** Clients act on these: a code may be added, but none may be removed or get another status. */
const PUBLISHED = [
  '400 body-malformed',
  '400 idempotency-key-malformed',
  '401 api-key-invalid',
  '401 credentials-missing',
  '401 operator-token-invalid',
  '401 signature-invalid',
  '401 token-invalid',
  '403 https-required',
  '404 account-not-found',
  '404 address-unknown',
  '404 job-not-found',
  '404 pos-not-found',
  '404 sandbox-action-unknown',
  '404 sandbox-payment-not-found',
  '405 method-not-allowed',
  '409 cancel-too-late',
  '409 idempotency-key-used-up',
  '409 refund-limit',
  '409 refund-nothing-left',
  '409 refund-unpaid',
  '409 sandbox-action-impossible',
  '413 body-too-large',
  '415 content-type-unsupported',
  '415 content-encoding-unsupported',
  '422 account-conflict',
  '422 fields-invalid',
  '422 idempotency-key-reused',
  '422 refund-refused',
  '422 refund-too-much',
  '403 test-mode-only',
  '409 too-many-listeners',
  '426 upgrade-required',
  '429 rate-limited',
  '429 too-many-watchers',
  '500 internal-error',
  '503 deploy-under-way',
  '503 hub-misconfigured',
  '503 psp-unavailable',
  '503 stored-unreadable',
  '503 unavailable',
]
