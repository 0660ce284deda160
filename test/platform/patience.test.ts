import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import worker from '../../src/index.ts'
import { askWith, createJob, makePos, order, tokenFor } from '../support/hub/hub.ts'
import { playObject } from '../support/jobs/job.ts'

const never = () => new Promise<never>(() => {})
const statement = { bind: () => statement, first: never, all: never, run: never, raw: never }
const D1 = { prepare: () => statement, batch: never, exec: never }
const STALLED = {
  D1: { DB: { ...D1, withSession: () => D1 } },
  KV: { TOKENS: { get: never, getWithMetadata: never, put: never, delete: never, list: never } },
  both: {},
}
Object.assign(STALLED.both, STALLED.D1, STALLED.KV)

/** A wait of seconds ends at once. */
beforeEach(() => {
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockReturnValue()
  const { setTimeout: real } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((end, after = 0, ...given) =>
    real(end, after >= 2000 ? 100 : after, ...given),
  )
})

type Door = [what: string, path: string, init: RequestInit]

async function doors(): Promise<Door[]> {
  const pos = await makePos()
  const token = await tokenFor(pos)
  const { paymentJob, payUrl } = await createJob(token)
  const asShop = (method: string, body?: object): RequestInit => ({
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const asOperator = { headers: { authorization: `Bearer ${env.OPERATOR_TOKEN}` } }
  const unknown = { method: 'POST', body: 'id=tr_1' }
  return [
    ['a token', '/v1/guardian', { headers: { authorization: `Bearer ${pos.apiKey}` } }],
    ['a create', '/v2/paymentjobs', asShop('POST', order)],
    ['a read', `/v2/paymentjobs/${paymentJob}`, asShop('GET')],
    ['a search', '/v2/paymentjobs?order_number=A-1', asShop('GET')],
    ['terminals', '/v2/terminals', asShop('GET')],
    ['a refund', `/v2/paymentjobs/${paymentJob}/refunds`, asShop('POST', { amount: '1.00' })],
    ['a link to pay', new URL(payUrl).pathname, { redirect: 'manual' }],
    ['a notification', '/notifications/unknown', unknown],
    ['operators: points of sale', '/operator/v1/pos', asOperator],
    ['operators: payments', '/operator/v1/jobs', asOperator],
    ['operators: a payment', `/operator/v1/jobs/${paymentJob}`, asOperator],
    ['the console', '/console', {}],
    ['health', '/healthz', {}],
  ]
}

describe.each(Object.entries(STALLED))('while %s never answers', (_, stalled) => {
  it('each door answers, with Retry-After if it cannot serve', async () => {
    for (const [what, path, init] of await doors()) {
      const request = new Request(`https://hub.test${path}`, init) as Parameters<typeof worker.fetch>[0]
      const asked = worker.fetch(request, { ...env, ...stalled } as Env)
      const answer = await Promise.race([asked, scheduler.wait(3000).then(() => null)])
      expect(answer, `${what} has no answer`).not.toBeNull()
      if (answer && answer.status >= 500) {
        expect([what, answer.status]).toEqual([what, 503])
        expect([what, answer.headers.get('retry-after')]).toEqual([what, expect.stringMatching(/^\d+$/)])
      }
    }
  })
})

it.each([
  ['a read', 'GET', ''],
  ['a cancel', 'POST', '/cancel'],
  ['a refund', 'POST', '/refunds'],
])('%s is a 503 while the object of the job never answers', async (_, method, path) => {
  const token = await tokenFor(await makePos())
  const { paymentJob } = await createJob(token)
  playObject(paymentJob, () => ({ read: never, cancel: never, refund: never }))
  const answer = await askWith(token, method, `/v2/paymentjobs/${paymentJob}${path}`)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
})
