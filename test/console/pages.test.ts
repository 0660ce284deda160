import { describe, expect, it } from 'vitest'
import { onePaymentAnswer } from './answers/payment.ts'
import { JOB, POS, answerTo } from './answers/world.ts'
import { get, post } from './console-client.ts'
import { operatorApiDouble } from './operator-api-double.ts'

async function htmlOf(path: string, api = operatorApiDouble(), cookie = ''): Promise<string> {
  return (await get(path, api, cookie)).text()
}

/** A payment with changed members, and the requests for it. */
function withPayment(more: object, now = Date.now()) {
  const path = `GET /jobs/${JOB}`
  const job = onePaymentAnswer({ now, role: 'operator', todo: 'nothing' })[path] as object
  return operatorApiDouble({ answers: { [path]: { ...job, ...more } } })
}

describe('a payment as it stood', () => {
  const then = Date.parse('2026-01-31T14:00:00Z')
  const planned = {
    askedAt: '2026-01-31T13:59:00Z',
    nextAskAt: '2026-01-31T14:05:47Z',
    reports: [],
  }

  it('counts what comes next from that moment', async () => {
    const html = await htmlOf(`/console/payments/${JOB}?at=2026-01-31T14:00:00Z`, withPayment(planned, then))
    expect(html).toContain('in 5 min 47 s')
    expect(html).toContain('1 min ago')
  })

  it("is asked for by the operator's clock", async () => {
    const api = withPayment(planned, then)
    await htmlOf(`/console/payments/${JOB}?at=2026-01-31T15:00:30`, api, 'hub-zone=Europe%2FAmsterdam')
    const { search = '' } = api.asked.find(({ path }) => path.endsWith(JOB)) ?? {}
    expect(new URLSearchParams(search).get('at')).toBe('2026-01-31T14:00:30.000Z')
  })
})

it('a payment without a report offers to send one, and does not speak of a newest one', async () => {
  const api = withPayment({ reports: [] })
  expect(await htmlOf(`/console/payments/${JOB}`, api)).toContain('Send the report')
  const question = await htmlOf(`/console/payments/${JOB}/resendReport`, api)
  expect(question).not.toMatch(/newest|again/)
})

it("a payment's error has its times in the operator's zone", async () => {
  const api = withPayment({ error: 'It did not answer since 2026-01-31T14:02:00Z.' })
  const html = await htmlOf(`/console/payments/${JOB}`, api, 'hub-zone=Asia%2FTokyo')
  expect(html).toMatch(/It did not answer since <time[^>]*>31 Jan[^<]*23:02<\/time>/)
})

it('an impaired hub names what fails, and links to it', async () => {
  const html = await htmlOf('/console/settings')
  expect(html).toContain('<a href="/console/accounts#stripe-eu">stripe-eu</a>')
  expect(html).not.toContain('#mollie-nl')
  expect(await htmlOf('/console/accounts')).toContain('id="stripe-eu"')
})

it('payments that wait at an account are announced page by page, and only such an account offers it', async () => {
  const path = '/console/accounts/stripe-eu/announceJobs'
  const pages = [
    { announced: 50, waiting: 0, next: 'place' },
    { announced: 3, waiting: 1, next: null },
  ]
  const double = operatorApiDouble()
  const searches: string[] = []
  const api = {
    ...double,
    ask: async (request: Request) => {
      const { pathname, search } = new URL(request.url)
      if (request.method !== 'POST' || !pathname.endsWith('/accounts/stripe-eu/announce'))
        return double.ask(request)
      searches.push(search)
      return Response.json(pages[searches.length - 1])
    },
  }
  const list = await htmlOf('/console/accounts', api)
  expect(list).toContain(`href="${path}"`)
  expect(list).not.toContain('/console/accounts/mollie-nl/announceJobs')
  const made = await post(path, api, {})
  expect(made.headers.get('location')).toBe('/console/accounts?done=announceJobs')
  expect(searches).toEqual(['', '?after=place'])
})

it('the audit log shows both numbers of a change, unchanged values once, and the name of a new subject', async () => {
  const entry = (number: number, more: object) => ({
    number,
    of: number - 1,
    action: 'pos.route',
    subject: POS.de,
    result: 'done',
    before: null,
    ...more,
  })
  const ideal = (account: string) => ({ paymentMethod: 'ideal', accounts: [account] })
  const answer = answerTo('GET /audit', {
    entries: [
      entry(30, { before: ideal('a'), after: ideal('b') }),
      entry(28, { action: 'token.create', subject: 'ab'.repeat(16), after: { name: 'CI', role: 'viewer' } }),
    ],
    unfinished: [],
    unreadable: [],
  })
  const html = await htmlOf('/console/audit', operatorApiDouble({ answers: { 'GET /audit': answer } }))
  expect(html).toContain('29, 30')
  expect(html).not.toMatch(/<(del|ins)><bdi>ideal/)
  expect(html).toContain('<bdi>ideal</bdi>')
  expect(html).toContain('<del><bdi>a</bdi></del>')
  expect(html).toContain('<bdi>CI</bdi>')
  expect(html).not.toContain('ab'.repeat(16))
})
