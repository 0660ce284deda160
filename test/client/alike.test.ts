import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkReport } from '../../src/kit/stored-report.ts'
import { TEXTS, NOW } from './retry-after-texts.ts'
import { REPORT, SIGNING_SECRET, signedReports } from '../support/shops/signed-reports.ts'
import { type Call, LANGUAGES, type Outcome } from './languages.ts'
import { type Answer, PAID, scriptedHub } from './scripted-hub.ts'

/* The clients in each language do the same: one table of answers, one server, and one table of reports. */

let server: Awaited<ReturnType<typeof scriptedHub>>
beforeAll(async () => {
  server = await scriptedHub()
})
afterAll(() => server.close())

const HTML = '<html><body><h1>Service Unavailable</h1></body></html>'
const [JOB, GUARDIAN] = ['/v2/paymentjobs', '/v1/guardian']
const PENDING: Answer = { ...PAID, body: '{"paymentJob":"1","status":"PENDING","amountPaid":"0.00"}' }

/** The next full second after so many seconds, in a form of HTTP dates (RFC 9110, section 5.6.7). */
const FORMS: Readonly<Record<string, (utc: string) => string>> = {
  'IMF-fixdate': (utc) => utc,
  'RFC 850': (utc) => utc.replace(/^(\w+), (\d+) (\w+) \d\d(\d\d)/, '$1day, $2-$3-$4'),
  asctime: (utc) => utc.replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT/, '$1 $3 $2 $5 $4'),
}
const inSeconds = (seconds: number) => new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000).toUTCString()

function edge(
  status: number,
  body: string,
  retryAfter?: string,
  headers: Record<string, string> = {},
): Answer {
  const asked: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  return { status, headers: { 'content-type': 'text/html', ...asked, ...headers }, body }
}
const json = { 'content-type': 'application/json' }

/** What may come instead of the hub's answer, and whether the client then waits three seconds. */
const REFUSALS: readonly (readonly [name: string, waits: boolean, answer: () => Answer])[] = [
  ['503 in HTML', true, () => edge(503, HTML, '3')],
  ['502 in HTML', true, () => edge(502, HTML, '3')],
  ['504 without a body', true, () => edge(504, '', '3')],
  ['429 in text', true, () => edge(429, 'Too many', '3', { 'content-type': 'text/plain' })],
  ['500 in HTML that claims to be JSON', true, () => edge(500, HTML, '3', json)],
  ['503 with a list', true, () => edge(503, '[1]', '3', json)],
  ['503 with null', true, () => edge(503, 'null', '3', json)],
  [
    '503 of a gateway, with a number as its code',
    true,
    () => edge(503, '{"code":503,"message":"no"}', '3', json),
  ],
  ['429 of a gateway, without a code', true, () => edge(429, '{"message":"slow"}', '3', json)],
  ['503 of the hub', true, () => edge(503, '{"code":"unavailable","detail":"no"}', '3', json)],
  ['503 of the hub in HTML', true, () => edge(503, '{"code":"unavailable","detail":"no"}', '3')],
  ['503 that breaks off', true, () => ({ ...edge(503, HTML, '3'), cut: true })],
  ...Object.entries(FORMS).map(
    ([form, write]) =>
      [`503 with an ${form} date`, true, () => edge(503, HTML, write(inSeconds(3)))] as const,
  ),
  [
    '503 with a date by another clock',
    true,
    () => edge(503, HTML, 'Sun, 06 Nov 1994 08:49:40 GMT', { date: 'Sun, 06 Nov 1994 08:49:37 GMT' }),
  ],
  ...['-5', 'soon', 'soon 2099', '2.5', '', 'Sun, 06 Nov 1994 08:49:37 GMT'].map(
    (text) => [`503 with a Retry-After of "${text}"`, false, () => edge(503, HTML, text)] as const,
  ),
  ['503 without a Retry-After', false, () => edge(503, HTML)],
]

const FEW = [REFUSALS[0], REFUSALS[3], REFUSALS.at(-2)].flatMap((one) => (one ? [one] : []))
const CALLS: readonly [
  call: string,
  does: 'read' | 'create' | 'wait',
  path: string,
  before: Answer[],
  refusals: typeof REFUSALS,
][] = [
  ['a read', 'read', JOB, [], REFUSALS],
  ['a create', 'create', JOB, [], FEW],
  ['a token', 'read', GUARDIAN, [], FEW],
  ['a wait', 'wait', JOB, [PENDING], FEW],
]

type Client = (call: Call) => Promise<Outcome>

/** Runs a test with the client of each language at the same time. */
async function withEach(test: (one: Client, language: string) => Promise<void>): Promise<void> {
  const tests = Object.entries(LANGUAGES).map(([language, make]) =>
    test(async (call) => (await make([call]))[0] ?? {}, language),
  )
  await Promise.all(tests)
}

describe('the clients in TypeScript, PHP and Python', () => {
  it.each(CALLS)('repeat %s as Retry-After says, whatever the body is', (_, does, path, before, refusals) =>
    withEach(async (one, language) => {
      const played = refusals.map(async ([name, waits, answer]) => {
        const { url, came } = server.script(path, [...before, answer])
        expect(await one({ url, does, wait: 20 }), `${language}, ${name}`).toEqual({ status: 'SUCCESS' })
        const [refused, again] = came().slice(before.length)
        const pause = (again?.at ?? Infinity) - (refused?.at ?? 0)
        expect(
          pause > (waits ? 2980 : 100) && (waits || pause < 2900),
          `${language}, ${name}: ${pause}`,
        ).toBe(true)
        expect(new Set(came().map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
      })
      await Promise.all(played)
    }),
  )

  it.each(Object.entries(LANGUAGES))('read each Retry-After alike: %s', async (_, make) => {
    const calls = TEXTS.map(([text]): Call => {
      const { url } = server.script(JOB, [edge(404, HTML, text, { date: new Date(NOW).toUTCString() })])
      return { url, does: 'read' }
    })
    const read = (await make(calls)).map(({ retryAfter }, at) => [TEXTS[at]?.[0], retryAfter])
    expect(read).toEqual(TEXTS.map(([text, seconds]) => [text, seconds ?? 0]))
  })

  it.each(Object.entries(LANGUAGES))(
    'take what the hub has signed just now, and refuse all other reports: %s',
    async (_, make) => {
      const reports = signedReports()
      const calls = reports.map((report): Call => ({
        url: 'http://localhost',
        does: 'verify',
        report,
        secret: SIGNING_SECRET,
      }))
      const said = (await make(calls)).map((outcome, at) => [reports[at]?.name, outcome])
      const right = reports.map(({ name, fault }) => [name, fault ? { code: fault } : { status: 'SUCCESS' }])
      expect(said).toEqual(right)
    },
  )

  it('take the headers of a framework that makes a list of each, and a secret with its prefix', () =>
    withEach(async (one, language) => {
      const [{ headers, body } = { headers: {}, body: '' }] = signedReports()
      const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
      const verify = { url: 'http://localhost', does: 'verify', secret: `whsec_${SIGNING_SECRET}` } as const
      const said = await one({ ...verify, report: { headers: lists, body } })
      expect(said, language).toEqual({ status: 'SUCCESS' })
    }))

  it('fail at once if they would have to wait longer than their time', () =>
    withEach(async (one, language) => {
      const { url, came } = server.script(JOB, [edge(503, HTML, '3600')])
      const failed = { code: 'answer-unreadable', http: 503, retryAfter: 3600 }
      expect(await one({ url, does: 'read', timeout: 5 }), language).toEqual(failed)
      expect(came(), language).toHaveLength(1)
    }))

  it.each([
    ['an answer in HTML', edge(200, HTML), 'answer-unreadable', 200],
    ['an empty answer', { status: 200 }, 'answer-unreadable', 200],
    ['a redirect', edge(302, HTML, undefined, { location: '/' }), 'answer-unreadable', 302],
    ['a 403 of an edge', edge(403, HTML, '1'), 'answer-unreadable', 403],
    [
      'a refusal',
      edge(422, '{"code":"fields-invalid","detail":"no"}', undefined, json),
      'fields-invalid',
      422,
    ],
  ])('take %s as an error, and do not repeat it', (_, answer, code, http) =>
    withEach(async (one, language) => {
      const { url, came } = server.script(JOB, [answer])
      expect(await one({ url, does: 'read' }), language).toMatchObject({ code, http })
      expect(came(), language).toHaveLength(1)
    }),
  )

  it('wait 50 seconds at the hub at most, and go on if the hub fails or has too many watchers', () =>
    withEach(async (one, language) => {
      const full = edge(429, '{"code":"too-many-watchers","detail":"no"}', '60', json)
      const { url, came } = server.script(JOB, [edge(502, HTML), PENDING, full, PENDING, edge(502, HTML)])
      expect(await one({ url, does: 'wait', wait: 900 }), language).toEqual({ status: 'SUCCESS' })
      const prefers = came().map(({ headers }) => headers['prefer'] ?? null)
      expect(prefers.slice(0, 5), language).toEqual([null, null, 'wait=50', null, 'wait=50'])
    }))

  it('pause between reads if something on the way does not let the hub wait', () =>
    withEach(async (one, language) => {
      const atOnce = Array.from({ length: 50 }, () => ({ ...PENDING, headers: {} }))
      const { url, came } = server.script(JOB, atOnce)
      await one({ url, does: 'wait', wait: 3 })
      expect(came().length, language).toBeLessThan(6)
    }))

  it('return the job as it last stood if the hub fails at the end of a wait', () =>
    withEach(async (one, language) => {
      const { url } = server.script(JOB, [PENDING, ...Array.from({ length: 50 }, () => edge(503, HTML, '9'))])
      expect(await one({ url, does: 'wait', wait: 2 }), language).toEqual({ status: 'PENDING' })
    }))
})

it('the kit calls those reports genuine that the clients take', async () => {
  const now = new Date()
  for (const { name, headers, body, fault } of signedReports(now.getTime())) {
    const stored = { headers, body, received: now.toISOString() }
    const check = await checkReport(stored, SIGNING_SECRET, now)
    expect([name, check.fault === null]).toEqual([name, fault === null])
  }
  const ahead = signedReports(now.getTime()).find(({ name }) => name === 'signed in milliseconds')
  expect(
    await checkReport({ headers: ahead?.headers ?? {}, body: REPORT }, SIGNING_SECRET, now),
  ).toMatchObject({
    fault: 'from-the-future',
  })
})
