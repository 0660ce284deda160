import { describe, expect, it, vi } from 'vitest'
import { type JobJson, askWith, create, readJob, send, tokenFor, makePos } from '../support/hub/hub.ts'
import { ringNext, stored } from '../support/jobs/job.ts'
import { liveShop } from '../support/shops/live-pos.ts'
import { type RefundJson, notify, refundsOf } from '../support/psp-world.ts'
import { ADAPTERS } from '../../src/psp/adapters.ts'
import { SILENT_PSP } from '../../src/psp/connect.ts'
import type { Adapter } from '../../src/psp/port.ts'
import { loggedOf } from '../support/logged.ts'

async function expectProblem(response: Response, status: number, problem: object): Promise<void> {
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject(problem)
}

const shop = liveShop()

async function openJob(): Promise<JobJson> {
  return (await create(shop.token)).json<JobJson>()
}
async function paidJob(): Promise<string> {
  const { paymentJob } = await openJob()
  shop.world.fake.bring(paymentJob, 'paid')
  await send(`/return/${paymentJob}`)
  return paymentJob
}

function ask(
  id: string,
  body: object | null = {},
  headers: Record<string, string> = {},
  bearer = shop.token,
): Promise<Response> {
  return askWith(bearer, 'POST', `/v2/paymentjobs/${id}/refunds`, body ?? undefined, headers)
}
async function refund(...args: Parameters<typeof ask>): Promise<RefundJson> {
  const response = await ask(...args)
  expect(response.status).toBe(201)
  return response.json()
}
function refundsNow(id: string): Promise<RefundJson[]> {
  return refundsOf(shop.token, id)
}
/** Runs the alarm again and again until no refund of the job is PENDING. */
async function untilSettled(id: string): Promise<void> {
  for (let rings = 0; (await refundsNow(id)).some(({ status }) => status === 'PENDING'); rings++) {
    if (rings === 20) throw new Error('a refund stays PENDING')
    await ringNext(id)
  }
}
function untilRefunded(id: string, amountRefunded: string) {
  return vi.waitFor(async () => expect(await readJob(shop.token, id)).toMatchObject({ amountRefunded }))
}

function atMollie(id: string) {
  return shop.world.fake.payments.find(({ job }) => job === id)?.refunds ?? []
}
/** Money goes back without a request to the hub. */
function refundedThere(id: string, value: string): void {
  atMollie(id).push({
    id: 're_elsewhere',
    status: 'refunded',
    amount: { currency: 'EUR', value },
    description: '',
    metadata: null,
    key: null,
    fingerprint: '',
  })
}

describe('a refund', () => {
  it('of a part is accepted by the PSP, shown in the job and its trace, and reported', async () => {
    const id = await paidJob()
    await vi.waitFor(() => expect(shop.world.reportsOf(id)).toEqual(['SUCCESS']))
    const response = await ask(id, { amount: '5.00', description: 'A shirt came back' })
    expect(response.status).toBe(201)
    expect(response.headers.get('x-signature')).toMatch(/^[0-9a-f]{128}$/)
    expect(await response.json()).toEqual({
      refund: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      paymentJob: id,
      created: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/) as string,
      currency: 'EUR',
      amount: '5.00',
      description: 'A shirt came back',
      status: 'PENDING',
      error: null,
    })
    await untilRefunded(id, '5.00')
    const job = await readJob(shop.token, id)
    expect(job).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50', amountDue: '0.00' })
    expect(job.payments.steps.at(-1)).toMatchObject({ action: 'Refund', amountRefunded: '5.00' })
    await vi.waitFor(() => expect(shop.world.reportsOf(id)).toEqual(['SUCCESS', 'SUCCESS']))
  })

  it('of the whole rest needs neither an amount nor a body', async () => {
    const id = await paidJob()
    const described = { description: expect.stringMatching(/^Refund of order ./) as string }
    expect(await refund(id, { amount: 5, description: '' })).toMatchObject({ amount: '5.00', ...described })
    expect(await refund(id, null)).toMatchObject({ amount: '7.50', status: 'PENDING' })
    await untilRefunded(id, '12.50')
  })

  it.each<[string, RequestInit]>([
    ['no body', {}],
    ['an empty body', { body: '' }],
    ['an empty body that is called JSON', { body: '', headers: { 'content-type': 'application/json' } }],
  ])('of the whole is requested with %s', async (_, init) => {
    const id = await paidJob()
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${shop.token}`)
    const response = await send(`/v2/paymentjobs/${id}/refunds`, { ...init, method: 'POST', headers })
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ amount: '12.50' })
  })

  it('is SUCCESS once the PSP says that the money went back', async () => {
    const id = await paidJob()
    await refund(id)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    shop.world.fake.endRefunds(id, 'refunded')
    await untilSettled(id)
    expect(await refundsNow(id)).toMatchObject([{ amount: '12.50', status: 'SUCCESS', error: null }])
  })

  it('stays PENDING if the hub fails while it asks the PSP, and is looked up later', async () => {
    const id = await paidJob()
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    vi.spyOn(ADAPTERS['mollie'] as Adapter, 'open').mockImplementationOnce(() => ({
      ...SILENT_PSP,
      refund: () => Promise.reject(new Error('a fault of the hub')),
    }))
    expect(await refund(id)).toMatchObject({ status: 'PENDING', error: null })
    expect(loggedOf(errors, id)).toMatchObject([{ event: 'psp.instruction-failed' }])
    expect(atMollie(id)).toEqual([])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    await untilSettled(id)
    expect(await refundsNow(id)).toMatchObject([{ status: 'FAILURE' }])
  })

  it('is accepted even if the payment cannot be read afterwards, and the log says so', async () => {
    const id = await paidJob()
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    const { open } = ADAPTERS['mollie'] as Adapter
    vi.spyOn(ADAPTERS['mollie'] as Adapter, 'open').mockImplementation((...args) => ({
      ...open(...args),
      ask: () => Promise.reject(new Error('a fault of the hub')),
    }))
    expect(await refund(id)).toMatchObject({ status: 'PENDING', error: null })
    await vi.waitFor(() =>
      expect(loggedOf(errors, id)).toMatchObject([{ event: 'job.duty-failed', duty: 'ask' }]),
    )
  })

  it('that fails later is shown, and its money can be refunded again', async () => {
    const id = await paidJob()
    await refund(id)
    await untilRefunded(id, '12.50')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    shop.world.fake.endRefunds(id, 'failed')
    await untilSettled(id)
    expect(await refundsNow(id)).toMatchObject([{ status: 'FAILURE', error: expect.any(String) as string }])
    expect(await readJob(shop.token, id)).not.toHaveProperty('amountRefunded')
    expect(await refund(id)).toMatchObject({ amount: '12.50' })
  })

  it('is SUCCESS as soon as the PSP notifies that the money went back', async () => {
    const id = await paidJob()
    await refund(id)
    await untilRefunded(id, '12.50')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 })
    shop.world.fake.endRefunds(id, 'refunded')
    expect(await notify({ ...shop.world, psp: 'mollie' }, id)).toContain(200)
    await vi.waitFor(async () => expect(await refundsNow(id)).toMatchObject([{ status: 'SUCCESS' }]))
  })

  it('made at the PSP itself is found when the PSP notifies, and counts', async () => {
    const id = await paidJob()
    const payment = shop.world.fake.payments.find(({ job }) => job === id)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    refundedThere(id, '3.00')
    const body = new URLSearchParams({ id: payment?.id ?? '' })
    const { account } = await stored(id)
    await send(`/notifications/${account}/${id}`, { method: 'POST', body })
    expect(await readJob(shop.token, id)).toMatchObject({ amountRefunded: '3.00' })
    await expectProblem(await ask(id, { amount: '9.51' }), 422, {
      field: 'amount',
      error: 'must be at most 9.50',
    })
  })
})

describe('however often, and by however many clients, it is requested', () => {
  it('the same Idempotency-Key is the same refund, also at the PSP', async () => {
    const id = await paidJob()
    const key = { 'idempotency-key': 'return-77' }
    const first = await refund(id, { amount: '5.00' }, key)
    const answers = await Promise.all(Array.from({ length: 5 }, () => refund(id, { amount: '5.00' }, key)))
    expect(new Set(answers.map((answer) => answer.refund))).toEqual(new Set([first.refund]))
    expect(atMollie(id)).toHaveLength(1)
    await expectProblem(await ask(id, { amount: '6.00' }, key), 422, {
      field: 'Idempotency-Key',
      detail: 'This Idempotency-Key was used before, for another refund.',
    })
  })

  it('ten clients at once get no more than was paid', async () => {
    const id = await paidJob()
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(id, { amount: '2.00' })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(6)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(4)
    expect(atMollie(id)).toHaveLength(6)
    await untilRefunded(id, '12.00')
    expect(await refundsNow(id)).toHaveLength(6)
  })

  it('a refund whose answer was lost is requested once, and found again', async () => {
    const id = await paidJob()
    shop.world.fault = async (request) => {
      const response = await shop.world.fake.handle(request)
      return request.method === 'POST' ? new Response('<h1>Bad Gateway</h1>', { status: 502 }) : response
    }
    const key = { 'idempotency-key': 'return-78' }
    expect(await refund(id, {}, key)).toMatchObject({ status: 'PENDING' })
    expect(await refund(id, {}, key)).toMatchObject({ status: 'PENDING' })
    shop.world.fault = null
    expect(atMollie(id)).toHaveLength(1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    shop.world.fake.endRefunds(id, 'refunded')
    await untilSettled(id)
    expect(await refundsNow(id)).toMatchObject([{ status: 'SUCCESS' }])
    expect(await readJob(shop.token, id)).toMatchObject({ amountRefunded: '12.50' })
    expect(atMollie(id)).toHaveLength(1)
  })

  /** Counts the requests to the PSP to refund a payment: the double hides repetitions of a key. */
  const postsOf = (id: string): number => {
    const payment = shop.world.fake.payments.find(({ job }) => job === id)?.id
    return shop.world.asked.filter((asked) => asked === `POST /v2/payments/${payment}/refunds`).length
  }

  it('one key is requested once at the PSP, by many clients at once, while its answer is lost', async () => {
    const id = await paidJob()
    shop.world.fault = async (request) => {
      const response = await shop.world.fake.handle(request)
      return request.method === 'POST' ? new Response('<h1>Bad Gateway</h1>', { status: 502 }) : response
    }
    const key = { 'idempotency-key': 'once-1' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => refund(id, { amount: '5.00' }, key)))
    expect(new Set(answers.map((answer) => answer.refund)).size).toBe(1)
    expect(postsOf(id)).toBe(1)
  })

  it('one key is requested once at the PSP, while that request is under way', async () => {
    const id = await paidJob()
    const answer = Promise.withResolvers<void>()
    shop.world.fault = async (request) => {
      // Only the first request waits, so that a second one shows in the count and no test hangs.
      if (request.method === 'POST' && postsOf(id) === 1) await answer.promise
      return shop.world.fake.handle(request)
    }
    const key = { 'idempotency-key': 'once-2' }
    const first = refund(id, {}, key)
    await vi.waitFor(() => expect(postsOf(id)).toBe(1))
    const second = await refund(id, {}, key)
    answer.resolve()
    expect(second).toMatchObject({ refund: (await first).refund, status: 'PENDING' })
    expect(postsOf(id)).toBe(1)
  })

  it('two keys are two refunds, and one key at two jobs is too', async () => {
    const [one, other] = [await paidJob(), await paidJob()]
    const wanted = [
      [one, 'once-3'],
      [one, 'once-4'],
      [other, 'once-3'],
    ] as const
    const made = await Promise.all(
      wanted.map(([id, key]) => refund(id, { amount: '5.00' }, { 'idempotency-key': key })),
    )
    expect(new Set(made.map((answer) => answer.refund)).size).toBe(3)
    expect([postsOf(one), postsOf(other)]).toEqual([2, 1])
  })

  it('a refund that never reached the PSP fails after some minutes, and holds up no other', async () => {
    const id = await paidJob()
    shop.world.fault = () => Promise.reject(new TypeError('network'))
    expect(await refund(id)).toMatchObject({ status: 'PENDING' })
    await expectProblem(await ask(id), 409, { status: 409 })
    shop.world.fault = null
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    await untilSettled(id)
    expect(await refundsNow(id)).toMatchObject([{ status: 'FAILURE' }])
    expect(await refund(id)).toMatchObject({ status: 'PENDING' })
  })
})

describe('a refund is refused', () => {
  it("with the PSP's words when it refuses, each time", async () => {
    const id = await paidJob()
    shop.world.fault = (request) =>
      request.method === 'POST'
        ? Response.json(
            { status: 422, title: 'Unprocessable', detail: 'The balance is too low' },
            { status: 422 },
          )
        : shop.world.fake.handle(request)
    const key = { 'idempotency-key': 'return-79' }
    for (let times = 0; times < 2; times++) {
      await expectProblem(await ask(id, {}, key), 422, {
        detail: expect.stringContaining('The balance is too low') as string,
      })
    }
    expect(
      shop.world.asked.filter((asked) => asked.startsWith('POST') && asked.endsWith('/refunds')),
    ).toHaveLength(1)
    expect(await refundsNow(id)).toMatchObject([{ status: 'FAILURE' }])
  })

  it('because the PSP has already given the money back, unknown to the hub: then the job shows it', async () => {
    const id = await paidJob()
    refundedThere(id, '12.50')
    expect((await ask(id)).status).toBe(422)
    await untilRefunded(id, '12.50')
    await expectProblem(await ask(id), 409, { code: 'refund-nothing-left' })
  })

  it('when the PSP refuses the key of the account: nothing was done, and the log tells the operator, once', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const id = await paidJob()
    shop.world.fault = () =>
      Response.json({ status: 401, title: 'Unauthorized', detail: 'no' }, { status: 401 })
    const before = shop.world.asked.length
    expect((await ask(id)).status).toBe(422)
    // Long enough for a question about the payment, for which the PSP would also refuse that key.
    await scheduler.wait(200)
    // Jobs of other tests may also ask in the meantime.
    const payment = shop.world.fake.payments.find(({ job }) => job === id)?.id ?? 'none'
    const asked = shop.world.asked.slice(before).filter((one) => one.includes(payment))
    expect(asked).toEqual([expect.stringMatching(/^POST .*\/refunds$/)])
    expect(loggedOf(logged, id)).toMatchObject([{ event: 'psp.account-refused' }])
    shop.world.fault = null
    expect(await refund(id)).toMatchObject({ amount: '12.50' })
  })

  it('when nothing was paid, and when nothing is left', async () => {
    await expectProblem(await ask((await openJob()).paymentJob), 409, { code: 'refund-unpaid' })
    const id = await paidJob()
    await refund(id)
    await expectProblem(await ask(id), 409, { code: 'refund-nothing-left' })
  })

  it.each([
    [{ amount: '0' }, 'amount'],
    [{ amount: '-1' }, 'amount'],
    [{ amount: '1.005' }, 'amount'],
    [{ amount: '12.51' }, 'amount'],
    [{ amount: null }, 'amount'],
    // With a name that the hub does not know, everything would go back.
    [{ amuont: '5.00' }, 'amuont'],
    [{ description: 7 }, 'description'],
    [{ description: 'x'.repeat(141) }, 'description'],
    [{ description: 'a\u0000b' }, 'description'],
  ])('with %j, for its %s', async (body, field) => {
    await expectProblem(await ask(await paidJob(), body), 422, { field })
  })

  it('when the job already has a hundred, even if money is left', async () => {
    const id = await paidJob()
    const wanted = Array.from({ length: 100 }, () => ask(id, { amount: '0.01' }))
    const taken = await Promise.all(wanted)
    expect(taken.every(({ status }) => status === 201)).toBe(true)
    await expectProblem(await ask(id, { amount: '0.01' }), 409, { code: 'refund-limit' })
    expect(await refundsNow(id)).toHaveLength(100)
  })

  it('to another point of sale as if there were no such job', async () => {
    const id = await paidJob()
    const other = await tokenFor(await makePos())
    expect((await ask(id, {}, {}, other)).status).toBe(404)
    expect((await ask(crypto.randomUUID())).status).toBe(404)
    expect((await ask(id, {}, {}, 'x'.repeat(160))).status).toBe(401)
    expect(atMollie(id)).toEqual([])
  })
})
