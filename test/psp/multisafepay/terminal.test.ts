import { afterEach, describe, expect, it, vi } from 'vitest'
import { multisafepay } from '../../../src/psp/multisafepay/adapter.ts'
import type { PaymentRequest, Psp } from '../../../src/psp/port.ts'
import { multisafepayFake } from '../../support/psps/multisafepay.ts'
import {
  type Answers,
  closedConnection,
  json,
  openScripted,
  patience,
  paymentRequest,
  paymentRequestOf,
} from '../scripted.ts'
import { API_KEY, UNKNOWN, failure, order } from './samples.ts'

const TERMINAL = '00000ABC'
const FIRST = { id: TERMINAL, isSent: false, mayStart: true }
const AGAIN = { ...FIRST, isSent: true }
const TOO_LATE = { ...AGAIN, mayStart: false }
const NEVER_BEGAN = { is: 'refused', reason: 'terminal_unreachable' }
const ACCOUNT_REFUSED = { is: 'unavailable', accountRefused: true }
const GROUP_KEY = '2fPqT8wLrXz5cVbN1mKjH7gDsA9yUeWo3iRtQx6E'
const JOB = paymentRequest.job
const REFERENCE = `${JOB}_t1250`

afterEach(() => vi.useRealTimers())

function terminalsOf(psp: Psp) {
  if (!psp.terminals) throw new Error('the account has no terminals')
  return psp.terminals
}

/** An order of EUR 12.50 for a terminal, with changes. */
function orderOf(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return paymentRequestOf(JOB, { paymentMethod: 'terminal', terminal: FIRST, ...changes })
}

function scripted(...answers: Answers) {
  const credentials = { apiKey: API_KEY, terminalKey: GROUP_KEY }
  const opened = openScripted(multisafepay, { mode: 'live', credentials }, answers)
  return { ...opened, terminals: terminalsOf(opened.psp) }
}

/** The adapter's answer for a terminal's order to which MultiSafepay gives these answers. */
function sentTo(terminal: typeof FIRST, ...answers: Answers) {
  return scripted(...answers).terminals.announce(orderOf({ terminal }), patience)
}

/** The order as MultiSafepay shows it, with changes. */
function shown(changes: object) {
  return json(200, { success: true, data: { ...order(), order_id: REFERENCE, ...changes } })
}

/** An account at MultiSafepay's double. `lost`: this many of the next answers are lost. */
function world() {
  const fake = multisafepayFake()
  const [credentials] = fake.accounts
  const state = { lost: 0, asked: [] as string[] }
  const psp = multisafepay.open({
    mode: 'live',
    credentials,
    async fetch(request) {
      state.asked.push(`${request.method} ${new URL(request.url).pathname.replace(JOB, 'JOB')}`)
      const answer = await fake.handle(request)
      if (state.lost === 0) return answer
      state.lost -= 1
      throw new TypeError('fetch failed: other side closed')
    },
  })
  const terminals = terminalsOf(psp)
  const ask = () => terminals.ask(REFERENCE, 'EUR')
  const stop = () => terminals.stop(REFERENCE, 'EUR')
  const send = (changes: Partial<PaymentRequest> = {}) => terminals.announce(orderOf(changes), patience)
  return { fake, psp, state, terminals, ask, stop, send }
}

/** A world in which the order is at the terminal. */
async function begun() {
  const all = world()
  const answer = await all.send()
  if (answer.is !== 'announced') throw new Error(JSON.stringify(answer))
  all.state.asked = []
  return all
}

const ANNOUNCED = {
  is: 'announced',
  way: 'terminal',
  terminal: TERMINAL,
  reference: REFERENCE,
  expiresAt: null,
}

describe('the order for a terminal', () => {
  it('is one request with the key of the group, always the same to the byte, and has no page', async () => {
    const created = json(200, { success: true, data: { order_id: REFERENCE, session_id: 's' } })
    const { terminals, requests } = scripted(created)
    expect(await terminals.announce(orderOf(), patience)).toEqual(ANNOUNCED)
    await terminals.announce(orderOf(), patience)
    const [first, second] = requests
    expect([first?.method, first?.url]).toEqual(['POST', 'https://api.multisafepay.com/v1/json/orders'])
    expect(first?.headers.get('api_key')).toBe(GROUP_KEY)
    const body = await first?.text()
    expect(await second?.text()).toBe(body)
    expect(JSON.parse(body ?? '')).toEqual({
      type: 'redirect',
      order_id: REFERENCE,
      gateway: '',
      currency: 'EUR',
      amount: 1250,
      description: 'A-7',
      payment_options: { notification_url: paymentRequest.notificationUrl, notification_method: 'POST' },
      customer: { locale: 'nl_NL' },
      gateway_info: { terminal_id: TERMINAL },
    })
  })

  it.each(['00000LQT', '00000OTH', 'unknown'])('is refused for the terminal %s', async (id) => {
    const { fake, send } = world()
    expect(await send({ terminal: { ...FIRST, id } })).toMatchObject({ is: 'refused' })
    expect(fake.orders()).toHaveLength(0)
  })

  it.each([
    ['GBP', 1250],
    ['EUR', 0],
  ])('is refused in %s of %d', async (currency, amount) => {
    expect(await world().send({ currency, amount })).toMatchObject({
      is: 'refused',
      reason: 'refused_amount',
    })
  })

  it('is not sent in a currency whose amounts the hub cannot write, nor with a long address', async () => {
    for (const changes of [{ currency: 'KWD' }, { notificationUrl: `https://hub.test/${'x'.repeat(150)}` }]) {
      const { send, state } = world()
      expect(await send(changes)).toMatchObject({ is: 'refused' })
      expect(state.asked).toEqual([])
    }
  })

  it('is refused at a terminal that is busy with another one', async () => {
    const { fake, terminals, send } = await begun()
    const other = paymentRequestOf(crypto.randomUUID(), { terminal: FIRST })
    expect(await terminals.announce(other, patience)).toMatchObject({ is: 'refused' })
    fake.declineAtTerminal(JOB)
    expect(await terminals.announce(other, patience)).toMatchObject({ is: 'refused' })
    fake.payAtTerminal(JOB)
    expect(await terminals.announce(other, patience)).toMatchObject({ is: 'announced' })
    expect(await send({ terminal: AGAIN })).toEqual(ANNOUNCED)
  })

  it('waits if MultiSafepay does not answer, or refuses the key', async () => {
    for (const terminal of [FIRST, AGAIN, TOO_LATE]) {
      const at = (...answers: Answers) => sentTo(terminal, ...answers)
      expect(await at(closedConnection)).toMatchObject({ is: 'unavailable' })
      expect(await at(json(200, { success: true, data: {} }))).toMatchObject({ is: 'unavailable' })
      expect(await at(failure(401, 1032, 'Invalid API key'))).toMatchObject(ACCOUNT_REFUSED)
    }
  })
})

describe('an order whose answer was lost', () => {
  it('is looked for first, and not sent again if MultiSafepay has it', async () => {
    const { fake, state, send } = world()
    state.lost = 1
    expect(await send()).toMatchObject({ is: 'unavailable' })
    state.asked = []
    for (const terminal of [AGAIN, TOO_LATE]) expect(await send({ terminal })).toEqual(ANNOUNCED)
    expect(state.asked).toEqual(['GET /v1/json/orders/JOB_t1250', 'GET /v1/json/orders/JOB_t1250'])
    expect(fake.orders()).toHaveLength(1)
  })

  it('starts now if it never reached MultiSafepay, while it may', async () => {
    const { fake, state, send } = world()
    expect(await send({ terminal: AGAIN })).toEqual(ANNOUNCED)
    expect(state.asked).toEqual(['GET /v1/json/orders/JOB_t1250', 'POST /v1/json/orders'])
    expect(fake.orders()).toHaveLength(1)
  })

  it('is refused if it never reached MultiSafepay and may not start any more, and nothing starts', async () => {
    const { fake, send } = world()
    expect(await send({ terminal: TOO_LATE })).toMatchObject(NEVER_BEGAN)
    expect(fake.orders()).toHaveLength(0)
  })

  it('is found with the tip that the customer has given meanwhile, however it ended', async () => {
    const { fake, send } = await begun()
    fake.payAtTerminal(JOB, 200)
    expect(await send({ terminal: TOO_LATE })).toEqual(ANNOUNCED)
  })

  it.each([{ currency: 'USD' }, { amount: 1249 }])(
    'is not mistaken for another one under its id (%j)',
    async (changes) => {
      expect(await sentTo(AGAIN, shown(changes))).toMatchObject({
        is: 'refused',
      })
    },
  )

  describe('and which MultiSafepay shows only once the customer pays', () => {
    async function hidden() {
      const all = await begun()
      all.fake.hidesUntouched = true
      return all
    }

    it('is sent again under its id, which is the same order', async () => {
      const { fake, send } = await hidden()
      expect(await send({ terminal: AGAIN })).toEqual(ANNOUNCED)
      expect(fake.orders()).toHaveLength(1)
    })

    it('is cancelled before the hub says that it never began', async () => {
      const { fake, send } = await hidden()
      expect(await send({ terminal: TOO_LATE })).toMatchObject(NEVER_BEGAN)
      expect(fake.orders()).toMatchObject([{ status: 'cancelled' }])
      expect(() => fake.payAtTerminal(JOB)).toThrow()
    })

    it('stays in doubt if the cancellation has no answer', async () => {
      for (const answer of [closedConnection, json(503, {})]) {
        expect(await sentTo(TOO_LATE, UNKNOWN, answer)).toMatchObject({
          is: 'unavailable',
        })
      }
    })

    it('is announced if the customer pays it before it is cancelled', async () => {
      const paid = shown({ status: 'completed', financial_status: 'completed' })
      expect(await sentTo(TOO_LATE, UNKNOWN, failure(400, 1000, 'Too late'), paid)).toEqual(ANNOUNCED)
    })

    it('stays in doubt if its id turns out to be in use', async () => {
      expect(await sentTo(AGAIN, UNKNOWN, UNKNOWN)).toMatchObject({
        is: 'unavailable',
      })
    })

    it('waits for the customer, and can be cancelled', async () => {
      const { ask, stop } = await hidden()
      expect(await ask()).toEqual({
        is: 'observed',
        status: 'PENDING',
        stage: { is: 'open' },
        paid: 0,
        expiresAt: null,
      })
      expect(await stop()).toMatchObject({ status: 'CANCELLED', closed: true, paid: 0 })
    })
  })

  it('ends its requests within the time for all of them', async () => {
    const { terminals, requests } = scripted(UNKNOWN)
    const ended = new AbortController()
    ended.abort()
    await terminals.announce(orderOf({ terminal: TOO_LATE }), ended.signal)
    expect(requests.every(({ signal }) => signal.aborted)).toBe(true)
  })
})

describe('a payment at a terminal', () => {
  const seenAs = (changes: object) => scripted(shown(changes)).terminals.ask(REFERENCE, 'EUR')

  it.each([
    ['initialized', 'initialized', 'open'],
    ['declined', 'declined', 'open'],
    ['uncleared', 'uncleared', 'underway'],
    ['reserved', 'reserved', 'authorized'],
    ['completed', 'initialized', 'authorized'],
    ['completed', 'uncleared', 'underway'],
  ])('that is %s, with a transaction that is %s, is PENDING: %s', async (status, financial_status, stage) => {
    expect(await seenAs({ status, financial_status, payment_details: { type: 'VISA' } })).toMatchObject({
      status: 'PENDING',
      stage: { is: stage },
      paid: 0,
    })
  })

  it.each([
    ['cancelled', 'cancelled', 'CANCELLED', true],
    ['cancelled', null, 'CANCELLED', true],
    ['void', 'cancelled', 'CANCELLED', false],
    ['expired', 'expired', 'EXPIRED', false],
    ['completed', 'declined', 'FAILURE', false],
    ['completed', 'cancelled', 'CANCELLED', false],
  ])('that is %s, with a transaction that is %s, is %s', async (status, financial_status, ended, closed) => {
    expect(await seenAs({ status, financial_status })).toMatchObject({ status: ended, closed, paid: 0 })
  })

  it.each(['completed', 'shipped', 'refunded', 'partial_refunded', 'chargedback'])(
    'that is %s is paid',
    async (status) => {
      expect(await seenAs({ status, financial_status: 'completed' })).toMatchObject({
        status: 'SUCCESS',
        paid: 1250,
        tip: 0,
      })
    },
  )

  it('with an unknown word says nothing', async () => {
    expect(await seenAs({ status: 'tapped', financial_status: 'tapped' })).toMatchObject({
      is: 'unavailable',
    })
  })

  it('is requested with the key of the group', async () => {
    const { terminals, requests } = scripted(shown({}))
    await terminals.ask(REFERENCE, 'EUR')
    await terminals.stop(REFERENCE, 'EUR')
    expect(requests.map(({ headers }) => headers.get('api_key'))).toEqual([GROUP_KEY, GROUP_KEY, GROUP_KEY])
  })

  it('is paid with a card, of which a receipt shows four digits', async () => {
    const { fake, ask } = await begun()
    fake.payAtTerminal(JOB)
    const seen = await ask()
    expect(seen).toMatchObject({ status: 'SUCCESS', paid: 1250, tip: 0 })
    expect(seen).toHaveProperty('card', {
      brand: 'VISA',
      lastFour: '1234',
      entryMode: 'ICC_CONTACTLESS',
      authorisationCode: '705151',
    })
  })

  it.each([
    [{ type: 'MASTERCARD', last4: null }, { brand: 'MASTERCARD' }],
    [
      { last4: 6913, authorization_code: 6459 },
      { lastFour: '6913', authorisationCode: '6459' },
    ],
    [{ card_entry_mode: 7 }, undefined],
    [null, undefined],
  ])('shows as much of its card as MultiSafepay does (%j)', async (payment_details, card) => {
    const seen = await seenAs({ status: 'completed', financial_status: 'completed', payment_details })
    expect('card' in seen ? seen.card : undefined).toEqual(card)
    expect(seen).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it('that a bank declines softly is open until the customer has entered a PIN', async () => {
    const { fake, ask } = await begun()
    fake.declineAtTerminal(JOB)
    const declined = await ask()
    expect(declined).toMatchObject({ status: 'PENDING', stage: { is: 'open' } })
    expect(declined).not.toHaveProperty('reason')
    fake.payAtTerminal(JOB)
    expect(await ask()).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it('that was declined and abandoned says so', async () => {
    const seen = await seenAs({ status: 'cancelled', financial_status: 'declined', reason: 'Do not honor' })
    expect(seen).toMatchObject({ status: 'CANCELLED', closed: true, reason: 'declined: Do not honor' })
    expect(await seenAs({ status: 'completed', financial_status: 'declined', reason: null })).toMatchObject({
      status: 'FAILURE',
      reason: expect.stringMatching(/^declined: ./) as string,
    })
    expect(await seenAs({ status: 'cancelled', financial_status: 'cancelled' })).not.toHaveProperty('reason')
  })

  it('is cancelled for good after a minute without activity', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { fake, ask } = await begun()
    vi.setSystemTime(Date.now() + 59_000)
    fake.declineAtTerminal(JOB)
    vi.setSystemTime(Date.now() + 59_000)
    expect(await ask()).toMatchObject({ status: 'PENDING' })
    vi.setSystemTime(Date.now() + 1000)
    expect(await ask()).toMatchObject({ status: 'CANCELLED', closed: true, paid: 0 })
  })
})

describe('a cancellation at a terminal', () => {
  it('is a POST, and ends the payment for good', async () => {
    const { state, stop, ask } = await begun()
    expect(await stop()).toMatchObject({ status: 'CANCELLED', closed: true, paid: 0 })
    expect(state.asked).toEqual(['POST /v1/json/orders/JOB_t1250/cancel', 'GET /v1/json/orders/JOB_t1250'])
    expect(await ask()).toMatchObject({ status: 'CANCELLED', closed: true })
  })

  it('also ends a declined payment', async () => {
    const { fake, stop } = await begun()
    fake.declineAtTerminal(JOB)
    expect(await stop()).toMatchObject({ status: 'CANCELLED', closed: true })
  })

  it('that comes too late changes nothing, and shows the payment', async () => {
    const { fake, stop } = await begun()
    fake.payAtTerminal(JOB, 100)
    expect(await stop()).toMatchObject({ status: 'SUCCESS', paid: 1350, tip: 100 })
  })

  it('without an answer says nothing', async () => {
    const { state, stop, ask } = await begun()
    state.lost = 1
    expect(await stop()).toMatchObject({ is: 'unavailable' })
    expect(await ask()).toMatchObject({ status: 'CANCELLED' })
  })

  it('of an order that MultiSafepay does not show ends the payment for good', async () => {
    const cancelled = json(200, { success: true, data: { status: 'cancelled' } })
    const { terminals } = scripted(cancelled, UNKNOWN)
    expect(await terminals.stop(REFERENCE, 'EUR')).toMatchObject({
      status: 'CANCELLED',
      closed: true,
      paid: 0,
    })
  })

  it('of an order that MultiSafepay does not have leaves it unknown', async () => {
    expect(await world().stop()).toEqual({ is: 'unknown' })
  })
})

describe('the money of a payment at a terminal', () => {
  const wanted = {
    id: '5a1f0c66-3f0e-4f3a-8a53-9d7a1c2b3e4f',
    currency: 'EUR',
    description: 'Refund',
    round: 1,
  }
  const made = { job: JOB, reference: REFERENCE, payment: null }

  it('is refunded with the key of the group, with its tip, but no more', async () => {
    const { fake, psp, ask } = await begun()
    fake.payAtTerminal(JOB, 150)
    expect(await psp.refund(made, { ...wanted, amount: 1401 })).toMatchObject({ is: 'refused' })
    expect(await psp.refund(made, { ...wanted, amount: 1400 })).toMatchObject({ is: 'taken' })
    fake.endRefund(JOB, wanted.id, 'completed')
    const transfers = { refund: [{ own: wanted.id, amount: 1400, state: 'done' }] }
    expect(await ask()).toMatchObject({ status: 'SUCCESS', paid: 1400, tip: 150, refunded: 1400, transfers })
  })

  it('may be charged back', async () => {
    const { fake, ask } = await begun()
    fake.payAtTerminal(JOB)
    fake.moveBack(JOB, 'chargeback', 1250)
    expect(await ask()).toMatchObject({ status: 'SUCCESS', paid: 1250, chargedBack: 1250 })
  })

  it('that a terminal only reserved is captured, and each part has an id that MultiSafepay accepts', async () => {
    const { fake, psp, ask } = await begun()
    fake.set(JOB, 'completed', 'initialized')
    expect(await ask()).toMatchObject({ status: 'PENDING', stage: { is: 'authorized' }, authorized: 1250 })
    expect(await psp.capture(made, { ...wanted, amount: 500 })).toMatchObject({ is: 'taken' })
    expect(fake.orders().map(({ order: one }) => one.order_id.length <= 50)).toEqual([true, true])
    expect(await ask()).toMatchObject({ status: 'PENDING', paid: 500 })
    expect(await psp.release(made, { ...wanted, amount: 750 })).toMatchObject({ is: 'taken' })
    expect(await ask()).toMatchObject({ status: 'SUCCESS', paid: 500, released: 750, tip: 0 })
  })

  it('of a payment on a page still uses the key of the website', async () => {
    const { psp, requests } = scripted(json(200, { success: true, data: order() }))
    const page = { ...made, reference: JOB }
    await psp.refund(page, { ...wanted, amount: 1 })
    await psp.ask(JOB, 'EUR')
    expect(new Set(requests.map(({ headers }) => headers.get('api_key')))).toEqual(new Set([API_KEY]))
  })
})

describe('a notification of an order for a terminal', () => {
  const AT = Date.UTC(2026, 10, 28, 10)
  async function told(change: (fake: ReturnType<typeof multisafepayFake>) => void, job: string | null = JOB) {
    const { fake, psp } = await begun()
    change(fake)
    const [sent] = await fake.notify(JOB, AT)
    const headers = new Headers(sent?.headers)
    return {
      psp,
      reading: await psp.readNotification({ job, headers, body: sent?.body ?? '', at: AT }),
      sent,
    }
  }
  const about = (claimedStatus: 'SUCCESS' | null) => ({
    is: 'about',
    payments: [{ job: JOB, reference: REFERENCE, claimedStatus }],
  })

  it.each([[JOB], [null]])(
    'is believed with the key of the group, and names job and order (%s)',
    async (job) => {
      expect((await told((fake) => fake.payAtTerminal(JOB, 50), job)).reading).toEqual(about('SUCCESS'))
      expect((await told((fake) => fake.declineAtTerminal(JOB), job)).reading).toEqual(about(null))
    },
  )

  it('is not believed by another key', async () => {
    const { sent } = await told(() => {})
    const headers = new Headers(sent?.headers)
    const { psp } = scripted(json(500, {}))
    expect(await psp.readNotification({ job: JOB, headers, body: sent?.body ?? '', at: AT })).toEqual({
      is: 'unauthentic',
    })
  })

  it("about an order that is not the job's own is a reason to ask about the job's payment", async () => {
    const { psp, sent } = await told((fake) => fake.payAtTerminal(JOB))
    const headers = new Headers(sent?.headers)
    const other = '1111b1f4-7d5e-4c1a-9b53-0a3f1c2d4e5f'
    const reading = await psp.readNotification({ job: other, headers, body: sent?.body ?? '', at: AT })
    expect(reading).toEqual({
      is: 'about',
      payments: [{ job: other, reference: null, claimedStatus: null }],
    })
  })

  it('leads to the job by the id of the order', async () => {
    const { psp } = world()
    expect(await psp.jobOf?.(REFERENCE)).toBe(JOB)
    expect(await psp.jobOf?.('17472052901')).toBeNull()
    expect(multisafepay.references?.test(REFERENCE)).toBe(true)
    expect(multisafepay.references?.test(JOB)).toBe(false)
  })
})

describe('the list of terminals', () => {
  it('has the SmartPOS terminals of the group, and says which of them surely take no payment', async () => {
    expect(await world().terminals.list()).toEqual({
      is: 'listed',
      terminals: [
        { id: '00000ABC', name: 'Counter 1', isOn: null },
        { id: '00000LQT', name: 'Sent back', isOn: false },
      ],
    })
  })

  it('continues over pages', async () => {
    const { fake, terminals, state } = world()
    const [first] = fake.terminals
    if (!first) throw new Error('no terminal')
    fake.terminals = Array.from({ length: 201 }, (_, place) => ({ ...first, id: `T${place}` }))
    const list = await terminals.list()
    expect(list.is === 'listed' && list.terminals.map(({ id }) => id)).toEqual(
      fake.terminals.map(({ id }) => id),
    )
    expect(state.asked).toHaveLength(3)
  })

  it('is requested with the key of the website if MultiSafepay wants that', async () => {
    const one = { id: 'T1', provider: 'SMARTPOS', name: 'One', active: true }
    const { terminals, requests } = scripted(
      json(403, { success: false, error_code: 1000, error_info: 'Forbidden' }),
      json(200, { success: true, data: [one] }),
    )
    expect(await terminals.list()).toEqual({
      is: 'listed',
      terminals: [{ id: 'T1', name: 'One', isOn: null }],
    })
    expect(requests.map(({ headers }) => headers.get('api_key'))).toEqual([GROUP_KEY, API_KEY])
  })

  it('is not a list if MultiSafepay does not answer with one, or refuses both keys', async () => {
    const at = (...answers: Answers) => scripted(...answers).terminals.list()
    expect(await at(json(503, {}))).toMatchObject({ is: 'unavailable' })
    expect(await at(json(200, { success: true }))).toMatchObject({ is: 'unavailable' })
    expect(await at(failure(401, 1032, 'Invalid API key'))).toMatchObject(ACCOUNT_REFUSED)
  })
})

describe('the key of a group of terminals', () => {
  it('is required for terminals, and so is live mode', () => {
    const open = (mode: 'test' | 'live', credentials: object) =>
      multisafepay.open({ fetch: async () => new Response(), mode, credentials })
    expect(open('live', { apiKey: API_KEY }).terminals).toBeUndefined()
    expect(open('test', { apiKey: API_KEY, terminalKey: GROUP_KEY }).terminals).toBeUndefined()
    expect(open('live', { apiKey: API_KEY, terminalKey: ` ${GROUP_KEY}\n` }).terminals).toBeDefined()
    expect(() => open('live', { apiKey: API_KEY, terminalKey: 'no' })).toThrow()
  })

  it('is checked together with that of the website', async () => {
    const working = json(200, { success: true, data: [] })
    const check = (...answers: Answers) => scripted(...answers).psp.check()
    expect(await world().psp.check()).toEqual({ is: 'working' })
    expect(await check(working, UNKNOWN)).toEqual({ is: 'working' })
    expect(await check(working, failure(401, 1032, 'Invalid API key'))).toMatchObject({ is: 'refused' })
    expect(await check(working, json(503, {}))).toMatchObject({ is: 'unavailable' })
    expect(await check(failure(401, 1032, 'Invalid API key'), UNKNOWN)).toMatchObject({ is: 'refused' })
  })
})
