import { duties } from '../../src/job/core/duties.ts'
import { type MockInstance, beforeEach, describe, expect, it, vi } from 'vitest'
import { MINUTE } from '../../src/contract/timestamp.ts'
import { createJob, makePos, send, tokenFor } from '../support/hub/hub.ts'
import { RETENTION, ringFor, ringNext, stored } from '../support/jobs/job.ts'
import { outside } from '../support/shops/live-pos.ts'
import { loggedOf } from '../support/logged.ts'
import type { Fault } from '../support/outside.ts'
import { operate } from '../support/hub/operator.ts'
import { addAccount, route } from '../support/psp-world.ts'

type Account = { apiKey: string }

let world: ReturnType<typeof outside>
beforeEach(() => {
  world = outside()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})

function isOf(request: Request, place: 0 | 1): boolean {
  const account = world.fake.accounts[place] as Account
  return request.headers.get('authorization') === `Bearer ${account.apiKey}`
}
/** Accounts do not know each other's idempotency keys. */
function handleAt(request: Request, place: 0 | 1): Promise<Response> {
  const headers = new Headers(request.headers)
  const key = headers.get('idempotency-key')
  if (key !== null) headers.set('idempotency-key', `${key} at ${place}`)
  return world.fake.handle(new Request(request, { headers }))
}

/** A shop whose orders go to two accounts. */
async function routed(): Promise<{ token: string; first: string; second: string }> {
  const shop = await makePos({ mode: 'live' })
  const at = { fake: world.fake, psp: 'mollie' }
  const [first, second] = [await addAccount(at, 0), await addAccount(at, 1)]
  await route(shop, '*', first, second)
  return { token: await tokenFor(shop), first, second }
}

/** Makes a job of two accounts. The caller gives the first one’s answer; the second one takes the order. */
async function failedOver(answerOfFirst: Fault): Promise<{ id: string; first: string }> {
  const { token, first, second } = await routed()
  world.fault = (request) => (isOf(request, 0) ? answerOfFirst(request) : handleAt(request, 1))
  const { paymentJob: id } = await createJob(token)
  expect((await stored(id)).account).toBe(second)
  return { id, first }
}
/** The first account takes the order, but its answer is lost. */
const lost: Fault = async (request) => {
  await handleAt(request, 0)
  return new Response(null, { status: 502 })
}
const bothAnswer: Fault = (request) => handleAt(request, isOf(request, 0) ? 0 : 1)
function paymentsOf(id: string) {
  return world.fake.payments.filter(({ job }) => job === id)
}
/** Returns the log lines about money at an account that is not the job’s own. */
function atOther(warnings: MockInstance, id: string): unknown[] {
  return loggedOf(warnings, id).filter(
    (entry) => (entry as { event: string }).event === 'payment.at-other-account',
  )
}
/** Returns when (ms) the hub looks at an account that may hold a payment; null for never. */
async function firstLookOf(id: string) {
  return duties(await stored(id), Date.now(), RETENTION).find((duty) => duty.do === 'look')?.at ?? null
}

describe('a notification from an account that is not the job’s own', () => {
  const notify = (account: string, id: string): Promise<Response> =>
    send(`/notifications/${account}/${id}`, {
      method: 'POST',
      body: new URLSearchParams({ id: paymentsOf(id)[0]?.id ?? '' }),
    })

  it('brings the look there forward, so that money that arrived there counts', async () => {
    const { id, first } = await failedOver(lost)
    await ringFor(id, 15 * MINUTE)
    expect(await firstLookOf(id)).toBeGreaterThan(Date.now() + 10 * MINUTE)
    world.fault = bothAnswer
    const [payment] = paymentsOf(id)
    if (payment) payment.status = 'paid'
    expect((await stored(id)).status).toBe('PENDING')
    const warnings = vi.spyOn(console, 'warn')
    expect((await notify(first, id)).status).toBe(200)
    await vi.waitFor(async () => expect(await stored(id)).toMatchObject({ status: 'SUCCESS', paid: 1250 }))
    expect(atOther(warnings, id)).toMatchObject([{ account: first }])
  })

  it('changes nothing if the hub knows no payment of the job there', async () => {
    const { id } = await failedOver(lost)
    await ringFor(id, 15 * MINUTE)
    const planned = await firstLookOf(id)
    const third = await addAccount({ fake: world.fake, psp: 'mollie' }, 0)
    expect((await notify(third, id)).status).toBe(200)
    expect(await firstLookOf(id)).toBe(planned)
  })
})

describe('an account that wants no request for a day', () => {
  it('holds up no other account of the route, and gets no request', async () => {
    const { token, second } = await routed()
    const wish = { status: 503, headers: { 'retry-after': '86400' } }
    let requestCount = 0
    world.fault = (request) => new Response(null, isOf(request, 0) ? (requestCount++, wish) : { status: 502 })
    const { paymentJob: id } = await createJob(token)
    expect(requestCount).toBe(1)
    world.fault = (request) =>
      isOf(request, 0) ? (requestCount++, new Response(null, wish)) : handleAt(request, 1)
    await ringFor(id, MINUTE)
    expect(await stored(id)).toMatchObject({ account: second, standing: { is: 'open' } })
    expect(requestCount).toBe(1)
  })
})

describe('an account that is passed over', () => {
  it('has its payment stopped if it is unpaid, without a line in the log', async () => {
    const { id } = await failedOver(lost)
    world.fault = bothAnswer
    const warnings = vi.spyOn(console, 'warn')
    await ringFor(id, 15 * MINUTE)
    expect(paymentsOf(id).map(({ status }) => status)).toEqual(['canceled', 'open'])
    expect(atOther(warnings, id)).toEqual([])
  })

  it('has its reserved money released if another account was paid: the hub captures nothing twice', async () => {
    const { id } = await failedOver(lost)
    world.fault = bothAnswer
    const [passedOver, own] = paymentsOf(id)
    if (passedOver) passedOver.status = 'authorized'
    if (own) own.status = 'paid'
    await send(`/return/${id}`)
    await ringFor(id, 15 * MINUTE)
    expect((await stored(id)).payments).toHaveLength(2)
    expect(paymentsOf(id).map(({ status }) => status)).toEqual(['canceled', 'paid'])
  })

  it('is not looked at if it refused the key of the hub: it took nothing', async () => {
    const { id } = await failedOver(() =>
      Response.json({ status: 401, title: 'Unauthorized' }, { status: 401 }),
    )
    expect(await firstLookOf(id)).toBeNull()
  })

  it('gets the order once to find its payment, however often the hub looks there', async () => {
    const { id } = await failedOver(lost)
    const [payment] = paymentsOf(id)
    if (payment) payment.status = 'pending'
    const methods: string[] = []
    world.fault = (request) => {
      if (isOf(request, 0)) methods.push(request.method)
      return bothAnswer(request)
    }
    await ringFor(id, 240 * MINUTE)
    expect(methods.slice(0, 2)).toEqual(['POST', 'GET'])
    expect(methods.filter((method) => method === 'POST')).toHaveLength(1)
  })

  it('is looked at until it says that it does not take the order, and then no more', async () => {
    const { id } = await failedOver(() => new Response(null, { status: 502 }))
    await ringNext(id)
    expect(await firstLookOf(id)).not.toBeNull()
    const refusal = { status: 422, title: 'Unprocessable Entity', detail: 'The amount is too high' }
    world.fault = (request) =>
      isOf(request, 0) ? Response.json(refusal, { status: 422 }) : handleAt(request, 1)
    await ringFor(id, 15 * MINUTE)
    expect(await firstLookOf(id)).toBeNull()
  })

  it('is looked at again later if an operator has removed it', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { id, first } = await failedOver(lost)
    const { pos, account } = await stored(id)
    const routes = { paymentMethod: '*', accounts: [account] }
    expect((await operate('POST', `/pos/${pos}/routes`, routes)).status).toBe(200)
    expect((await operate('POST', `/accounts/${first}/remove?force=1`)).status).toBe(200)
    await ringFor(id, 15 * MINUTE)
    expect(await firstLookOf(id)).not.toBeNull()
  })
})
