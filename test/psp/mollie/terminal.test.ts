import { afterEach, describe, expect, it, vi } from 'vitest'
import { mollie } from '../../../src/psp/mollie/adapter.ts'
import type { PaymentRequest, Psp } from '../../../src/psp/port.ts'
import { mollieFake } from '../../support/psps/mollie.ts'
import { closedConnection, json, patience, paymentRequest, paymentRequestOf } from '../scripted.ts'
import { atMollie, mollieError, payment } from './samples.ts'

const TERMINAL = 'term_7MgL4wea46qkRcoTZjWEH'
const FIRST = { id: TERMINAL, isSent: false, mayStart: true }
const AGAIN = { ...FIRST, isSent: true }
const TOO_LATE = { ...AGAIN, mayStart: false }
const NEVER_BEGAN = { is: 'refused', reason: 'terminal_unreachable' }
const ACCOUNT_REFUSED = { is: 'unavailable', accountRefused: true }

afterEach(() => vi.useRealTimers())

function terminalsOf(psp: Psp) {
  if (!psp.terminals) throw new Error('the account has no terminals')
  return psp.terminals
}

/** An order of EUR 12.50 for a terminal, with changes. */
function orderOf(job: string, changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return paymentRequestOf(job, { paymentMethod: 'terminal', terminal: FIRST, ...changes })
}

/** An account at Mollie's double. `lost`: this many of the next answers are lost. */
function world() {
  const fake = mollieFake()
  const [credentials] = fake.accounts
  const state = { lost: 0, asked: [] as string[] }
  const psp = mollie.open({
    mode: 'live',
    credentials,
    async fetch(request) {
      state.asked.push(`${request.method} ${new URL(request.url).pathname}`)
      const answer = await fake.handle(request)
      if (state.lost === 0) return answer
      state.lost -= 1
      throw new TypeError('fetch failed: other side closed')
    },
  })
  const terminals = terminalsOf(psp)
  const send = (job: string, changes: Partial<PaymentRequest> = {}) =>
    terminals.announce(orderOf(job, changes), patience)
  return { fake, psp, state, terminals, send }
}

/** A job whose order is at the terminal. */
async function begun(changes: Partial<PaymentRequest> = {}) {
  const all = world()
  const job = crypto.randomUUID()
  const answer = await all.send(job, changes)
  if (answer.is !== 'announced') throw new Error(JSON.stringify(answer))
  const { reference } = answer
  const ask = () => all.terminals.ask(reference, changes.currency ?? 'EUR')
  const stop = () => all.terminals.stop(reference, 'EUR')
  return { ...all, job, reference, ask, stop }
}

describe('the order for a terminal', () => {
  it('is one request, always the same to the byte, and needs no page', async () => {
    const { psp, requests } = atMollie(json(201, payment({ _links: {}, expiresAt: undefined })))
    const order = orderOf(paymentRequest.job)
    const answer = await terminalsOf(psp).announce(order, patience)
    expect(answer).toEqual({
      is: 'announced',
      way: 'terminal',
      terminal: TERMINAL,
      reference: 'tr_7UhSN1zuXS',
      expiresAt: null,
    })
    expect(await terminalsOf(psp).announce({ ...order, terminal: AGAIN }, patience)).toEqual(answer)
    const [first, second] = requests
    expect([first?.method, first?.url]).toEqual(['POST', 'https://api.mollie.com/v2/payments'])
    expect(first?.headers.get('idempotency-key')).toBe(paymentRequest.job)
    expect(second?.headers.get('idempotency-key')).toBe(paymentRequest.job)
    const body = await first?.text()
    expect(await second?.text()).toBe(body)
    expect(JSON.parse(body ?? '')).toEqual({
      amount: { currency: 'EUR', value: '12.50' },
      description: 'A-7',
      redirectUrl: paymentRequest.returnUrl,
      webhookUrl: paymentRequest.notificationUrl,
      method: 'pointofsale',
      terminalId: TERMINAL,
      locale: 'nl_NL',
      metadata: { paymentJob: paymentRequest.job, ordered: { currency: 'EUR', value: '12.50' } },
    })
  })

  it.each([
    ['term_unknown', 'EUR', 'terminal_off'],
    ['term_gone', 'EUR', 'terminal_off'],
    [TERMINAL, 'GBP', 'refused_amount'],
  ])('is refused for the terminal %s in %s as %s', async (id, currency, reason) => {
    const order = orderOf('job-1', { currency, terminal: { ...FIRST, id } })
    expect(await world().terminals.announce(order, patience)).toMatchObject({ is: 'refused', reason })
  })

  it('waits if Mollie does not answer, or refuses the key', async () => {
    const order = orderOf('job-1')
    const at = (...answers: Parameters<typeof atMollie>) =>
      terminalsOf(atMollie(...answers).psp).announce(order, patience)
    expect(await at(closedConnection)).toMatchObject({ is: 'unavailable' })
    expect(await at(mollieError(401, 'Unauthorized Request', 'Missing authentication'))).toMatchObject(
      ACCOUNT_REFUSED,
    )
  })

  it.each([
    { amount: { currency: 'EUR', value: '12.49' } },
    { amount: { currency: 'USD', value: '12.50' } },
    { amount: null },
  ])('is not accepted if Mollie shows another amount (%j)', async (changes) => {
    const { psp } = atMollie(json(201, payment(changes)))
    expect(await terminalsOf(psp).announce(orderOf('job-1'), patience)).toMatchObject({ is: 'unavailable' })
  })

  it('counts a currency as Mollie does', async () => {
    const { fake, job, ask } = await begun()
    expect(fake.payments[0]?.request.amount).toEqual({ currency: 'EUR', value: '12.50' })
    fake.payAtTerminal(job)
    expect(await ask()).toMatchObject({ paid: 1250, tip: 0 })
    const { psp, requests } = atMollie(json(201, payment({ amount: { currency: 'JPY', value: '1250' } })))
    await terminalsOf(psp).announce(orderOf('job-1', { currency: 'JPY' }), patience)
    expect(await requests[0]?.json()).toMatchObject({ amount: { currency: 'JPY', value: '1250' } })
  })
})

describe('an order that surely reached no terminal', () => {
  it('is sent, however long it waited', async () => {
    const { fake, terminals } = world()
    const order = orderOf('job-1', { terminal: { ...FIRST, mayStart: false } })
    expect(await terminals.announce(order, patience)).toMatchObject({ is: 'announced' })
    expect(fake.payments).toHaveLength(1)
  })

  it('is refused after one request if Mollie cannot read it', async () => {
    const { psp, requests } = atMollie(mollieError(400, 'Bad Request', 'The body is no JSON'))
    expect(await terminalsOf(psp).announce(orderOf('job-1'), patience)).toMatchObject({
      is: 'refused',
      reason: 'refused_other',
    })
    expect(requests).toHaveLength(1)
  })
})

describe('an order whose answer was lost', () => {
  it('is repeated under its key while it may start, and starts no second payment', async () => {
    const { fake, state, send } = world()
    state.lost = 1
    expect(await send('job-1')).toMatchObject({ is: 'unavailable' })
    const again = await send('job-1', { terminal: AGAIN })
    expect(again).toMatchObject({ is: 'announced', reference: fake.payments[0]?.id })
    expect(fake.payments).toHaveLength(1)
  })

  it('starts now if it never reached Mollie, while it may', async () => {
    const { fake, send } = world()
    expect(await send('job-1', { terminal: AGAIN })).toMatchObject({
      is: 'announced',
    })
    expect(fake.payments).toHaveLength(1)
  })

  it('is only looked for once it may not start any more', async () => {
    const { fake, state, send } = world()
    state.lost = 1
    await send('job-1')
    await send('job-2', { terminal: { ...FIRST, id: 'term_vytxeTZskVKR7C7WgdSP3d' } })
    state.asked = []
    const found = await send('job-1', { terminal: TOO_LATE })
    expect(found).toMatchObject({
      is: 'announced',
      way: 'terminal',
      terminal: TERMINAL,
      reference: fake.payments[0]?.id,
    })
    expect(state.asked).toEqual(['GET /v2/payments'])
  })

  it('is refused if Mollie surely has no payment for it, and nothing starts', async () => {
    const { fake, send } = world()
    await send('job-1')
    expect(await send('job-2', { terminal: TOO_LATE })).toMatchObject(NEVER_BEGAN)
    expect(fake.payments).toHaveLength(1)
  })

  it('is found with the tip that the customer has given meanwhile', async () => {
    const { fake, job, send } = await begun()
    fake.payAtTerminal(job, 200)
    expect(await send(job, { terminal: TOO_LATE })).toMatchObject({
      is: 'announced',
    })
  })

  it('is looked for if its key came with a different request before, and never sent a third time', async () => {
    const { fake, job, reference, state, terminals } = await begun()
    state.asked = []
    const other = orderOf(job, { description: 'as another release writes it', terminal: AGAIN })
    expect(await terminals.announce(other, patience)).toMatchObject({ is: 'announced', reference })
    expect(state.asked).toEqual(['POST /v2/payments', 'GET /v2/payments'])
    expect(fake.payments).toHaveLength(1)
  })

  const page = (createdAt: string, next: string | null, job = 'another') => {
    const one = payment({ id: 'tr_other', metadata: { paymentJob: job }, createdAt })
    const href = next && `https://api.mollie.com/v2/payments?from=${next}&limit=250`
    const links = { self: { href: 'x' }, next: href === null ? null : { href } }
    return json(200, { count: 1, _embedded: { payments: [one] }, _links: links })
  }
  const lookedFor = async (...answers: Parameters<typeof atMollie>) => {
    const { psp, requests } = atMollie(...answers)
    const answer = await terminalsOf(psp).announce(orderOf('job-1', { terminal: TOO_LATE }), patience)
    return { answer, pages: requests.length, last: requests.at(-1)?.url }
  }
  const now = () => new Date().toISOString()

  it('is looked for in the pages of two days, and no further', async () => {
    const [recent, old] = [now(), new Date(Date.now() - 3 * 86_400_000).toISOString()]
    const { answer, pages, last } = await lookedFor(page(recent, 'tr_2'), page(old, 'tr_3'), page(old, null))
    expect(answer).toMatchObject(NEVER_BEGAN)
    expect([pages, last]).toEqual([2, 'https://api.mollie.com/v2/payments?limit=250&from=tr_2'])
  })

  it('is not looked for once it is found, nor beyond a payment without a readable time', async () => {
    const [other, found] = [page('soon', 'tr_2'), page(now(), 'tr_3', 'job-1')]
    const { answer, pages } = await lookedFor(other, found, page(now(), null))
    expect(answer).toMatchObject({ is: 'announced', reference: 'tr_other' })
    expect(pages).toBe(2)
  })

  it('stays in doubt if the list is unreadable or longer than the hub reads', async () => {
    const { answer, pages } = await lookedFor(page(now(), 'tr_2'))
    expect(answer).toMatchObject({ is: 'unavailable' })
    expect(pages).toBeLessThan(10)
    for (const bad of [closedConnection, json(200, {}), json(404, {}), json(503, {})])
      expect((await lookedFor(page(now(), 'tr_2'), bad)).answer).toMatchObject({ is: 'unavailable' })
  })
})

describe('a payment at a terminal', () => {
  it.each([
    ['open', 'open'],
    ['pending', 'open'],
    ['authorized', 'authorized'],
  ] as const)('that Mollie calls %s is PENDING, and %s', async (status, stage) => {
    const { fake, job, ask } = await begun()
    fake.setStatusOf(job, status)
    const seen = await ask()
    expect(seen).toMatchObject({ status: 'PENDING', stage: { is: stage }, paid: 0, expiresAt: null })
    expect(seen).not.toHaveProperty('reason')
  })

  it.each([
    ['canceled', 'CANCELLED'],
    ['expired', 'EXPIRED'],
    ['failed', 'FAILURE'],
  ] as const)('that Mollie calls %s is %s for good, and nothing is paid', async (status, ended) => {
    const { fake, job, ask } = await begun()
    fake.setStatusOf(job, status)
    expect(await ask()).toMatchObject({ status: ended, closed: true, paid: 0, expiresAt: null })
  })

  it('is paid with a card, of which a receipt shows four digits', async () => {
    const { fake, job, ask } = await begun()
    fake.payAtTerminal(job)
    const seen = await ask()
    expect(seen).toMatchObject({ status: 'SUCCESS', paid: 1250, tip: 0 })
    expect(seen).toHaveProperty('card', {
      brand: 'Visa',
      lastFour: '4335',
      entryMode: 'contactless',
      authorisationCode: '654321',
    })
  })

  it.each([
    [{ metadata: { paymentJob: 'x' } }],
    [{ metadata: null }],
    [{ metadata: { ordered: { currency: 'USD', value: '1.00' } } }],
    [{ metadata: { ordered: { currency: 'EUR', value: '99.00' } } }],
  ])('has no tip if nothing shows the ordered amount (%j)', async (changes) => {
    const { psp } = atMollie(json(200, payment({ status: 'paid', ...changes })))
    expect(await terminalsOf(psp).ask('tr_1', 'EUR')).toMatchObject({
      status: 'SUCCESS',
      paid: 1250,
      tip: 0,
    })
  })

  it.each([
    [{}, undefined],
    [{ cardNumber: '476173******4335', receipt: null }, { lastFour: '4335' }],
    [{ cardNumber: '12', cardLabel: null, receipt: { cardReadMethod: 'chip' } }, { entryMode: 'chip' }],
    ['nothing', undefined],
  ])('shows as much of its card as Mollie does (%j)', async (details, card) => {
    const { psp } = atMollie(json(200, payment({ status: 'paid', details })))
    const seen = await terminalsOf(psp).ask('tr_1', 'EUR')
    expect('card' in seen ? seen.card : undefined).toEqual(card)
    expect(seen).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it.each([
    ['insufficient_funds', /^declined: insufficient_funds: The card has/],
    ['terminal_closed', /^terminal_off: terminal_closed: The card has/],
    ['agreement_terminal_not_related', /^refused_account: agreement_terminal_not_related: The card has/],
    ['a_new_word', /^declined: a_new_word: The card has/],
    ['terminal_busy', /^terminal_busy: The card has/],
    ['terminal_unreachable', /^terminal_unreachable: The card has/],
  ])('that failed with %s says why', async (code, reason) => {
    const { fake, job, ask } = await begun()
    fake.failAtTerminal(job, code, 'The card has no money.')
    expect(await ask()).toMatchObject({
      status: 'FAILURE',
      closed: true,
      paid: 0,
      reason: expect.stringMatching(reason) as string,
    })
  })

  it.each([undefined, null, {}, 'declined', { code: 7 }])(
    'that failed without a readable reason (%j) was declined',
    async (statusReason) => {
      const { psp } = atMollie(json(200, payment({ status: 'failed', statusReason })))
      expect(await terminalsOf(psp).ask('tr_1', 'EUR')).toMatchObject({
        status: 'FAILURE',
        reason: expect.stringMatching(/^declined: ./) as string,
      })
    },
  )

  it.each(['open', 'pending', 'paid', 'canceled'])(
    "that is %s has only the hub's end, and no reason",
    async (status) => {
      const statusReason = { code: 'insufficient_funds', message: 'The card has no money.' }
      const { psp } = atMollie(json(200, payment({ status, statusReason })))
      const seen = await terminalsOf(psp).ask('tr_1', 'EUR')
      expect(seen).toMatchObject({ is: 'observed', expiresAt: null })
      expect(seen).not.toHaveProperty('reason')
    },
  )

  it('fails at a terminal that is busy with another one', async () => {
    const { fake, job, terminals, send, ask } = await begun()
    const second = await send('job-2')
    if (second.is !== 'announced') throw new Error(JSON.stringify(second))
    expect(await terminals.ask(second.reference, 'EUR')).toMatchObject({
      status: 'FAILURE',
      closed: true,
      reason: expect.stringMatching(/^terminal_busy: ./) as string,
    })
    expect(await ask()).toMatchObject({ status: 'PENDING' })
    fake.payAtTerminal(job)
    expect(await ask()).toMatchObject({ status: 'SUCCESS' })
  })

  it('fails at a terminal that cannot be reached, after half a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { fake, ask } = await begun()
    for (const terminal of fake.terminals) terminal.isReachable = false
    expect(await ask()).toMatchObject({ status: 'PENDING', stage: { is: 'open' } })
    vi.setSystemTime(Date.now() + 31_000)
    expect(await ask()).toMatchObject({
      status: 'FAILURE',
      closed: true,
      reason: expect.stringMatching(/^terminal_unreachable: ./) as string,
    })
  })

  it('with an unknown word says nothing', async () => {
    const { psp } = atMollie(json(200, payment({ status: 'tapped' })))
    expect(await terminalsOf(psp).ask('tr_1', 'EUR')).toMatchObject({ is: 'unavailable' })
  })

  it('is unknown if Mollie has none', async () => {
    expect(await world().terminals.ask('tr_none', 'EUR')).toEqual({ is: 'unknown' })
    expect(await world().terminals.stop('tr_none', 'EUR')).toEqual({ is: 'unknown' })
  })

  it('is reported by a notification of its id', async () => {
    const { fake, psp, job, reference } = await begun()
    fake.failAtTerminal(job, 'invalid_pin', 'Wrong PIN.')
    const [sent] = await fake.notify(job, Date.now())
    const headers = new Headers(sent?.headers)
    const notification = { job, headers, body: sent?.body ?? '', at: Date.now() }
    expect(await psp.readNotification(notification)).toMatchObject({ payments: [{ job, reference }] })
    expect(await psp.jobOf?.(reference)).toBe(job)
  })
})

describe('a cancellation at a terminal', () => {
  it('ends a payment for good while no card is in', async () => {
    const { stop, ask } = await begun()
    expect(await stop()).toMatchObject({ status: 'CANCELLED', closed: true, paid: 0 })
    expect(await ask()).toMatchObject({ status: 'CANCELLED', closed: true })
  })

  it('that comes too late changes nothing, and shows the payment', async () => {
    const { fake, job, stop } = await begun()
    fake.showCard(job)
    expect(await stop()).toMatchObject({ status: 'PENDING', stage: { is: 'open' } })
    fake.payAtTerminal(job, 100)
    expect(await stop()).toMatchObject({ status: 'SUCCESS', paid: 1350, tip: 100 })
  })

  it('without an answer says nothing', async () => {
    const { state, stop, ask } = await begun()
    state.lost = 1
    expect(await stop()).toMatchObject({ is: 'unavailable' })
    expect(await ask()).toMatchObject({ status: 'CANCELLED' })
  })
})

describe('the money of a payment at a terminal', () => {
  it('is refunded like that of any other payment, with its tip, but no more', async () => {
    const { fake, job, psp, reference, ask } = await begun()
    fake.payAtTerminal(job, 150)
    const made = { job, reference, payment: null }
    const wanted = { id: crypto.randomUUID(), currency: 'EUR', description: 'Refund', round: 1 }
    expect(await psp.refund(made, { ...wanted, amount: 1400 })).toMatchObject({ is: 'taken' })
    fake.endRefunds(job, 'refunded')
    expect(await ask()).toMatchObject({
      status: 'SUCCESS',
      paid: 1400,
      tip: 150,
      transfers: { refund: [{ amount: 1400, state: 'done' }] },
    })
    const more = { ...wanted, id: crypto.randomUUID(), amount: 1 }
    expect(await psp.refund(made, more)).toMatchObject({ is: 'refused' })
  })

  it('may be charged back', async () => {
    const { fake, job, ask } = await begun()
    fake.payAtTerminal(job)
    fake.chargeBack(job, 1250)
    expect(await ask()).toMatchObject({
      status: 'SUCCESS',
      paid: 1250,
      transfers: { dispute: [{ amount: 1250, state: 'done' }] },
    })
  })
})

describe('the list of terminals', () => {
  it('has all terminals of the profile, and says which of them surely take no payment', async () => {
    expect(await world().terminals.list()).toEqual({
      is: 'listed',
      terminals: [
        { id: TERMINAL, name: 'Counter 1', isOn: null },
        { id: 'term_vytxeTZskVKR7C7WgdSP3d', name: 'Counter 2', isOn: null },
        { id: 'term_gone', name: 'Sent back', isOn: false },
      ],
    })
  })

  it('goes on over pages', async () => {
    const { fake, terminals, state } = world()
    const [first] = fake.terminals
    if (!first) throw new Error('no terminal')
    fake.terminals = Array.from({ length: 251 }, (_, place) => ({ ...first, id: `term_${place}` }))
    const list = await terminals.list()
    expect(list.is === 'listed' && list.terminals.map(({ id }) => id)).toEqual(
      fake.terminals.map(({ id }) => id),
    )
    expect(state.asked).toHaveLength(2)
  })

  it('is not a list if Mollie does not answer with one, or refuses the key', async () => {
    const at = (...answers: Parameters<typeof atMollie>) => terminalsOf(atMollie(...answers).psp).list()
    expect(await at(json(503, {}))).toMatchObject({ is: 'unavailable' })
    expect(await at(json(200, { hello: 'world' }))).toMatchObject({ is: 'unavailable' })
    expect(await at(mollieError(401, 'Unauthorized Request', 'Missing authentication'))).toMatchObject(
      ACCOUNT_REFUSED,
    )
  })
})
