import * as fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { utf8 } from '../../src/platform/crypto/hash.ts'
import { ORIGIN, makePos, order, tokenFor } from '../support/hub/hub.ts'
import { callWorker } from './call-worker.ts'
import { makeOperatorToken } from '../support/hub/operator.ts'
import { receiver } from '../support/shops/receiver.ts'
import { type Body, bodies, bodyInit, jsonValues } from './hostile-bodies.ts'
import { type Hostile, hostileRequests } from './hostile-requests.ts'
import { ROUTES, addressOf } from './routes.ts'

/** Names that no answer may have: those of the platform, packages and files, and stacks. */
const INTERNAL =
  /DurableObject|\bD1_|SQLITE|\bsrc\/|\bat \w+ \(|at Object|workerd|cloudflare(?!Access\b)|valibot|drizzle|itty|miniflare|(Type|Syntax|Range|Reference)Error|\.tsx?:\d|node_modules|undefined|\[object /

/** `npm run fuzz` sends four times as much. */
const MORE = inject('fuzz') === undefined ? 1 : 4

let token: string
/** This file has its own operator: sessions are limited by operator. */
let operatorToken: string
beforeAll(async () => {
  token = await tokenFor(await makePos())
  operatorToken = (await makeOperatorToken('operator')).token
})
beforeEach(() => void receiver())

/** Fails if no answer comes. Skips the runtime, which would print each body that breaks off. */
function answerTo(path: string, init: RequestInit): Promise<Response> {
  return Promise.race([
    callWorker(new Request(ORIGIN + path, { redirect: 'manual', ...init })),
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no answer came')), 15_000)),
  ])
}

function isOfSite(path: string): boolean {
  return /^\/($|[?]|docs\b|till\b|assets\/|openapi\.json|client\.|favicon\.|robots\.txt)/.test(path)
}

async function expectHarmless(path: string, response: Response, method = 'GET'): Promise<void> {
  expect(response.status).toBeLessThan(500)
  const text = await response.text()
  // The site's files are public and the same for everybody, and describe how the hub is built.
  if (isOfSite(path) && response.ok) return
  expect([...response.headers].join('\n') + text).not.toMatch(INTERNAL)
  if (response.status < 400 || method === 'HEAD') return
  const type = response.headers.get('content-type') ?? ''
  // Customers' addresses answer with pages, and the sandbox's API with Mollie's errors.
  if (type.startsWith('text/html'))
    expect(path).toMatch(/^\/(pay|return|receipt|sandbox\/checkout|docs|assets)\//)
  else if (type === 'application/hal+json') expect(path).toMatch(/^\/sandbox\/v2(\/|$)/)
  else {
    expect(type).toBe('application/problem+json')
    expect(JSON.parse(text)).toMatchObject({
      status: response.status,
      error: expect.any(String) as string,
      field: expect.toSatisfy((field) => field === null || typeof field === 'string') as string | null,
    })
  }
}

function initOf({ method, bearer, headers, body }: Hostile): RequestInit {
  const tokens = { none: null, pos: token, operator: operatorToken, nonsense: 'x'.repeat(160) }
  const secret = tokens[bearer]
  const mayHaveBody = !/^(get|head)$/i.test(method)
  return {
    method,
    headers: { ...headers, ...(secret === null ? {} : { authorization: `Bearer ${secret}` }) },
    ...(mayHaveBody ? { body: bodyInit(body) } : {}),
  }
}

/** Requests of operators without any parameter, which random requests rarely are. */
const withNothing: [Hostile][] = ROUTES.filter(({ pattern }) => pattern.startsWith('/operator/')).map(
  (route) => [
    {
      method: route.method,
      path: addressOf(route, 'x'),
      bearer: 'operator',
      headers: { 'content-type': 'application/json' },
      body: { bytes: utf8('{}'), arrives: 'whole' },
    },
  ],
)

/** A name in KV has at most 512 bytes, one in an object 2048: random requests are rarely so long. */
const LONG = 'a'.repeat(700)
const tooLong: [Hostile][] = ROUTES.flatMap((route) =>
  [addressOf(route, LONG), `${addressOf(route, '2026-01-31')}?after=${LONG.repeat(4)}`].map((path) => [
    {
      method: route.method,
      path,
      bearer: route.pattern.startsWith('/operator/') ? 'operator' : 'pos',
      headers: { 'content-type': 'application/json' },
      body: { bytes: utf8('{}'), arrives: 'whole' },
    },
  ]),
)

function createWith(body: Body): Promise<Response> {
  return answerTo('/v2/paymentjobs', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: bodyInit(body),
  })
}

describe('every request gets an answer below 500 that shows nothing internal', () => {
  it('of any route, by any method, with any headers and body', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(hostileRequests, async (hostile) => {
        const { pathname } = new URL(ORIGIN + hostile.path)
        const response = await answerTo(hostile.path, initOf(hostile))
        await expectHarmless(pathname, response, hostile.method)
      }),
      { numRuns: MORE * 250, examples: [...withNothing, ...tooLong] },
    )
  })

  it('of a create, with any body', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => expectHarmless('/v2/paymentjobs', await createWith(body))),
      { numRuns: MORE * 60 },
    )
  })
})

it(
  'an order with any value in a field becomes a job, or a 422 that names the field',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(order)), jsonValues, async (field, value) => {
        const bytes = utf8(JSON.stringify({ ...order, [field]: value }))
        const response = await createWith({ bytes, arrives: 'whole' })
        if (response.status === 201) return
        expect(response.status).toBe(422)
        const { errors } = await response.json<{ errors: { field: string }[] }>()
        // A random currency may have fewer decimals than the amount.
        const named = field === 'currency' && value !== 'EUR' ? [['currency'], ['amount']] : [[field]]
        expect(named).toContainEqual(errors.map((error) => error.field))
      }),
      { numRuns: MORE * 75 },
    )
  },
)

describe('a body that breaks off or trickles in', () => {
  const bytes = utf8(JSON.stringify(order))

  it('becomes a job if all of it arrives, however small the pieces', async () => {
    expect((await createWith({ bytes, arrives: 'in pieces' })).status).toBe(201)
  })

  it('is a 400 if it breaks off, even after a complete order', async () => {
    const response = await createWith({ bytes, arrives: 'broken' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ field: 'body' })
  })
})
