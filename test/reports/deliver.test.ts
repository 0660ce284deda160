import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { deliver, judge, signReport } from '../../src/reports/deliver.ts'
import { signingSecret } from '../../src/platform/crypto/signing.ts'
import { hmacSha512 } from '../support/shops/hmac.ts'
import { sampleJob } from '../support/jobs/played-job.ts'
import { sampleProfile } from '../support/jobs/sample-profile.ts'

const profile = sampleProfile({ signingVersion: 2 })

/** A receiver only of this test: others in this runtime may also be sending reports. */
let reportUrl: string
let sent: RequestInit[]
let answer: (init: RequestInit) => Promise<Response>
beforeEach(() => {
  reportUrl = `https://${crypto.randomUUID()}.shop.nl/report`
  sent = []
  answer = async () => new Response('ok')
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init = {}) => {
    if (url !== reportUrl) return new Response(null, { status: 503 })
    sent.push(init)
    return answer(init)
  })
})

function send(settings: object = {}, url = reportUrl) {
  const job = sampleJob({ reportUrl: url })
  return signReport(env, job, 2, profile).then((signed) => deliver({ ...env, ...settings }, job, signed))
}

it('a report says that it comes from the hub, so that a shop recognises it in its logs', async () => {
  await send()
  expect(new Headers(sent[0]?.headers).get('user-agent')).toBe('payment-hub')
})

describe('the address of a report is checked again on delivery', () => {
  it.each([
    ['of the hub', 'https://hub.nl/report'],
    ['of no public host', 'https://shop.internal/report'],
    ['of an IP address', 'https://192.0.2.7/report'],
    ['that is no longer https', 'http://shop.nl/report'],
  ])('%s: nothing is sent, and the report is given up', async (_, url) => {
    reportUrl = url
    expect(await send()).toEqual({ is: 'stopped', outcome: 'address refused' })
    expect(sent).toEqual([])
  })

  it("of a host that is now the hub's own: nothing is sent", async () => {
    const { hostname } = new URL(reportUrl)
    expect(await send({ HUB_HOSTS: `pay.nl ${hostname}` })).toEqual({
      is: 'stopped',
      outcome: 'address refused',
    })
    expect(sent).toEqual([])
    expect((await send()).is).toBe('delivered')
  })
})

it("an order of the hub's own till sends none, and none fails", async () => {
  expect(await send({}, 'https://hub.nl/till')).toMatchObject({ is: 'delivered' })
  expect(sent).toEqual([])
  expect(await send({}, 'https://hub.nl/till/report')).toEqual({ is: 'stopped', outcome: 'address refused' })
})

it('a shop that lets days pass does not flood a host: the next try waits for a minute', async () => {
  const limit = vi.spyOn(env.HURRIED_REPORTS_PER_HOST, 'limit').mockResolvedValue({ success: false })
  expect((await send()).is).toBe('delivered')
  const job = sampleJob({ reportUrl })
  const hurried = { ...job, clock: { ...job.clock, offset: 86_400_000 } }
  const signed = await signReport(env, hurried, 2, profile)
  expect(await deliver(env, hurried, signed)).toEqual({
    is: 'failed',
    outcome: 'too many reports to this host',
    retryAfter: 60,
  })
  expect(sent).toHaveLength(1)
  // All hosts of one owner count together, and all reports of a shop.
  expect(limit.mock.calls).toEqual([[{ key: 'shop.nl' }], [{ key: job.pos }]])
})

it('a redirect is not followed', async () => {
  answer = async () => Response.redirect('https://elsewhere.nl/', 308)
  expect(await send()).toEqual({ is: 'failed', outcome: '308', retryAfter: null })
  expect(sent.map(({ method, redirect }) => [method, redirect])).toEqual([['POST', 'manual']])
})

describe('a receiver has 15 seconds', () => {
  /** Records the requested deadlines, so that the test can end each. */
  const deadlines = () => {
    const set: { ms: number; end: AbortController }[] = []
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const end = new AbortController()
      set.push({ ms, end })
      return end.signal
    })
    return (signal: unknown) => set.find(({ end }) => end.signal === signal)
  }

  it('and then the try has failed', async () => {
    const find = deadlines()
    answer = ({ signal }) =>
      new Promise((_, reject) => {
        const deadline = find(signal)
        expect(deadline?.ms).toBe(15_000)
        signal?.addEventListener('abort', () => reject(new Error('aborted')))
        deadline?.end.abort()
      })
    expect(await send()).toEqual({ is: 'failed', outcome: 'no answer in time', retryAfter: null })
  })

  it('and a broken connection is not reported as a late answer', async () => {
    answer = () => Promise.reject(new Error('reset'))
    expect(await send()).toEqual({ is: 'failed', outcome: 'no connection', retryAfter: null })
  })
})

it('a report is signed with the present secret, and in webhook-signature also with the previous one', async () => {
  await send()
  const [{ headers, body } = {}] = sent
  const given = new Headers(headers)
  const present = await signingSecret(env.SIGNING_ROOT, profile.pos, 2)
  expect(given.get('x-signature')).toBe(await hmacSha512(present, body as string))
  expect(given.get('webhook-id')).toBe(`msg_${sampleJob().id}_2`)
  expect(given.get('webhook-signature')?.split(' ')).toHaveLength(2)
})

it('the text of a refusal is kept, and the body of an acceptance is not read', async () => {
  answer = async () => new Response('out of\nmemory', { status: 500 })
  expect(await send()).toEqual({ is: 'failed', outcome: '500', retryAfter: null, answer: 'out of memory' })
  let pulls = 0
  const body = new ReadableStream({ pull: () => void pulls++ }, { highWaterMark: 0 })
  answer = async () => new Response(body)
  expect(await send()).toEqual({ is: 'delivered', outcome: '200' })
  expect(pulls).toBe(0)
})

it.each([
  ['delivered', [200, 201, 204, 299]],
  ['failed', [199, 300, 302, 400, 404, 409, 411, 429, 500, 503]],
  ['stopped', [410]],
])('a report is %s by the answers %j', (is, statuses) => {
  const judged = statuses.map((status) => judge({ status, headers: new Headers() }).is)
  expect(new Set(judged)).toEqual(new Set([is]))
})
