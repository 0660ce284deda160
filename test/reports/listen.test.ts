import { nextReportAt } from '../../src/job/core/duties.ts'
import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { deliverListened } from '../../src/reports/report-delivery.ts'
import { createJob, makePos, payAs, tokenFor } from '../support/hub/hub.ts'
import { hmacSha512 } from '../support/shops/hmac.ts'
import { ringNext, stored } from '../support/jobs/job.ts'
import { answered, listen } from '../support/shops/listener.ts'
import { receiver } from '../support/shops/receiver.ts'
import { paidJob, untilTried } from '../support/jobs/reported.ts'
import { sampleJob } from '../support/jobs/played-job.ts'
import { sampleProfile } from '../support/jobs/sample-profile.ts'

let shop: ReturnType<typeof receiver>
let answer: () => Response
beforeEach(() => {
  answer = () => new Response('ok')
  shop = receiver(() => answer())
})

describe('a listener that answers', () => {
  it('gets the report instead of its report_url, signed, and the job records its answer', async () => {
    const pos = await makePos()
    const listener = await listen(pos.apiKey, { answering: answered(202) })
    const id = await paidJob(pos)
    expect(await untilTried(id)).toMatchObject({ state: 'delivered', history: [{ outcome: '202' }] })
    expect(shop.of(id)).toEqual([])
    const [report] = await listener.until('report')
    expect(report).toMatchObject({ job: id, revision: 2, try: 1, to: 'listener' })
    const { headers = {}, body = '' } = report ?? {}
    expect(JSON.parse(body)).toMatchObject({ paymentJob: id, status: 'SUCCESS' })
    expect(headers['x-signature']).toBe(await hmacSha512(pos.signingSecret, body))
    expect(() => new Webhook(pos.signingSecret).verify(body, headers)).not.toThrow()
    const [result] = await listener.until('result')
    expect(result).toMatchObject({
      delivery: report?.delivery,
      outcome: '202',
      state: 'delivered',
      nextTry: null,
    })
  })

  it.each([
    ['a 500', { status: 500 }, '500', 'due'],
    ['a 410', { status: 410 }, '410', 'given-up'],
    ['no connection', { failed: 'no connection' }, 'no connection', 'due'],
  ])('whose receiver gives %s is recorded like any receiver', async (_, said, outcome, state) => {
    const pos = await makePos()
    const answering = ({ delivery }: { delivery: string }) => ({ type: 'answer', delivery, ...said })
    const listener = await listen(pos.apiKey, { answering })
    const id = await paidJob(pos)
    expect(await untilTried(id)).toMatchObject({ history: [{ outcome }] })
    expect((await listener.until('result'))[0]).toMatchObject({ job: id, outcome, state })
  })

  it('has the Retry-After of its receiver honoured', async () => {
    const pos = await makePos()
    await listen(pos.apiKey, { answering: answered(503, { retryAfter: '7200' }) })
    const { notBefore } = await untilTried(await paidJob(pos))
    expect(notBefore - Date.now()).toBeGreaterThan(7_190_000)
  })

  it('gets the next try of the job’s schedule, with the same webhook-id', async () => {
    const pos = await makePos()
    let status = 500
    const listener = await listen(pos.apiKey, { answering: (frame) => answered(status)(frame) })
    const id = await paidJob(pos)
    await untilTried(id)
    status = 200
    await ringNext(id)
    expect(await untilTried(id, 2)).toMatchObject({ state: 'delivered' })
    const [first, second] = await listener.until('report', 2)
    expect([first?.try, second?.try]).toEqual([1, 2])
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  })

  it('that gives no answer in 15 seconds has failed', async () => {
    const { timeout } = AbortSignal
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) =>
      timeout.call(AbortSignal, ms === 15_000 ? 300 : ms),
    )
    const pos = await makePos()
    await listen(pos.apiKey)
    const id = await paidJob(pos)
    expect(await untilTried(id)).toMatchObject({
      state: 'due',
      history: [{ outcome: 'no answer in time' }],
    })
  })

  it('that goes away in the middle of a try leaves the report due: it goes to report_url next', async () => {
    const pos = await makePos()
    const listener = await listen(pos.apiKey)
    const id = await paidJob(pos)
    await listener.until('report')
    listener.close()
    expect(await untilTried(id)).toMatchObject({
      state: 'due',
      history: [{ outcome: 'no connection' }],
    })
    await ringNext(id)
    expect(await untilTried(id, 2)).toMatchObject({ state: 'delivered' })
    expect(shop.of(id)).toHaveLength(1)
  })

  it('also gets a report whose report_url the hub now refuses', async () => {
    const pos = await makePos()
    const listener = await listen(pos.apiKey, { answering: answered(200) })
    const { payUrl, paymentJob: id } = await createJob(await tokenFor(pos), {
      report_url: 'http://localhost:3000/report',
    })
    await payAs(payUrl, 'paid')
    expect(await untilTried(id)).toMatchObject({ state: 'delivered' })
    expect((await listener.until('report'))[0]).toMatchObject({ reportUrl: 'http://localhost:3000/report' })
  })
})

describe('listeners that only watch', () => {
  it('see what the hub sends to report_url, and its answer', async () => {
    const pos = await makePos()
    answer = () => new Response('no', { status: 500 })
    const watcher = await listen(pos.apiKey, { as: 'watches', answering: answered(200) })
    const id = await paidJob(pos)
    expect(await untilTried(id)).toMatchObject({ state: 'due', history: [{ outcome: '500' }] })
    const [sent] = shop.of(id)
    const [report] = await watcher.until('report')
    expect(report).toMatchObject({ job: id, to: 'report_url', body: sent?.body })
    expect(sent?.headers).toMatchObject(report?.headers ?? {})
    const [result] = await watcher.until('result')
    expect(result).toMatchObject({ outcome: '500', state: 'due' })
    expect(Date.parse(result?.nextTry ?? '')).toBe(nextReportAt(await stored(id), 0))
  })

  it('get a copy while another answers, and only that answer counts', async () => {
    const pos = await makePos()
    const watcher = await listen(pos.apiKey, { as: 'watches', answering: answered(500) })
    const forwarder = await listen(pos.apiKey, { answering: answered(201) })
    const id = await paidJob(pos)
    expect(await untilTried(id)).toMatchObject({ state: 'delivered', history: [{ outcome: '201' }] })
    const [copy] = await watcher.until('report')
    expect(copy).toEqual((await forwarder.until('report'))[0])
    expect((await watcher.until('result'))[0]).toMatchObject({ outcome: '201', state: 'delivered' })
  })
})

it('a report that a newer one has overtaken is shown as such', async () => {
  const pos = await makePos()
  const listener = await listen(pos.apiKey, { answering: answered(200) })
  const job = { ...sampleJob(), pos: pos.id }
  const { tell } = await deliverListened(env, job, 2, sampleProfile({ pos: pos.id, mode: 'test' }))
  tell({ ...job, report: null })
  expect((await listener.until('result'))[0]).toMatchObject({
    outcome: '200',
    state: 'superseded',
    nextTry: null,
  })
})

describe('no listener is connected', () => {
  it('and the report goes to report_url, after one question', async () => {
    const asked = vi.spyOn(env.REPORT_LISTENER, 'getByName')
    const pos = await makePos()
    const id = await paidJob(pos)
    expect(await untilTried(id)).toMatchObject({ state: 'delivered' })
    expect(asked.mock.calls.filter(([name]) => name === pos.id)).toHaveLength(1)
    expect(shop.of(id)).toHaveLength(1)
  })

  it('at a point of sale in live mode, where the hub does not even ask', async () => {
    const asked = vi.spyOn(env.REPORT_LISTENER, 'getByName')
    const pos = 'e'.repeat(32)
    const job = sampleJob({ reportUrl: 'https://shop.nl/report' })
    for (const mode of ['live', 'test'] as const) {
      const { outcome } = await deliverListened(env, job, 2, sampleProfile({ pos, mode }))
      expect(outcome.is).toBe('delivered')
      expect(asked.mock.calls.filter(([name]) => name === pos)).toHaveLength(mode === 'live' ? 0 : 1)
    }
  })

  it('as far as the hub can tell: a deploy has not reached the object, and the report goes to report_url', async () => {
    const pos = await makePos()
    vi.spyOn(env.REPORT_LISTENER, 'getByName').mockImplementation(() => {
      throw new Error('The Durable Object class is not exported')
    })
    const id = await paidJob(pos)
    expect(await untilTried(id)).toMatchObject({ state: 'delivered' })
    expect(shop.of(id)).toHaveLength(1)
  })
})
