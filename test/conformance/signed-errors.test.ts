import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/platform/http/routes.ts'
import { servePos } from '../../src/pos-api/handler.ts'
import { watchLogs } from '../security/evidence.ts'
import { breakObjects } from '../security/outages.ts'
import { hmacSha512 } from '../support/shops/hmac.ts'
import { ORIGIN, type Pos, create, makePos, order, read, tokenFor } from '../support/hub/hub.ts'

let pos: Pos
let token: string
beforeAll(async () => {
  pos = await makePos()
  token = await tokenFor(pos)
})

/** Returns the problem in an answer after checking its signature. */
async function verified(response: Response): Promise<unknown> {
  const body = await response.text()
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.headers.get('x-signature')).toBe(await hmacSha512(pos.signingSecret, body))
  return JSON.parse(body)
}

describe('an error that a known point of sale gets carries X-Signature over its raw body', () => {
  it.each<[number, string, () => Promise<Response>]>([
    [422, 'an invalid field', () => create(token, { ...order, amount: '0' })],
    [400, 'no JSON', () => create(token, '{')],
    [400, 'a bad key', () => create(token, order, { 'idempotency-key': 'a b' })],
    [413, 'a body that is too large', () => create(token, `{"x":"${'x'.repeat(70_000)}"}`)],
    [415, 'another Content-Type', () => create(token, order, { 'content-type': 'text/plain' })],
    [404, 'an unknown job', () => read(token, crypto.randomUUID())],
  ])('%i: %s', async (status, _, answer) => {
    const response = await answer()
    expect(response.status).toBe(status)
    expect(await verified(response)).toMatchObject({ status })
  })

  it('503: the objects are down', async () => {
    watchLogs()
    const id = crypto.randomUUID()
    const objects = breakObjects('overloaded')
    const response = await read(token, id)
    objects.mend()
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await verified(response)).toMatchObject({ status: 503, field: '' })
  })

  it('500: a fault of ours, which is logged', async () => {
    const logs = watchLogs()
    const broken = routes((table) =>
      table.get('/broken', (asked, context) =>
        servePos('listRefunds', () => Promise.reject(new Error('of ours')), asked, context),
      ),
    )
    const request = new Request(`${ORIGIN}/broken`, { headers: { authorization: `Bearer ${token}` } })
    expect(await verified(await broken(request, env))).toMatchObject({ status: 500, field: '' })
    expect(logs.lines.join()).toContain('request.failed')
  })
})

it('an error for an unknown caller has no signature', async () => {
  const response = await create('0'.repeat(160))
  expect(response.status).toBe(401)
  expect(response.headers.has('x-signature')).toBe(false)
})

// Existing clients print `field: error`.
describe('a problem names its field once when its field and its error are read together', () => {
  it.each<[string, string, string, () => Promise<Response>]>([
    [
      'amount',
      'must be more than zero',
      'amount must be more than zero',
      () => create(token, { ...order, amount: '0' }),
    ],
    [
      'currency',
      'must be a text; language must be a text',
      'currency must be a text; language must be a text',
      () => create(token, { ...order, currency: 1, language: 1 }),
    ],
    ['body', 'is not valid JSON.', 'The body is not valid JSON.', () => create(token, '{')],
    [
      'Idempotency-Key',
      'must have 1 to 255 visible ASCII characters.',
      'The Idempotency-Key must have 1 to 255 visible ASCII characters.',
      () => create(token, order, { 'idempotency-key': 'a b' }),
    ],
    [
      'Content-Type',
      'must be application/json.',
      'The Content-Type must be application/json.',
      () => create(token, order, { 'content-type': 'text/plain' }),
    ],
    [
      '',
      'There is no payment job with this id.',
      'There is no payment job with this id.',
      () => read(token, 'x'),
    ],
  ])('%s: %s', async (field, error, detail, answer) => {
    expect(await (await answer()).json()).toMatchObject({ field, error, detail })
  })
})
