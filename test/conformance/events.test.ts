import { Webhook } from 'standardwebhooks'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { hmacSha512 } from '../support/shops/hmac.ts'
import {
  type JobJson,
  type Pos,
  createJob,
  location,
  makePos,
  order,
  payAs,
  readJob,
  send,
  tokenFor,
} from '../support/hub/hub.ts'
import { stored, untilNothingIsDue } from '../support/jobs/job.ts'
import { receiver } from '../support/shops/receiver.ts'

let shop: ReturnType<typeof receiver>
function takeReports(): void {
  shop = receiver()
}
let pos: Pos
let token: string
/** A job that was paid, and its report. */
let paid: Awaited<ReturnType<typeof reportOf>>
beforeAll(async () => {
  takeReports()
  pos = await makePos()
  token = await tokenFor(pos)
  paid = await reportOf('paid')
})
beforeEach(takeReports)

async function reportOf(outcome: string) {
  // When two jobs with the same order number are paid, the hub sends another report.
  const job = await createJob(token, { order_number: crypto.randomUUID() })
  await payAs(job.payUrl, outcome)
  const report = await vi.waitFor(() => {
    const [first] = shop.of(job.paymentJob)
    if (!first) throw new Error('no report yet')
    return first
  }, 15_000)
  return { job, report }
}

describe('customer return', () => {
  it('"redirected to payUrl": that leads on to the page of the PSP', async () => {
    const { payUrl } = await createJob(token)
    const response = await send(payUrl)
    expect(response.status).toBe(303)
    expect(location(response)).toMatch(/\/sandbox\/checkout\/tr_/)
  })

  it('"sent back to the return_url given at creation", exactly as it was given', async () => {
    const url = 'https://shop.nl/thanks/?a=1&b=%20x&c=[]#top'
    const { payUrl } = await createJob(token, { return_url: url })
    expect(await payAs(payUrl, 'paid')).toBe(url)
  })

  it.each(['paid', 'failed', 'canceled', 'expired', 'open'])(
    'happens however the payment ended: %s',
    async (outcome) => {
      const { payUrl } = await createJob(token)
      expect(await payAs(payUrl, outcome)).toBe(order.return_url)
    },
  )

  it('carries signed parameters for a POS that opted in', async () => {
    const signing = await makePos({ signReturn: true })
    const { payUrl, paymentJob } = await createJob(await tokenFor(signing))
    const back = new URL(await payAs(payUrl, 'paid'))
    const expected = await hmacSha512(signing.signingSecret, `A-7,7,${paymentJob}`)
    expect(Object.fromEntries(back.searchParams)).toEqual({
      order: '7',
      order_number: 'A-7',
      order_code: '7',
      payment_job: paymentJob,
      signature: expected,
    })
  })
})

describe('report callback', () => {
  it('"the service sends an HTTP POST to the report_url given at creation"', async () => {
    const { report } = paid
    expect(report.url).toBe(order.report_url)
    expect(report.headers['content-type']).toBe('application/json')
  })

  it('has the payment job as a retrieve returns it at that time', async () => {
    const { job, report } = paid
    const reported = JSON.parse(report.body) as JobJson
    expect(reported).toMatchObject({ paymentJob: job.paymentJob, status: 'SUCCESS', amountPaid: '12.50' })
    const read = await readJob(token, job.paymentJob)
    expect(Object.keys(reported)).toEqual(Object.keys(read))
    expect(read.payments.steps.slice(0, reported.payments.steps.length)).toEqual(reported.payments.steps)
  })

  it('carries X-Signature over the raw body', async () => {
    const { report } = paid
    const expected = await hmacSha512(pos.signingSecret, report.body)
    expect(report.headers['x-signature']).toBe(expected)
  })

  it('is a Standard Webhooks message that the official verifier accepts', async () => {
    const { report } = paid
    expect(() => new Webhook(pos.signingSecret).verify(report.body, report.headers)).not.toThrow()
    expect(() => new Webhook(pos.signingSecret).verify(`${report.body} `, report.headers)).toThrow()
  })

  it.each([
    ['failed', 'FAILURE'],
    ['canceled', 'CANCELLED'],
    ['expired', 'EXPIRED'],
  ])('tells of a payment that %s too', async (outcome, status) => {
    const { report } = await reportOf(outcome)
    expect(JSON.parse(report.body)).toMatchObject({ status })
  })

  it('comes once for one change, however often the customer returns', async () => {
    const { job } = await reportOf('paid')
    await send(`/return/${job.paymentJob}`)
    await send(`/return/${job.paymentJob}`)
    const { report } = await untilNothingIsDue(job.paymentJob)
    expect(report?.history).toHaveLength(1)
    expect(shop.of(job.paymentJob)).toHaveLength(1)
  })

  it('does not come while nothing has changed', async () => {
    const { payUrl, paymentJob } = await createJob(token)
    await payAs(payUrl, 'open')
    expect((await stored(paymentJob)).report).toBeNull()
    expect(shop.of(paymentJob)).toHaveLength(0)
  })
})
