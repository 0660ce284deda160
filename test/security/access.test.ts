import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Pos, makePos, send, tokenFor } from '../support/hub/hub.ts'
import { operate } from '../support/hub/operator.ts'
import { ROUTES, addressOf } from './routes.ts'

let ownShop: { pos: Pos; token: string }
beforeAll(async () => {
  const pos = await makePos()
  ownShop = { pos, token: await tokenFor(pos) }
})

/** The secrets that open an address, by its beginning. Everyone may use all other addresses. */
const OPENED_BY = [
  [/^(\/api)?\/v1\/guardian/, ['API key']],
  [/^\/v2\/(payment(jobs|methods)|terminals)/, ['access token', 'API key']],
  [/^\/api\/v1\/paymentjobs/, ['access token', 'API key']],
  [/^\/v2\/reports/, ['access token', 'API key']],
  [/^\/operator\/v1\//, ['operator token']],
] as const

/** Open to everyone: customers, PSPs, testers of payments, monitors, and the site's files. */
const PUBLIC = [
  '/pay/:id',
  '/return/:id',
  '/receipt/:id',
  '/receipt/:id/events',
  '/notifications/:account?/:job?',
  '/sandbox/checkout/:id',
  '/sandbox/payments/:id/:action',
  '/sandbox/terminals/:name',
  '/',
  '/docs/*',
  '/docs/assets/*',
  '/docs/hashmap.json',
  '/docs/vp-icons.css',
  '/till',
  '/assets/*',
  '/openapi.json',
  '/operator/openapi.json',
  '/client.js',
  '/kit.tgz',
  '/client.d.ts',
  '/client.php',
  '/client.py',
  '/llms.txt',
  '/favicon.svg',
  '/favicon.ico',
  '/robots.txt',
  '/healthz',
  '/.well-known/security.txt',
]

function openerOf(pattern: string) {
  return OPENED_BY.find(([start]) => start.test(pattern))?.[1]
}

it('every route is either opened by a secret or known to be public', () => {
  expect(ROUTES.length).toBeGreaterThan(15)
  const open = ROUTES.filter(({ pattern }) => openerOf(pattern) === undefined).map(({ pattern }) => pattern)
  expect(new Set(open)).toEqual(new Set(PUBLIC))
})

const CLOSED = [
  ...ROUTES.map((route) => [route.method, addressOf(route, 'tr_00000000000000000000')] as const),
  ['GET', '/operator/v1/whatever'] as const,
].flatMap(([method, path]) => {
  const opens = openerOf(path)
  return opens === undefined ? [] : [[method, path, opens] as const]
})

let requests = 0

describe.each(CLOSED)('%s %s', (method, path, opens) => {
  // Each request has another IP address: wrong tokens are limited by address (limits.test.ts).
  const ask = async (authorization?: string): Promise<number> => {
    requests += 1
    const headers = { 'cf-connecting-ip': `198.18.${requests >> 8}.${requests & 255}` }
    return (
      await send(path, {
        method,
        headers: authorization === undefined ? headers : { ...headers, authorization },
      })
    ).status
  }

  it(`opens only to the ${opens.join(' and the ')}`, async () => {
    const secrets = {
      'API key': ownShop.pos.apiKey,
      'access token': ownShop.token,
      'operator token': env.OPERATOR_TOKEN,
      'signing secret': ownShop.pos.signingSecret,
      SIGNING_ROOT: env.SIGNING_ROOT,
      'id of a POS': ownShop.pos.id,
    }
    for (const [name, secret] of Object.entries(secrets)) {
      const status = await ask(`Bearer ${secret}`)
      expect([name, status === 401]).toEqual([name, !opens.some((opener) => opener === name)])
    }
  })

  it('stays closed to a request without a secret', async () => {
    expect(await ask()).toBe(401)
  })
})

it.each(['/v1/guardian', '/v2/paymentjobs', '/operator/v1/pos'])(
  '%s stays closed to what looks like a secret',
  async (path) => {
    for (const authorization of ['', 'Bearer', 'Bearer ', 'Basic eDp5', 'Bearer undefined', 'Bearer null'])
      expect((await send(path, { headers: { authorization } })).status).toBe(401)
  },
)

it('an operator token that was never set opens nothing', async () => {
  const token = env.OPERATOR_TOKEN
  try {
    env.OPERATOR_TOKEN = ''
    for (const given of ['', ' ', 'undefined'])
      expect((await operate('GET', '/pos', undefined, given)).status).toBe(401)
  } finally {
    env.OPERATOR_TOKEN = token
  }
})
