import * as v from 'valibot'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { Capture } from '../../src/contract/instruction.ts'
import { PaymentMethods } from '../../src/contract/payment-methods.ts'
import { hmacSha512 } from '../support/shops/hmac.ts'
import {
  type JobJson,
  type Pos,
  askWith,
  create,
  createJob,
  makePos,
  order,
  readJob,
  tokenFor,
} from '../support/hub/hub.ts'
import { receiver } from '../support/shops/receiver.ts'
import { act, referenceOf } from '../sandbox/client.ts'

/** The contract's clauses about captures and releases, tested at the sandbox. */

let pos: Pos
let token: string
let reports: ReturnType<typeof receiver>
beforeAll(async () => {
  pos = await makePos()
  token = await tokenFor(pos)
})

const MANUAL = { payment_method: 'creditcard', amount: '50.00', capture: 'manual' }

function ask(job: string, path: string, body?: object, headers: Record<string, string> = {}) {
  return askWith(token, 'POST', `/v2/paymentjobs/${job}/${path}`, body, headers)
}
function until(job: string, how: object): Promise<JobJson> {
  return vi.waitFor(async () => {
    const now = await readJob(token, job)
    expect(now).toMatchObject(how)
    return now
  }, 10_000)
}

/** A job whose customer has paid. The sandbox has reserved 50.00. */
async function reserved(changes: object = {}) {
  reports = receiver()
  const created = await createJob(token, { ...MANUAL, ...changes })
  const payment = await referenceOf(created.payUrl)
  await act(payment, 'pay')
  return { job: (await until(created.paymentJob, { amountAuthorized: '50.00' })).paymentJob, payment }
}
async function captured(job: string, body?: object) {
  const response = await ask(job, 'captures', body)
  expect(response.status).toBe(201)
  return v.parse(v.strictObject(Capture.entries), await response.json())
}
async function capturesOf(job: string) {
  const list = await askWith(token, 'GET', `/v2/paymentjobs/${job}/captures`)
  return (await list.json<{ captures: object[] }>()).captures
}
async function expectProblem(answer: Promise<Response>, status: number, problem: object) {
  const response = await answer
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject(problem)
}

describe('the order', () => {
  it('"optional capture: automatic (the default)": the customer pays at once', async () => {
    const job = await createJob(token, { ...MANUAL, capture: 'automatic' })
    await act(await referenceOf(job.payUrl), 'pay')
    const paid = await until(job.paymentJob, { status: 'SUCCESS', amountPaid: '50.00' })
    for (const member of ['amountAuthorized', 'amountReleased', 'captureBefore'])
      expect(paid).not.toHaveProperty(member)
  })

  it('"a method that cannot reserve is refused with the methods that can", as the list tells them', async () => {
    const response = await create(token, { ...order, ...MANUAL, payment_method: 'ideal' })
    expect(response.status).toBe(422)
    const { field, error } = await response.json<{ field: string; error: string }>()
    expect(field).toBe('capture')
    const list = await askWith(token, 'GET', '/v2/paymentmethods')
    const { paymentMethods } = v.parse(PaymentMethods, await list.json())
    const able = paymentMethods.filter(({ capture }) => capture)
    expect(able.length).toBeGreaterThan(0)
    for (const { paymentMethod } of able) expect(error).toContain(paymentMethod)
  })
})

describe('authorised', () => {
  it('"status PENDING, a step with stage authorized, amountAuthorized, captureBefore; a report tells it"', async () => {
    const { job } = await reserved()
    const now = await until(job, { status: 'PENDING', amountPaid: '0.00', amountDue: '50.00' })
    expect(now['captureBefore']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    expect(now.payments.steps.at(-1)).toMatchObject({ stage: 'authorized', amountAuthorized: '50.00' })
    await vi.waitFor(() => expect(reports.of(job)).toHaveLength(1), 10_000)
    const [report] = reports.of(job)
    expect(JSON.parse(report?.body ?? '')).toMatchObject({ status: 'PENDING', amountAuthorized: '50.00' })
  })
})

describe('POST …/captures', () => {
  it('"201 with capture, amount, status, error", signed; "GET …/captures lists them"', async () => {
    const { job } = await reserved()
    const response = await ask(job, 'captures', { amount: '20.00', description: 'Parcel 1' })
    expect(response.status).toBe(201)
    const text = await response.text()
    expect(response.headers.get('x-signature')).toBe(await hmacSha512(pos.signingSecret, text))
    const made = v.parse(v.strictObject(Capture.entries), JSON.parse(text))
    expect(made).toMatchObject({
      paymentJob: job,
      amount: '20.00',
      currency: 'EUR',
      final: false,
      error: null,
    })
    await until(job, { amountPaid: '20.00' })
    expect(await capturesOf(job)).toEqual([{ ...made, status: 'SUCCESS' }])
  })

  it('"all that is left without amount", also without a body', async () => {
    const { job } = await reserved()
    expect(await captured(job, { amount: '20.00' })).toMatchObject({ amount: '20.00' })
    await until(job, { amountPaid: '20.00' })
    expect(await captured(job)).toMatchObject({ amount: '30.00' })
    await until(job, { status: 'SUCCESS', amountPaid: '50.00', amountDue: '0.00' })
  })

  it('"final releases the rest"', async () => {
    const { job } = await reserved()
    expect(await captured(job, { amount: '20.00', final: true })).toMatchObject({ final: true })
    await until(job, { status: 'SUCCESS', amountPaid: '20.00', amountReleased: '30.00', amountDue: '0.00' })
    await expectProblem(ask(job, 'captures'), 409, { code: 'capture-nothing-left' })
  })

  it('"Idempotency-Key as for refunds": the same is the same capture, another body is refused', async () => {
    const { job } = await reserved()
    const key = { 'idempotency-key': 'parcel-1' }
    const answers = await Promise.all([1, 2, 3].map(() => ask(job, 'captures', { amount: '20.00' }, key)))
    const ids = await Promise.all(answers.map(async (one) => (await one.json<{ capture: string }>()).capture))
    expect(new Set(ids).size).toBe(1)
    expect(await capturesOf(job)).toHaveLength(1)
    const other = { code: 'idempotency-key-reused', field: 'Idempotency-Key' }
    await expectProblem(ask(job, 'captures', { amount: '21.00' }, key), 422, other)
    await expectProblem(ask(job, 'captures', { amount: '20.00', final: true }, key), 422, other)
  })

  it.each([
    [{ amount: '50.01' }, 'amount', 'capture-too-much'],
    [{ amount: '0' }, 'amount', 'fields-invalid'],
    [{ amount: '-1' }, 'amount', 'fields-invalid'],
    [{ amount: '1.005' }, 'amount', 'fields-invalid'],
    [{ amount: null }, 'amount', 'fields-invalid'],
    // If the hub ignored the unknown name, it would capture everything.
    [{ amuont: '20.00' }, 'amuont', 'fields-invalid'],
    [{ final: 'yes' }, 'final', 'fields-invalid'],
    [{ description: 'x'.repeat(141) }, 'description', 'fields-invalid'],
  ])('%j is refused for its %s', async (body, field, code) => {
    const { job } = await reserved()
    await expectProblem(ask(job, 'captures', body), 422, { field, code })
    expect(await capturesOf(job)).toEqual([])
  })

  it('is refused if nothing is reserved; for another shop the job does not exist', async () => {
    const open = await createJob(token, MANUAL)
    await expectProblem(ask(open.paymentJob, 'captures'), 409, { code: 'capture-not-reserved' })
    await expectProblem(ask(open.paymentJob, 'release'), 409, { code: 'capture-not-reserved' })
    await expectProblem(ask(crypto.randomUUID(), 'captures'), 404, { code: 'job-not-found' })
    const { job } = await reserved()
    const other = await tokenFor(await makePos())
    for (const path of ['captures', 'release'])
      expect((await askWith(other, 'POST', `/v2/paymentjobs/${job}/${path}`)).status).toBe(404)
  })
})

describe('POST …/release', () => {
  it('"all of it: the job is CANCELLED"; "gives up what is not captured"', async () => {
    const { job } = await reserved()
    const response = await ask(job, 'release')
    expect(response.status).toBe(200)
    const all = { status: 'CANCELLED', amountPaid: '0.00', amountReleased: '50.00' }
    expect(await response.json()).toMatchObject(all)
    await until(job, all)
  })

  it('"a part: SUCCESS with amountPaid captured, amountReleased, amountDue 0.00"', async () => {
    const { job } = await reserved()
    await captured(job, { amount: '20.00' })
    await until(job, { amountPaid: '20.00' })
    expect((await ask(job, 'release')).status).toBe(200)
    const done = await until(job, { status: 'SUCCESS', amountReleased: '30.00' })
    expect(done).toMatchObject({ amountPaid: '20.00', amountDue: '0.00' })
    expect(done.payments.steps.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['Start', 'Capture', 'Release']),
    )
  })
})

describe('an amount in the wrong place', () => {
  it.each([
    ['captures?amount=20.00', undefined, 'amount'],
    ['captures?final=true', undefined, 'final'],
    ['release', { amount: '20.00' }, 'amount'],
  ])('%s with %j is refused: all would be captured or released', async (path, body, field) => {
    const { job } = await reserved()
    await expectProblem(ask(job, path, body), 422, { field, code: 'fields-invalid' })
    expect(await readJob(token, job)).toMatchObject({ status: 'PENDING', amountDue: '50.00' })
    expect(await readJob(token, job)).not.toHaveProperty('amountReleased')
  })
})

describe('money', () => {
  it('"PENDING with amountPaid 20.00, amountDue 30.00 while part of 50.00 is captured"', async () => {
    const { job } = await reserved()
    await captured(job, { amount: '20.00' })
    const now = await readJob(token, job)
    expect(now).toMatchObject({
      amountPaid: '20.00',
      status: 'PENDING',
      amountDue: '30.00',
      amountAuthorized: '50.00',
    })
  })

  it('"a failed capture gives back what it counted and says why"', async () => {
    const { job, payment } = await reserved()
    await captured(job, { amount: '20.00' })
    await until(job, { amountPaid: '20.00', error: null })
    await act(payment, 'fail-capture')
    await until(job, { status: 'PENDING', amountPaid: '0.00', amountDue: '50.00' })
    const [failed] = await capturesOf(job)
    expect(failed).toMatchObject({ status: 'FAILURE', error: expect.any(String) as string })
    expect((await readJob(token, job)).error).toBe((failed as { error: string }).error)
  })
})

describe('refunds', () => {
  it('"before a capture a refund is a 409 that says to release"', async () => {
    const { job } = await reserved()
    await expectProblem(ask(job, 'refunds', { amount: '1.00' }), 409, {
      code: 'refund-unpaid',
      detail: expect.stringContaining('release') as string,
    })
  })

  it('"of what was captured alone"', async () => {
    const { job } = await reserved()
    await captured(job, { amount: '20.00' })
    await until(job, { amountPaid: '20.00' })
    await expectProblem(ask(job, 'refunds', { amount: '20.01' }), 422, { code: 'refund-too-much' })
    expect((await ask(job, 'refunds', { amount: '20.00' })).status).toBe(201)
  })
})

describe('test mode', () => {
  it('"the sandbox lets go after its deadline (advance)", and the job says so', async () => {
    const { job } = await reserved()
    await ask(job, 'advance', { seconds: 8 * 86_400 })
    const done = await until(job, { status: 'EXPIRED', amountReleased: '50.00' })
    expect(done).not.toHaveProperty('captureBefore')
  })

  it('"fails captures on wish": a 422 with the words of the PSP, and the money is still reserved', async () => {
    const { job } = await reserved({ order_number: 'A-7 sandbox-capture-fails' })
    await expectProblem(ask(job, 'captures'), 422, { code: 'capture-refused' })
    expect(await readJob(token, job)).toMatchObject({ status: 'PENDING', amountAuthorized: '50.00' })
  })

  it('"loses answers on wish": the capture is PENDING until the hub has found it, once', async () => {
    const { job } = await reserved({ order_number: 'A-7 sandbox-capture-lost' })
    expect(await captured(job, { amount: '20.00' })).toMatchObject({ status: 'PENDING' })
    await ask(job, 'advance', { seconds: 3600 })
    await until(job, { amountPaid: '20.00', amountDue: '30.00' })
    expect(await capturesOf(job)).toMatchObject([{ status: 'SUCCESS' }])
  })
})
