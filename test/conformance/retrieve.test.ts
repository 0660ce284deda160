import { beforeAll, describe, expect, it, vi } from 'vitest'
import { hmacSha512 } from '../support/shops/hmac.ts'
import {
  type JobJson,
  type Pos,
  askWith,
  createJob,
  makePos,
  payAs,
  read,
  readJob,
  tokenFor,
} from '../support/hub/hub.ts'
import { receiver } from '../support/shops/receiver.ts'

let pos: Pos
let token: string
/** A new job, and a paid one. */
let [open, paid] = [null as unknown as JobJson, null as unknown as JobJson]
beforeAll(async () => {
  receiver()
  pos = await makePos()
  token = await tokenFor(pos)
  open = await createJob(token)
  paid = await finished('paid')
})

/** A job whose trace has all three documented steps. */
async function finished(outcome: string): Promise<JobJson> {
  const { payUrl, paymentJob } = await createJob(token)
  await payAs(payUrl, outcome)
  return vi.waitFor(async () => {
    const job = await readJob(token, paymentJob)
    expect(job.payments.steps).toHaveLength(3)
    return job
  }, 15_000)
}

describe('the answer to a retrieve', () => {
  it('has the documented fields and no others, in their order: those of the answer to its create', async () => {
    expect(Object.keys(await readJob(token, open.paymentJob))).toEqual(Object.keys(open))
  })

  it('"payments: creationDate, status, amountDue, amountPaid and steps"', async () => {
    const { paymentJob } = open
    const { payments } = await readJob(token, paymentJob)
    expect(payments).toMatchObject({ status: 'PENDING', amountDue: '12.50', amountPaid: '0.00' })
    expect(Object.keys(payments)).toEqual(['creationDate', 'status', 'amountDue', 'amountPaid', 'steps'])
  })

  it('"amountPaid: decimal string", also while nothing is paid', async () => {
    const { paymentJob } = open
    expect((await readJob(token, paymentJob)).amountPaid).toBe('0.00')
  })

  it('"the steps appear in the order Start, Return, Statuspull", each with the amounts after it', async () => {
    const { payments } = paid
    expect(
      payments.steps.map(({ action, status, amountDue, amountPaid }) => [
        action,
        status,
        amountDue,
        amountPaid,
      ]),
    ).toEqual([
      ['Start', 'PENDING', '12.50', '0.00'],
      ['Return', 'SUCCESS', '0.00', '12.50'],
      ['Statuspull', 'SUCCESS', '0.00', '12.50'],
    ])
  })

  it('"after a Return and a Statuspull with SUCCESS": nothing due, all paid', async () => {
    expect(paid).toMatchObject({ status: 'SUCCESS', amountDue: '0.00', amountPaid: '12.50', error: null })
    expect(paid.payments).toMatchObject({ status: 'SUCCESS', amountDue: '0.00', amountPaid: '12.50' })
  })

  it('"transactionId: only on the step with action Start"', async () => {
    const { payments } = paid
    expect(payments.steps.map((step) => 'transactionId' in step)).toEqual([true, false, false])
  })

  it('"payments.creationDate: time of the latest status"; all times of a job strictly increase', async () => {
    const { created, lastUpdate, payments } = paid
    const times = [created, ...payments.steps.map((step) => step.creationDate)]
    expect(times).toEqual(times.toSorted())
    expect(new Set(times).size).toBe(times.length)
    expect(payments.creationDate).toBe(times.at(-1))
    expect(lastUpdate).toBe(times.at(-1))
  })

  it.each([
    ['failed', 'FAILURE'],
    ['canceled', 'CANCELLED'],
    ['expired', 'EXPIRED'],
  ])('a payment that %s ends in %s, with nothing paid', async (outcome, status) => {
    expect(await finished(outcome)).toMatchObject({ status, amountDue: '12.50', amountPaid: '0.00' })
  })

  it('a payment left open stays PENDING', async () => {
    const { payUrl, paymentJob } = await createJob(token)
    await payAs(payUrl, 'open')
    expect(await readJob(token, paymentJob)).toMatchObject({ status: 'PENDING', amountDue: '12.50' })
  })

  it('carries X-Signature over the raw body', async () => {
    const { paymentJob } = open
    const response = await read(token, paymentJob)
    const expected = await hmacSha512(pos.signingSecret, await response.text())
    expect(response.headers.get('x-signature')).toBe(expected)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('a trailing slash is the same resource', async () => {
    expect((await askWith(token, 'GET', `/v2/paymentjobs/${open.paymentJob}/`)).status).toBe(200)
  })

  it('a HEAD is the same without the body', async () => {
    const response = await askWith(token, 'HEAD', `/v2/paymentjobs/${open.paymentJob}`)
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

describe('a job that is not there', () => {
  it.each([
    ['an unknown id', crypto.randomUUID()],
    ['a text that is no id', 'frob'],
    ['an encoded path', '..%2f..'],
  ])('is 404: %s', async (_, id) => {
    const response = await read(token, id)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
  })

  it("is 404 for another point of sale, by the same answer as an unknown one's", async () => {
    const { paymentJob } = open
    const stranger = await tokenFor(await makePos())
    const foreign = await read(stranger, paymentJob)
    const unknown = await read(stranger, crypto.randomUUID())
    expect(foreign.status).toBe(404)
    expect(await foreign.text()).toBe(await unknown.text())
  })
})
