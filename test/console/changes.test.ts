import { afterEach, describe, expect, it, vi } from 'vitest'
import { reservedPaymentAnswer } from './answers/payment.ts'
import { JOB, POS } from './answers/world.ts'
import { ORIGIN, get, post } from './console-client.ts'
import { operatorApiDouble } from './operator-api-double.ts'

afterEach(() => vi.useRealTimers())

describe('a change', () => {
  it('asks first: a GET changes nothing', async () => {
    const api = operatorApiDouble()
    const html = await (await get(`/console/payments/${JOB}/refundJob`, api)).text()
    expect(html).toContain('<form method="post"')
    expect(api.asked.map(({ method }) => method)).not.toContain('POST')
  })

  it('makes one call of the API, and then shows its page', async () => {
    const api = operatorApiDouble({ answers: { [`POST /jobs/${JOB}/refunds`]: { status: 'PENDING' } } })
    const id = crypto.randomUUID()
    const form = { id, amount: '2.50', description: '', sure: 'yes' }
    const response = await post(`/console/payments/${JOB}/refundJob`, api, form)
    expect(response.headers.get('location')).toBe(`/console/payments/${JOB}?done=refundJob`)
    const changes = api.asked.filter(({ method }) => method !== 'GET')
    expect(changes.map(({ method, body }) => [method, JSON.parse(body)])).toEqual([
      ['POST', { id, amount: '2.50' }],
    ])
    expect(changes[0]?.headers.get('origin')).toBe(ORIGIN)
  })

  it('asks again if the API refuses it, with the reason and what was filled in', async () => {
    const problem = { code: 'refund-too-much', status: 422, detail: 'amount is more than is left' }
    const api = operatorApiDouble({
      answers: { [`POST /jobs/${JOB}/refunds`]: Response.json(problem, { status: 422 }) },
    })
    const response = await post(`/console/payments/${JOB}/refundJob`, api, {
      id: 'an-id',
      amount: '99.00',
      sure: 'yes',
    })
    expect(response.status).toBe(422)
    const html = await response.text()
    expect(html).toContain('amount is more than is left')
    expect(html).toContain('value="99.00"')
    expect(html).toContain('value="an-id"')
  })

  const world = { now: Date.now(), role: 'operator', todo: 'nothing' } as const
  const reserved = (answers: object = {}) =>
    operatorApiDouble({ answers: { ...reservedPaymentAnswer(world), ...answers } })

  it('captures a part, warns that the rest is released, and asks for both at once', async () => {
    const api = reserved({ [`POST /jobs/${JOB}/captures`]: { status: 'PENDING' } })
    const path = `/console/payments/${JOB}/captureJob`
    const asked = await (await post(path, api, { how: 'part', amount: '2.50', final: 'true' })).text()
    expect(asked).toContain('Capture €2.50?')
    expect(asked).toContain('The rest is released')
    expect(asked).toContain('name="final" value="true"')
    expect(api.asked.map(({ method }) => method)).not.toContain('POST')
    const form = { id: 'an-id', amount: '2.50', final: 'true', description: 'Parcel 1', sure: 'yes' }
    const made = await post(path, api, form)
    expect(made.headers.get('location')).toBe(`/console/payments/${JOB}?done=captureJob`)
    const bodies = api.asked.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))
    expect(bodies).toEqual([{ id: 'an-id', amount: '2.50', final: true, description: 'Parcel 1' }])
  })

  it('captures all that is left without a word about the rest', async () => {
    const api = reserved({ [`POST /jobs/${JOB}/captures`]: { status: 'PENDING' } })
    const path = `/console/payments/${JOB}/captureJob`
    const asked = await (await post(path, api, { how: 'all', amount: '' })).text()
    expect(asked).toContain('Capture €934.50?')
    expect(asked).not.toContain('The rest is released')
    await post(path, api, { id: 'an-id', amount: '934.50', final: '', description: '', sure: 'yes' })
    const bodies = api.asked.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))
    expect(bodies).toEqual([{ id: 'an-id', amount: '934.50' }])
  })

  it('releases what is left by one call, after a question that names the amount', async () => {
    const api = reserved({ [`POST /jobs/${JOB}/release`]: {} })
    const path = `/console/payments/${JOB}/releaseJob`
    expect(await (await get(path, api)).text()).toContain('Release €934.50')
    const made = await post(path, api, {})
    expect(made.headers.get('location')).toBe(`/console/payments/${JOB}?done=releaseJob`)
    expect(api.asked.at(-1)).toMatchObject({ method: 'POST', path: `/operator/v1/jobs/${JOB}/release` })
  })

  it.each([
    {},
    { how: 'part', amount: '' },
    { how: 'part', amount: '0' },
    { how: 'part', amount: 'all' },
    { how: 'part', amount: '1.250' },
    { how: 'all', amount: '2.50' },
  ])('of money has an amount: %j moves nothing', async (form: Record<string, string>) => {
    for (const change of ['refund', 'capture']) {
      const api = reserved({ [`POST /jobs/${JOB}/${change}s`]: { status: 'PENDING' } })
      const html = await (await post(`/console/payments/${JOB}/${change}Job`, api, form)).text()
      expect(html).toContain('name="how"')
      expect(html).not.toContain('name="sure"')
      expect(api.asked.map(({ method }) => method)).not.toContain('POST')
    }
  })

  it.each([
    [{ how: 'all', amount: '' }, '1200.00', '€1,200.00'],
    [{ how: 'part', amount: '2.50' }, '2.50', '€2.50'],
    [{ amount: '2,50' }, '2.50', '€2.50'],
    [{ amount: '1.000,5' }, '1000.50', '€1,000.50'],
  ])('of money names amount, order and shop before it is made: %j', async (form, amount, told) => {
    const api = operatorApiDouble()
    const described = { ...form, description: 'A shirt' }
    const html = await (await post(`/console/payments/${JOB}/refundJob`, api, described)).text()
    expect(html).toContain(`name="amount" value="${amount}"`)
    expect(html).toContain('name="description" value="A shirt"')
    expect(html).toContain(`Refund ${told}?`)
    expect(html).toContain('<bdi>A-1001</bdi></b> of <bdi>Bäckerei Müller')
    expect(api.asked.map(({ method }) => method)).not.toContain('POST')
  })

  it.each(['captureJob', 'releaseJob', 'refundJob', 'cancelJob'])(
    'of money begins on "Go back", and Enter in a field sends nothing: %s',
    async (what) => {
      const html = await (await get(`/console/payments/${JOB}/${what}`, operatorApiDouble())).text()
      expect(html).toMatch(/data-close[^>]* autofocus[^>]*>Go back/)
      expect(html.match(/ autofocus/g)).toHaveLength(1)
      expect(html).toMatch(/<form method="post" action="[^"]*"><button type="submit" disabled hidden/)
    },
  )

  it.each([
    ['/console/points-of-sale/createPointOfSale', false],
    ['/console/settings/tokens/createOperatorToken', false],
    [`/console/payments/${JOB}/refundJob`, true],
    [`/console/settings/tokens/${JOB}/revokeOperatorToken`, true],
  ])('is made by Enter in a field unless it is final: %s', async (path, isFinal) => {
    const html = await (await get(path, operatorApiDouble())).text()
    expect(html.includes('<button type="submit" disabled hidden')).toBe(isFinal)
  })

  it('that stops a payment names its amount on the button', async () => {
    const html = await (await get(`/console/payments/${JOB}/cancelJob`, operatorApiDouble())).text()
    expect(html).toMatch(/<button type="submit" class="danger">[^<]*€[\d,.]+<\/button>/)
  })

  it('has no buttons for an operator whose role does not allow it', async () => {
    const viewer = operatorApiDouble({ role: 'viewer' })
    const page = await (await get(`/console/payments/${JOB}`, viewer)).text()
    expect(page).not.toContain('data-dialog')
    const question = await get(`/console/payments/${JOB}/cancelJob`, viewer)
    expect(question.status).toBe(403)
    expect(await question.text()).not.toContain('<button type="submit" class="danger"')
  })

  it('that makes a key shows it only on the next page, and in no address', async () => {
    const api = operatorApiDouble()
    const made = await post('/console/points-of-sale/createPointOfSale', api, { name: 'New', mode: 'test' })
    const key = 'K'.repeat(160)
    const location = made.headers.get('location') ?? ''
    const [cookie = ''] = (made.headers.get('set-cookie') ?? '').split(';')
    expect(location).not.toContain('K'.repeat(8))
    expect(made.headers.get('set-cookie')).toMatch(
      new RegExp(`; Path=${location.split('?')[0]}; Max-Age=60; HttpOnly; SameSite=Strict; Secure$`),
    )
    const shown = await get(location, api, cookie)
    expect(await shown.text()).toContain(key)
    expect(shown.headers.get('set-cookie')).toContain('hub-once=; ')
    expect(shown.headers.get('set-cookie')).toContain('Max-Age=0')
    expect(await (await get(location, api)).text()).not.toContain(key)
  })

  const cookieOf = (response: Response): string =>
    (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

  it('that makes a key seals its cookie: nobody can read it, and no other page shows it', async () => {
    const api = operatorApiDouble()
    const made = await post('/console/points-of-sale/createPointOfSale', api, { name: 'New', mode: 'test' })
    expect(made.headers.get('set-cookie')).not.toContain('K'.repeat(8))
    const elsewhere = await get('/console/settings/tokens', api, cookieOf(made))
    expect(await elsewhere.text()).not.toContain('Copy this now')
  })

  it.each(['__Secure-hub-once', 'hub-once'])(
    'has made no key that a cookie %s of somebody else shows',
    async (name) => {
      const theirs = encodeURIComponent(JSON.stringify({ 'API key': 'a-key-of-theirs' }))
      const page = await get('/console/settings/tokens', operatorApiDouble(), `${name}=${theirs}`)
      expect(page.status).toBe(200)
      const html = await page.text()
      expect(html).not.toContain('Copy this now')
      expect(html).not.toContain('a-key-of-theirs')
    },
  )

  it('that makes a token shows it for only a minute, even if its cookie stays', async () => {
    const begin = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: begin })
    const api = operatorApiDouble({ answers: { 'POST /tokens': { token: 'a-new-token' } } })
    const cookie = cookieOf(
      await post('/console/settings/tokens/createOperatorToken', api, { name: 'x', role: 'viewer' }),
    )
    const shownAt = async (now: number): Promise<string> => {
      vi.setSystemTime(now)
      return (await get('/console/settings/tokens', api, cookie)).text()
    }
    expect(await shownAt(begin + 59_000)).toContain('a-new-token')
    expect(await shownAt(begin + 61_000)).not.toContain('a-new-token')
  })

  it.each([
    ['/console/points-of-sale/createPointOfSale', 'name', 'Evil'],
    [`/console/points-of-sale/${POS.de}/changePointOfSale`, 'name', 'Evil'],
    [`/console/points-of-sale/${POS.de}/rotateSigningSecret`, 'overlapHours', '719.86420'],
    [`/console/points-of-sale/${POS.de}/changePaymentRoute`, 'paymentMethod', 'evilpay'],
    [`/console/payments/${JOB}/refundJob`, 'amount', '666.00'],
    [`/console/payments/${JOB}/refundJob`, 'id', 'evil-id'],
    [`/console/payments/${JOB}/captureJob`, 'amount', '666.00'],
    ['/console/accounts/addAccount', 'id', 'evil'],
    ['/console/settings/tokens/createOperatorToken', 'name', 'Evil'],
  ])('is not filled in by a link: %s?%s=%s', async (path, field, value) => {
    const html = await (await get(`${path}?${field}=${value}&order.stripe-eu=1`, operatorApiDouble())).text()
    expect(html).not.toContain(value)
  })

  it('of a route asks after its form was posted, and is made once the operator confirms', async () => {
    const path = `/console/points-of-sale/${POS.de}/changePaymentRoute`
    const api = operatorApiDouble({ answers: { [`POST /pos/${POS.de}/routes`]: {} } })
    const form = { paymentMethod: 'ideal', 'order.mollie-nl': '2', 'order.stripe-eu': '1' }
    const asked = await post(path, api, form)
    expect(asked.status).toBe(200)
    const html = await asked.text()
    expect(html).toContain('mollie-nl, then stripe-eu')
    expect(html).toContain('<b>stripe-eu, then mollie-nl</b>')
    expect(api.asked.map(({ method }) => method)).not.toContain('POST')
    const made = await post(path, api, { ...form, sure: 'yes' })
    expect(made.headers.get('location')).toBe(`/console/points-of-sale/${POS.de}?done=changePaymentRoute`)
    expect(api.asked.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))).toEqual([
      { paymentMethod: 'ideal', accounts: ['stripe-eu', 'mollie-nl'] },
    ])
  })
})
