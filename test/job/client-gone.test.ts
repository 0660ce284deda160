import { env, exports } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { ORIGIN, createJob, order, send, tokenFor } from '../support/hub/hub.ts'
import { referenceOf, stored } from '../support/jobs/job.ts'
import { makeLivePos, outside } from '../support/shops/live-pos.ts'

let world: ReturnType<typeof outside>
let headers: Record<string, string>
let letAnswer: () => void
beforeEach(async () => {
  world = outside()
  const token = await tokenFor(await makeLivePos())
  headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
})

const AS_OPERATOR = { method: 'POST', headers: { authorization: `Bearer ${env.OPERATOR_TOKEN}` } }

/** From now on the PSP answers only when the test allows it. */
function holdAnswers(): void {
  const { promise, resolve } = Promise.withResolvers<void>()
  letAnswer = resolve
  world.asked.length = 0
  world.fault = async (request) => {
    const answer = await world.fake.handle(request)
    await promise
    return answer
  }
}

/** A client that hangs up once the hub asks the PSP; then the PSP answers. */
async function askAndHangUp(path: string, init: RequestInit): Promise<void> {
  holdAnswers()
  const client = new AbortController()
  const request = new Request(new URL(path, ORIGIN), { ...init, redirect: 'manual', signal: client.signal })
  const answered = exports.default.fetch(request).catch(() => 'hung up')
  await vi.waitFor(() => expect(world.asked).not.toHaveLength(0))
  client.abort()
  expect(await answered).toBe('hung up')
  await scheduler.wait(50)
  letAnswer()
}

async function makeJob(): Promise<string> {
  return (await createJob(headers['authorization']?.slice(7) ?? '')).paymentJob
}

it('a question goes on after the customer who came back has gone', async () => {
  const id = await makeJob()
  world.fake.bring(id, 'paid')
  await askAndHangUp(`/return/${id}`, {})
  await vi.waitFor(async () => expect((await stored(id)).status).toBe('SUCCESS'))
})

it('a refund goes on after the shop that requested it has gone', async () => {
  const id = await makeJob()
  world.fake.bring(id, 'paid')
  await send(`/return/${id}`)
  await askAndHangUp(`/v2/paymentjobs/${id}/refunds`, { method: 'POST', headers })
  await vi.waitFor(async () => expect((await stored(id)).instructions).toMatchObject([{ state: 'pending' }]))
})

it('a cancel goes on after the shop that requested it has gone', async () => {
  const id = await makeJob()
  await askAndHangUp(`/v2/paymentjobs/${id}/cancel`, { method: 'POST', headers })
  await vi.waitFor(async () => expect((await stored(id)).status).toBe('CANCELLED'))
})

it('a pull goes on after the operator has gone', async () => {
  const id = await makeJob()
  world.fake.bring(id, 'paid')
  await askAndHangUp(`/operator/v1/jobs/${id}/pull`, AS_OPERATOR)
  await vi.waitFor(async () => expect((await stored(id)).status).toBe('SUCCESS'))
})

it.each([
  ['the customer', (id: string) => [`/pay/${id}`, {}]],
  ['the operator', (id: string) => [`/operator/v1/jobs/${id}/announce`, AS_OPERATOR]],
] as [string, (id: string) => [string, RequestInit]][])(
  'an announcement goes on after %s who wanted it has gone',
  async (_, wish) => {
    world.fault = () => new Response(null, { status: 503 })
    const id = await makeJob()
    await askAndHangUp(...wish(id))
    await vi.waitFor(async () => expect((await stored(id)).payments).toHaveLength(1))
  },
)

it('a create goes on after the shop has gone: the job has the payment that the PSP made', async () => {
  const key = crypto.randomUUID()
  const keyedHeaders = { ...headers, 'idempotency-key': key }
  const body = JSON.stringify(order)
  await askAndHangUp('/v2/paymentjobs', { method: 'POST', headers: keyedHeaders, body })
  const [payment] = world.fake.payments
  await vi.waitFor(async () => expect(await referenceOf(payment?.job ?? '')).toBe(payment?.id))
})
