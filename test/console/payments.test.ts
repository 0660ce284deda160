import { afterEach, describe, expect, it, vi } from 'vitest'
import { onePaymentAnswer, reservedPaymentAnswer } from './answers/payment.ts'
import { JOB, POS } from './answers/world.ts'
import { ORIGIN, get, post } from './console-client.ts'
import { operatorApiDouble } from './operator-api-double.ts'

afterEach(() => vi.useRealTimers())

async function pageOf(query: string, api = operatorApiDouble(), cookie = ''): Promise<string> {
  return (await get(`/console/payments${query}`, api, cookie)).text()
}

describe('the search for payments', () => {
  it.each([
    ['2026-10-25T22:30:00Z', '2026-10-25', '2026-10-24'],
    ['2026-03-29T22:30:00Z', '2026-03-30', '2026-03-29'],
    ['2026-03-01T12:00:00Z', '2026-03-01', '2026-02-28'],
  ])('links to yesterday as the day before, also when the clocks change: %s', async (now, today, before) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })
    const html = await pageOf('', operatorApiDouble(), 'hub-zone=Europe%2FAmsterdam')
    expect(html).toContain(`from=${today}T00:00"`)
    expect(html).toContain(`from=${before}T00:00&amp;to=${today}T00:00"`)
  })

  it('passes an invalid time on to the API, which refuses it', async () => {
    const api = operatorApiDouble()
    const html = await pageOf('?from=last+week', api)
    expect(api.asked.find(({ path }) => path === '/operator/v1/jobs')?.search).toContain('from=last+week')
    expect(html).toContain('value="last week"')
  })

  it('reads an amount as people type it, and refuses an ambiguous one itself', async () => {
    const api = operatorApiDouble()
    await pageOf('?amount=1.250,50', api)
    expect(api.asked.find(({ path }) => path === '/operator/v1/jobs')?.search).toContain('amount=1250.5')
    const other = operatorApiDouble()
    expect(await pageOf('?amount=1.250', other)).toContain('could be 1250 or 1.250')
    expect(other.asked.map(({ path }) => path)).not.toContain('/operator/v1/jobs')
  })

  it('passes an invalid day on as well, in the audit log', async () => {
    const api = operatorApiDouble()
    await get('/console/audit?day=31.1.2026', api)
    expect(api.asked.find(({ path }) => path === '/operator/v1/audit')?.search).toContain('from=31.1.2026')
  })

  it('says whether it searched only a part of the payments, or found none in all of them', async () => {
    const found = (next: string | null) => operatorApiDouble({ answers: { 'GET /jobs': { jobs: [], next } } })
    expect(await pageOf('?amount=9.95', found('place'))).toContain('No payment found so far')
    expect(await pageOf('?amount=9.95', found('place'))).toContain('after=place')
    expect(await pageOf('?amount=9.95', found(null))).not.toContain('so far')
  })

  it('keeps an unknown shop in its form', async () => {
    const html = await pageOf('?pos=Fietsen+van+Dijk')
    expect(html).toMatch(/<select name="pos">[^]*<option value="Fietsen van Dijk" selected>/)
  })

  it('takes several statuses, and shows live payments first', async () => {
    const api = operatorApiDouble()
    const html = await pageOf('?status=FAILURE&status=EXPIRED', api)
    for (const status of ['FAILURE', 'EXPIRED']) expect(html).toMatch(new RegExp(`value="${status}" checked`))
    const { search = '' } = api.asked.find(({ path }) => path === '/operator/v1/jobs') ?? {}
    expect(new URLSearchParams(search).get('status')).toBe('FAILURE,EXPIRED')
    expect(new URLSearchParams(search).get('mode')).toBe('live')
  })

  it.each([
    ['', 'live', true],
    ['?mode=test&status=PENDING', 'test', true],
    ['?mode=live', 'live', false],
    ['?mode=all', 'all', false],
  ])(
    'where it finds nothing, leads to payments of the other mode if there are any: %j',
    async (query, mode, are) => {
      const other = mode === 'live' ? 'test' : 'live'
      const jobs = [{ id: JOB, orderNumber: 'A-7', orderId: '7', reference: null }]
      const found = { [`GET /jobs?mode=${other}`]: { jobs: are ? jobs : [], next: null } }
      const api = operatorApiDouble({ answers: { 'GET /jobs': { jobs: [], next: null }, ...found } })
      const html = await pageOf(query, api)
      const asked = api.asked.find(({ path }) => path === '/operator/v1/jobs')
      expect(new URLSearchParams(asked?.search).get('mode')).toBe(mode)
      expect(html).toMatch(new RegExp(`mode=${mode}[^"]*" aria-current="true"`))
      expect(html.includes(`There are payments in ${other} mode`)).toBe(are)
      // The filters stay as they are.
      expect(html).toContain(query.includes('status') ? '?mode=live&amp;status=PENDING"' : `?mode=${other}"`)
    },
  )

  it('offers files of what it shows, with decimal points or commas', async () => {
    const html = await pageOf('?mode=all&month=2026-10')
    for (const name of ['jobs', 'movements'])
      for (const more of ['', '&amp;separator=semicolon'])
        expect(html).toMatch(
          new RegExp(`/${name}/export\\?format=csv&amp;[^"]*mode=all&amp;[^"]*month=2026-10${more}"`),
        )
  })

  it('goes straight to the only payment of an order number', async () => {
    const jobs = [{ id: JOB, orderNumber: 'A-7', orderId: '7', reference: null }]
    const api = operatorApiDouble({ answers: { 'GET /jobs': { jobs, next: null } } })
    const response = await get('/console/payments?q=A-7', api)
    expect(response.headers.get('location')).toBe(`/console/payments/${JOB}`)
  })
})

it('the timeline says of a refund that its PSP has counted and not made that it is on its way', async () => {
  const path = `GET /jobs/${JOB}`
  const job = onePaymentAnswer({ now: Date.now(), role: 'viewer', todo: 'nothing' })[path] as {
    payments: { steps: { action: string }[] }
    refunds: object[]
  }
  const refunds = job.refunds.map((one) => ({ ...one, status: 'PENDING' }))
  const steps = job.payments.steps.slice(
    0,
    job.payments.steps.findIndex(({ action }) => action === 'Refund') + 1,
  )
  const answer = { ...job, refunds, payments: { ...job.payments, steps } }
  const html = await (
    await get(`/console/payments/${JOB}`, operatorApiDouble({ answers: { [path]: answer } }))
  ).text()
  const [, timeline = ''] = /<ol class="timeline">([^]*?)<\/ol>/.exec(html) ?? []
  expect(timeline).toContain('A refund is on its way')
  expect(timeline).toContain('to go back')
  expect(timeline).not.toContain('refunded')
})

it('the timeline distinguishes refunds from refunds that failed, and repeats no total', async () => {
  const world = { now: Date.now(), role: 'viewer', todo: 'nothing' } as const
  const path = `GET /jobs/${JOB}`
  const job = onePaymentAnswer(world)[path] as { payments: { steps: object[] } }
  const later = (minutes: number, action: string, more: object = {}) => ({
    ...job.payments.steps.at(-1),
    creationDate: new Date(world.now + minutes * 60_000).toISOString().replace('Z', '123Z'),
    action,
    amountRefunded: undefined,
    ...more,
  })
  const steps = [...job.payments.steps, later(1, 'Return'), later(2, 'Refund')]
  const api = operatorApiDouble({ answers: { [path]: { ...job, payments: { ...job.payments, steps } } } })
  const html = await (await get(`/console/payments/${JOB}`, api)).text()
  const [, timeline = ''] = /<ol class="timeline">([^]*?)<\/ol>/.exec(html) ?? []
  const lines = timeline.split('<li').map((line) => line.replace(/^[^>]*>|<[^>]*>/g, ''))
  const [went = '', back = '', came = ''] = lines.slice(-3)
  expect(went).toContain('Money went back')
  expect(went).toContain('34.50 refunded')
  expect(back).not.toContain('refunded')
  expect(came).toContain('Less refunded')
  expect(came).toContain('0.00 refunded')
})

describe('a payment of which money is reserved', () => {
  const world = { now: Date.now(), role: 'operator', todo: 'nothing' } as const
  const path = `GET /jobs/${JOB}`
  const pageFor = async (more: object = {}, role: 'viewer' | 'support' | 'operator' = 'operator') => {
    const job: object = reservedPaymentAnswer(world)[path] as object
    const api = operatorApiDouble({ role, answers: { [path]: { ...job, ...more } } })
    return (await get(`/console/payments/${JOB}`, api)).text()
  }
  const button = (change: string) => `href="/console/payments/${JOB}/${change}"`

  it('shows what is reserved, captured and released, its captures, and marks a deadline within a day', async () => {
    const html = await pageFor()
    expect(html).toMatch(/Reserved<\/dt><dd>[^/]*€1,234\.50/)
    expect(html).toMatch(/Captured<\/dt><dd>[^/]*€200\.00/)
    expect(html).toMatch(/Released<\/dt><dd>[^/]*€100\.00/)
    expect(html).toMatch(/<h2>Transfers<\/h2>[^]*Capture[^]*€334\.50[^]*insufficient balance/)
    expect(html).toMatch(/class="pill bad">Reserved until/)
    const captureBefore = new Date(world.now + 25 * 3_600_000).toISOString().replace('Z', '000Z')
    expect(await pageFor({ captureBefore })).toMatch(/class="pill busy">Reserved until/)
  })

  it('shows it in the list. If the reservation ends soon, the Overview shows it too, and links to all such payments', async () => {
    const { jobs } = (await (
      await operatorApiDouble().ask(new Request(`${ORIGIN}/operator/v1/jobs`))
    ).json()) as {
      jobs: object[]
    }
    const captureBefore = new Date(world.now + 3_600_000).toISOString()
    const listed = { jobs: [{ ...jobs[0], captureBefore }, jobs[1]], next: null }
    const api = operatorApiDouble({ answers: { 'GET /jobs': listed } })
    const list = await (await get('/console/payments?ends_within=24h', api)).text()
    expect(list.match(/class="pill bad">Reserved until/g)).toHaveLength(2)
    expect(list).toMatch(/name="ends_within" value="24h" checked/)
    const { search } = api.asked.find(({ path: asked }) => asked === '/operator/v1/jobs') ?? {}
    expect(new URLSearchParams(search).get('ends_within')).toBe('24h')
    const overview = await (await get('/console', operatorApiDouble())).text()
    expect(overview).toMatch(
      /href="\/console\/payments\?ends_within=24h&amp;mode=live">2 payments have reserved/,
    )
  })

  it('can be captured and released by an operator, and by no other role', async () => {
    const html = await pageFor()
    for (const change of ['captureJob', 'releaseJob']) expect(html).toContain(button(change))
    // The API refuses to cancel a payment whose money is reserved.
    expect(html).not.toContain(button('cancelJob'))
    const others = await pageFor({}, 'support')
    for (const change of ['captureJob', 'releaseJob']) expect(others).not.toContain(button(change))
  })

  it('reloads while a capture is on its way, but not after one that failed', async () => {
    const { transfers } = reservedPaymentAnswer(world)[path] as { transfers: object[] }
    const onItsWay = transfers.map((one) => ({ ...one, state: 'pending', why: null }))
    expect(await pageFor({ transfers: onItsWay })).toContain('data-after="2"')
    expect(await pageFor()).not.toContain('data-after')
  })

  it('that paid its order can still be captured if a capture failed later', async () => {
    const html = await pageFor({ status: 'SUCCESS', stage: null })
    for (const change of ['captureJob', 'releaseJob']) expect(html).toContain(button(change))
  })

  it('that has ended can only be released, and not even that without reserved money', async () => {
    const ended = await pageFor({ status: 'EXPIRED', stage: null })
    expect([ended.includes(button('captureJob')), ended.includes(button('releaseJob'))]).toEqual([
      false,
      true,
    ])
    const none = await pageFor({ capturable: '0.00' })
    expect([none.includes(button('captureJob')), none.includes(button('releaseJob'))]).toEqual([false, false])
  })

  it('has a timeline with its captures, failed captures and releases', async () => {
    const html = await pageFor()
    const [, timeline = ''] = /<ol class="timeline">([^]*?)<\/ol>/.exec(html) ?? []
    const [, , reserved, first, second, failed, released] = timeline
      .split('<li')
      .map((line) => line.replaceAll(/<[^>]*>/g, ' '))
    expect(reserved).toMatch(/€1,234\.50 +reserved/)
    expect(first).toMatch(/Captured.*€200\.00 +captured/)
    expect(second).toMatch(/€534\.50 +captured in all/)
    expect(failed).toMatch(/Less captured.*€200\.00 +captured/)
    expect(released).toMatch(/released.*€100\.00 +released/)
    expect(released).not.toMatch(/€[\d.,]+ +(reserved|captured)/)
  })
})

it('a point of sale says if its accounts cannot be read, instead of showing none', async () => {
  const api = operatorApiDouble({ answers: { 'GET /accounts': null } })
  const html = await (await get(`/console/points-of-sale/${POS.de}`, api)).text()
  expect(html).toContain('This could not be read.')
  expect(html).not.toContain('There is no account yet.')
})

it('the audit log of a hub without changes has nothing to verify, and no last entry', async () => {
  const none = { entries: 0, unfinished: [], wrong: null, head: null, next: null }
  const api = operatorApiDouble({ answers: { 'GET /audit/verify': none } })
  const html = await (await get('/console/audit/verify', api)).text()
  expect(html).toContain('No changes yet')
  expect(html).not.toContain('The last is')
})

it('the audit log filters by action, person, shop and local day, shows a change once, and names shops', async () => {
  const api = operatorApiDouble()
  const query = 'action=pos.route&by=Anna&subject=Corner+shop&day=2026-03-29'
  const html = await (await get(`/console/audit?${query}`, api, 'hub-zone=Europe%2FAmsterdam')).text()
  const { search = '' } = api.asked.find(({ path }) => path === '/operator/v1/audit') ?? {}
  expect(Object.fromEntries(new URLSearchParams(search))).toMatchObject({
    action: 'pos.route',
    by: 'Anna',
    subject: 'Corner shop',
    // The clocks went forward that night.
    from: '2026-03-28T23:00:00.000Z',
    to: '2026-03-29T22:00:00.000Z',
  })
  expect(html).toMatch(/<option value="pos.route" selected>/)
  for (const value of ['Anna', 'Corner shop', '2026-03-29']) expect(html).toContain(`value="${value}"`)
  expect(html.match(/<code>pos\.route<\/code>/g)).toHaveLength(1)
  expect(html).not.toContain(POS.de)
})

it('a payment as it stood at a step has no buttons, and links back to now', async () => {
  const api = operatorApiDouble()
  const now = await (await get(`/console/payments/${JOB}`, api)).text()
  const [, at = ''] = /\/console\/payments\/[^"]*\?at=([^"]+)"/.exec(now) ?? []
  expect(now).toContain(`/console/payments/${JOB}/refundJob`)
  const then = await (await get(`/console/payments/${JOB}?at=${at}`, api)).text()
  const path = `/operator/v1/jobs/${JOB}`
  expect(api.asked.findLast((asked) => asked.path === path)?.search).toContain(encodeURIComponent(at))
  expect(then).not.toContain(`/console/payments/${JOB}/refundJob`)
  expect(then).not.toContain('data-live')
  expect(then).toContain(`href="/console/payments/${JOB}">Back to now`)
})

it('a payment that its PSP does not know yet has a button that announces it, and says when the hub asked the PSP', async () => {
  const path = `/operator/v1/jobs/${JOB}`
  const job: object = await (await operatorApiDouble().ask(new Request(ORIGIN + path))).json()
  const [askedAt, nextAskAt] = ['2026-01-31T14:02:00.000Z', '2026-01-31T14:07:00.000Z']
  const waiting = { ...job, status: 'PENDING', announcement: 'due', askedAt, nextAskAt }
  const answers = { [`GET /jobs/${JOB}`]: waiting, [`POST /jobs/${JOB}/announce`]: waiting }
  const api = operatorApiDouble({ answers })
  const html = await (await get(`/console/payments/${JOB}`, api)).text()
  expect(html).toContain(`href="/console/payments/${JOB}/announceJob"`)
  expect(html).toMatch(new RegExp(`PSP asked last</dt><dd><time datetime="${askedAt}"`))
  expect(html).toMatch(new RegExp(`Asks the PSP</dt><dd><time datetime="${nextAskAt}"`))
  const made = await post(`/console/payments/${JOB}/announceJob`, api, {})
  expect(made.headers.get('location')).toBe(`/console/payments/${JOB}?done=announceJob`)
  expect(api.asked.at(-1)?.path).toBe(`${path}/announce`)
  const known = await (await get(`/console/payments/${JOB}`, operatorApiDouble())).text()
  expect(known).not.toContain('/announce"')
})
