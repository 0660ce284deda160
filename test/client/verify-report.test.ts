import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type ReportError, verifyReport } from '../../src/client/verify-report.ts'
import { hmacSha512 } from '../support/shops/hmac.ts'
import { type Pos, createJob, makePos, payAs, tokenFor } from '../support/hub/hub.ts'
import { operate } from '../support/hub/operator.ts'
import { type Received, receiver } from '../support/shops/receiver.ts'

/** A report that the hub itself sent. */
async function reported(pos: Pos): Promise<Received> {
  const world = receiver()
  const job = await createJob(await tokenFor(pos))
  await payAs(job.payUrl, 'paid')
  await vi.waitFor(() => expect(world.of(job.paymentJob).length).toBeGreaterThan(0))
  const [report] = world.of(job.paymentJob)
  if (!report) throw new Error('there is no report')
  return report
}
function faultOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'taken',
    (error: ReportError) => `${error.name} ${error.code}`,
  )
}

let pos: Pos
let report: Received
beforeAll(async () => {
  pos = await makePos()
  report = await reported(pos)
})

describe('a report of the hub', () => {
  it('is verified from a Request, from headers of Node and from bytes, and returns the job', async () => {
    const { headers, body } = report
    const bytes = new TextEncoder().encode(body)
    const capitals = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    )
    for (const request of [
      new Request('https://shop.example/report', { method: 'POST', headers, body }),
      { headers, body },
      { headers: new Headers(headers), body: bytes },
      { headers: capitals, body },
    ]) {
      expect(await verifyReport(request, pos.signingSecret)).toEqual(JSON.parse(body))
    }
  })

  it('is verified with either secret while the shop changes it', async () => {
    expect(await faultOf(verifyReport(report, ['x'.repeat(64), pos.signingSecret]))).toBe('taken')
    const changed = await (await operate('POST', `/pos/${pos.id}/secret`)).json<{ signingSecret?: string }>()
    const later = await reported(pos)
    expect(await faultOf(verifyReport(later, pos.signingSecret))).toBe('taken')
    expect(await faultOf(verifyReport(later, changed.signingSecret ?? ''))).toBe('taken')
  })

  it('is verified by X-Signature if a proxy removes the other headers, and the shop allows it', async () => {
    const headers = { 'x-signature': report.headers['x-signature'] }
    const bare = { headers, body: report.body }
    expect(await faultOf(verifyReport(bare, pos.signingSecret))).toBe('ReportError signature-missing')
    expect(await verifyReport(bare, pos.signingSecret, { withoutTime: true })).toEqual(
      JSON.parse(report.body),
    )
  })
})

it('a message from the Standard Webhooks library is verified, also with the prefix of its secrets', async () => {
  const at = new Date()
  const signature = new Webhook(pos.signingSecret).sign('msg_1', at, '{"a":1}')
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': `v1a,abc v1,AAAA ${signature}`,
  }
  expect(await verifyReport({ headers, body: '{"a":1}' }, `whsec_${pos.signingSecret}`)).toEqual({ a: 1 })
})

describe('is refused', () => {
  const change = (changes: Record<string, string | undefined>, body = report.body) =>
    faultOf(verifyReport({ headers: { ...report.headers, ...changes }, body }, pos.signingSecret))

  it('a report whose body was changed, by a byte or in its spaces', async () => {
    expect(await change({}, report.body.replace('SUCCESS', 'FAILURE'))).toBe('ReportError signature-wrong')
    expect(await change({}, `${report.body} `)).toBe('ReportError signature-wrong')
    expect(await change({}, JSON.stringify(JSON.parse(report.body), null, 1))).toBe(
      'ReportError signature-wrong',
    )
  })

  it("another point of sale's report", async () => {
    const other = await makePos()
    expect(await faultOf(verifyReport(report, other.signingSecret))).toBe('ReportError signature-wrong')
    const headers = { 'x-signature': report.headers['x-signature'] }
    expect(
      await faultOf(verifyReport({ headers, body: report.body }, other.signingSecret, { withoutTime: true })),
    ).toBe('ReportError signature-wrong')
  })

  it('a report that was signed more than five minutes ago or in the future, whatever time it claims', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const sent = Number(report.headers['webhook-timestamp']) * 1000
      vi.setSystemTime(sent + 299_000)
      expect(await change({})).toBe('taken')
      vi.setSystemTime(sent + 301_000)
      expect(await change({})).toBe('ReportError too-old')
      expect(await change({ 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) })).toBe(
        'ReportError signature-wrong',
      )
      vi.setSystemTime(sent - 301_000)
      expect(await change({})).toBe('ReportError too-old')
    } finally {
      vi.useRealTimers()
    }
  })

  it.each<[string, Record<string, string | undefined>]>([
    ['a part of its headers alone', { 'webhook-signature': undefined }],
    ['no time', { 'webhook-timestamp': undefined }],
    ['a time that is none', { 'webhook-timestamp': 'now' }],
    ['no id', { 'webhook-id': undefined }],
  ])('a report with %s, although its X-Signature is right', async (_, changes) => {
    expect(await change(changes)).toBe('ReportError signature-missing')
  })

  it.each<[string, Record<string, string>]>([
    ['another id', { 'webhook-id': 'msg_other' }],
    ['no version', { 'webhook-signature': 'abc' }],
    ['an empty signature', { 'webhook-signature': 'v1,' }],
    ['no base64', { 'webhook-signature': 'v1,***' }],
  ])('a report with %s', async (_, changes) => {
    expect(await change(changes)).toBe('ReportError signature-wrong')
  })

  it('a report without any signature, or with a broken X-Signature', async () => {
    const only = (headers: Record<string, string>) =>
      faultOf(verifyReport({ headers, body: report.body }, pos.signingSecret, { withoutTime: true }))
    expect(await only({})).toBe('ReportError signature-missing')
    for (const broken of ['', 'zz', 'ab', report.headers['x-signature']?.slice(2) ?? '']) {
      expect(await only({ 'x-signature': broken })).toBe('ReportError signature-wrong')
    }
  })

  it('anything, when the secret is empty', async () => {
    const signature = await hmacSha512('x', report.body)
    expect(
      await faultOf(
        verifyReport({ headers: { 'x-signature': signature }, body: report.body }, '', { withoutTime: true }),
      ),
    ).toBe('ReportError signature-wrong')
    expect(await faultOf(verifyReport(report, []))).toBe('ReportError signature-wrong')
  })
})
