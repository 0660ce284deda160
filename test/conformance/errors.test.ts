import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { askWith, create, makePos, order, send, tokenFor } from '../support/hub/hub.ts'

type Problem = {
  title: string
  status: number
  detail: string
  error: string
  field: string
  errors?: { field: string; error: string }[]
}

let token: string
beforeAll(async () => {
  token = await tokenFor(await makePos())
})

function gzip(text: string): Promise<ArrayBuffer> {
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()
}

async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const problem = await response.json<Problem>()
  expect(problem.status).toBe(response.status)
  return problem
}

describe('"All of the following are required"', () => {
  it.each(Object.keys(order))('a create without %s is 422, and names it', async (field) => {
    const response = await create(token, { ...order, [field]: undefined })
    expect(response.status).toBe(422)
    expect(await problemOf(response)).toMatchObject({ field, errors: [{ field, error: 'is required' }] })
  })

  it('reports all invalid fields at once', async () => {
    const response = await create(token, {
      ...order,
      currency: 'XXX',
      amount: '1.2.3',
      language: 'klingonese',
    })
    const { field, errors } = await problemOf(response)
    expect(field).toBe('currency')
    expect(errors?.map((error) => error.field)).toEqual(['currency', 'amount', 'language'])
  })
})

describe('bad values', () => {
  it.each<[string, object]>([
    ['amount', { amount: '10.001' }],
    ['amount', { amount: '10.50', currency: 'JPY' }],
    ['currency', { currency: 'eur' }],
    ['order_id', { order_id: 'A7' }],
    ['order_number', { order_number: '' }],
    ['timestamp', { timestamp: 'yesterday' }],
    ['language', { language: 'klingonese' }],
    ['ip_address', { ip_address: '1.2.3' }],
    ['payment_method', { payment_method: 'a b' }],
    ['return_url', { return_url: 'http://shop.nl' }],
    ['report_url', { report_url: 'https://db.internal/' }],
  ])('%s is refused as %j', async (field, changes) => {
    const response = await create(token, { ...order, ...changes })
    expect(response.status).toBe(422)
    expect(await problemOf(response)).toMatchObject({ field })
  })
})

describe('bad bodies', () => {
  it.each([
    ['no JSON', '{"amount":', 400],
    ['nothing', '', 400],
    ['an array', '[]', 400],
    ['null', 'null', 400],
    ['more than 64 KiB', JSON.stringify({ ...order, extra: 'x'.repeat(65_536) }), 413],
  ])('%s', async (_, body, status) => {
    const response = await create(token, body)
    expect(response.status).toBe(status)
    await problemOf(response)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])(
    'a Content-Type of %s is 415',
    async (type) => {
      const response = await create(token, order, { 'content-type': type })
      expect(response.status).toBe(415)
      await problemOf(response)
    },
  )

  it.each(['gzip', 'GZIP', 'br', 'identity, gzip', 'gzip,identity', 'nonsense'])(
    'a Content-Encoding of %s is 415, and says which may be sent (RFC 9110, section 12.5.3)',
    async (coding) => {
      const body = coding === 'gzip' ? await gzip(JSON.stringify(order)) : JSON.stringify(order)
      const headers = { 'content-type': 'application/json', 'content-encoding': coding }
      const response = await send('/v2/paymentjobs', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, ...headers },
        body,
      })
      expect(response.status).toBe(415)
      expect(response.headers.get('accept-encoding')).toBe('identity')
      expect(await problemOf(response)).toMatchObject({
        code: 'content-encoding-unsupported',
        field: 'Content-Encoding',
      })
      const byOperator = await askWith(env.OPERATOR_TOKEN, 'POST', '/operator/v1/pos', { name: 'A' }, headers)
      expect(byOperator.status).toBe(415)
    },
  )

  it.each(['identity', 'Identity', '', 'utf-8'])('a Content-Encoding of %j is none', async (coding) => {
    expect((await create(token, order, { 'content-encoding': coding })).status).toBe(201)
  })
})

describe('addresses and methods', () => {
  it.each([
    ['POST', '/v1/guardian', 'GET, HEAD'],
    ['DELETE', '/v2/paymentjobs', 'GET, HEAD, POST'],
    ['DELETE', '/v2/paymentjobs/x', 'GET, HEAD'],
    ['PUT', '/v2/paymentjobs', 'GET, HEAD, POST'],
    ['DELETE', '/v2/paymentjobs/x/cancel', 'POST'],
  ])('%s %s is 405 with Allow: %s', async (method, path, allow) => {
    const response = await send(path, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allow)
    expect(await problemOf(response)).toMatchObject({ detail: `This address only supports ${allow}.` })
  })

  it.each(['/v2', '/v3/paymentjobs', '/v1/guardian/x', '/constructor', '/__proto__'])(
    '%s is 404',
    async (path) => {
      const response = await send(path)
      expect(response.status).toBe(404)
      await problemOf(response)
    },
  )
})
