import { describe, expect, it } from 'vitest'
import type { Fetch } from '../../../src/psp/port.ts'
import { stripePayouts } from '../../../src/psp/stripe/payouts.ts'
import { DAY } from '../../../src/contract/timestamp.ts'
import { AT_TERMINAL } from '../../../src/psp/stripe/terminal-reading.ts'
import { fail } from '../../support/psps/stripe-terminal.ts'
import { json, wish } from '../scripted.ts'
import { counter } from './at-counter.ts'
import { intent, stripeError } from './samples.ts'

const SENT = { isSent: true, mayStart: true }
const TOO_LATE = { isSent: true, mayStart: false }
const WAITING = { is: 'observed', status: 'PENDING', stage: { is: 'open' }, progress: 'waiting-for-card' }
const AUTHORISING = { is: 'observed', status: 'PENDING', stage: { is: 'open' }, progress: 'authorising' }
const PAID = { is: 'observed', status: 'SUCCESS', paid: 1250, transfers: { refund: [], dispute: [] } }
const CANCELLED = { is: 'observed', status: 'CANCELLED', closed: true, paid: 0 }

function refusedAs(reason: string) {
  return { is: 'refused', reason, message: expect.stringMatching(/^[A-Z].{10,}/) as unknown }
}

/** Loses Stripe's answers to requests with this end of the path, before or after Stripe has done them. */
function losing(handle: Fetch, end: string, isDone: boolean, method = 'POST'): Fetch {
  return async (request) => {
    if (request.method !== method || !new URL(request.url).pathname.endsWith(end)) return handle(request)
    if (isDone) await handle(request)
    return new Response('', { status: 502 })
  }
}

describe('an order for a terminal', () => {
  it('waits for the card, is paid, and shows the card', async () => {
    const { order, present, reader } = counter()
    const { announce, ask, reference } = order()
    expect(await announce()).toEqual({
      is: 'announced',
      way: 'terminal',
      reference: reference(),
      terminal: reader.id,
      expiresAt: null,
    })
    expect(await ask()).toMatchObject({ ...WAITING, paid: 0, expiresAt: null })
    await present()
    const seen = await ask()
    expect(seen).toMatchObject({
      ...PAID,
      card: { brand: 'visa', lastFour: '4242', entryMode: 'contactless_emv', authorisationCode: '123456' },
    })
    expect(JSON.stringify(seen)).not.toContain('ANYBODY')
  })

  it('counts the tip as part of what was paid', async () => {
    const { order, present } = counter()
    const { announce, ask } = order()
    await announce()
    expect(await ask()).not.toHaveProperty('tip')
    await present({ amount_tip: '200' })
    expect(await ask()).toMatchObject({ ...PAID, paid: 1450, tip: 200 })
    // A repeated announcement still finds it, although its amount has grown.
    expect(await announce(SENT)).toMatchObject({ is: 'announced' })
  })

  it('of an amount that Stripe cannot count is refused', async () => {
    const { order, asked } = counter()
    expect(await order({ currency: 'KWD', amount: 1251 }).announce()).toMatchObject(
      refusedAs('refused_amount'),
    )
    expect(asked).toEqual([])
  })

  it('may be reserved, and is captured and refunded by its own reference', async () => {
    const { order, present, psp } = counter()
    const { announce, ask, reference, job } = order({ capture: 'manual' })
    await announce()
    await present({ amount_tip: '100' })
    expect(await ask()).toMatchObject({
      stage: { is: 'authorized' },
      authorized: 1350,
      paid: 0,
      transfers: { capture: [], release: [] },
    })
    const payment = { job, reference: reference(), payment: null }
    expect(await psp.capture(payment, wish(1350))).toMatchObject({ is: 'taken', state: 'done' })
    expect(await ask()).toMatchObject({ ...PAID, paid: 1350, tip: 100 })
  })

  it('stays reserved, whatever is lost or cancelled after that', async () => {
    const { order, present, at, fake } = counter()
    const { announce, ask, stop } = order({ capture: 'manual' })
    await announce()
    let isPaid = false
    at.fault = async (request) => {
      const answer = await fake.handle(request)
      if (request.method === 'GET' && request.url.includes('/payment_intents/') && !isPaid) {
        isPaid = true
        await present()
      }
      // The reader shows the payment a little later.
      if (request.method !== 'GET' || !request.url.includes('/terminal/readers/')) return answer
      return Response.json({ ...(await answer.json<object>()), action: null })
    }
    expect(await announce(SENT)).toMatchObject({ is: 'announced' })
    at.fault = null
    for (const seen of [await ask(), await stop(), await ask()])
      expect(seen).toMatchObject({
        stage: { is: 'authorized' },
        authorized: 1250,
        transfers: { release: [] },
      })
  })

  it('that should be reserved but is cancelled before has released nothing', async () => {
    const { order } = counter()
    const { announce, stop } = order({ capture: 'manual' })
    await announce()
    expect(await stop()).toMatchObject(CANCELLED)
    expect(await stop()).not.toHaveProperty('authorized')
  })

  it('is refunded, including the tip, and charged back, like any other', async () => {
    const { order, present, psp, fake } = counter()
    const { announce, ask, reference, job } = order()
    await announce()
    const payment = { job, reference: reference(), payment: null }
    expect(await psp.refund(payment, wish(500))).toMatchObject({ is: 'refused' })
    await present({ amount_tip: '200' })
    const refund = wish(1400)
    expect(await psp.refund(payment, refund)).toMatchObject({ is: 'taken', state: 'pending' })
    expect(await psp.refund(payment, wish(51))).toMatchObject({ is: 'refused' })
    await fake.dispute(job, { amount: 50, status: 'lost', isWithdrawn: true }, Date.now())
    expect(await ask()).toMatchObject({
      status: 'SUCCESS',
      paid: 1450,
      transfers: {
        refund: [{ own: refund.id, amount: 1400, state: 'pending' }],
        dispute: [{ amount: 50, state: 'done' }],
      },
    })
  })
})

it('a payout with a payment at a terminal names its job, and includes the tip', async () => {
  const { order, present, shown } = counter()
  const { announce, reference, job } = order()
  await announce()
  await present({ amount_tip: '200' })
  const { latest_charge: source } = await shown(reference())
  const transaction = {
    id: 'txn_1',
    object: 'balance_transaction',
    amount: 1450,
    fee: 31,
    currency: 'eur',
    created: 1_790_000_000,
    type: 'charge',
    reporting_category: 'charge',
    source,
  }
  const body = { data: [transaction], has_more: false }
  const { lines } = stripePayouts(async () => ({ is: 'answered', status: 200, body }))
  const payout = { id: 'po_1', key: 'po_1', currency: 'EUR', amount: 1419, paidAt: 0 }
  expect(await lines(payout, null)).toMatchObject({
    ok: true,
    value: { lines: [{ kind: 'payment', job, reference: reference(), gross: 1450, fee: 31 }] },
  })
})

describe('a terminal that does not begin', () => {
  it.each([
    ['is off', 'terminal_off', { status: 'offline' }],
    ['is at work', 'terminal_busy', { isAuthorising: true }],
    ['never acknowledges the order', 'terminal_unreachable', { timeouts: ['lost', 'lost', 'lost', 'lost'] }],
  ] as const)('because it %s refuses the order, which can no longer be paid', async (_, reason, state) => {
    const { order, reader } = counter()
    Object.assign(reader, structuredClone(state))
    const { announce, ask } = order()
    expect(await announce()).toEqual(refusedAs(reason))
    expect(await ask()).toMatchObject(CANCELLED)
  })

  it.each([
    ['terminal_reader_hardware_fault', 'terminal_off'],
    ['terminal_reader_invalid_location_for_payment', 'refused_account'],
    ['a_new_word', 'refused_other'],
  ])('with %s refuses it in the words of Stripe, as %s', async (code, reason) => {
    const { order, at, fake } = counter()
    const { announce, ask } = order()
    const fault = stripeError(400, 'Call the service desk.', { code })
    at.fault = (request) =>
      request.url.endsWith('process_payment_intent') ? fault(request) : fake.handle(request)
    expect(await announce()).toMatchObject({
      is: 'refused',
      reason,
      message: expect.stringContaining('Call the service desk.'),
    })
    expect(await ask()).toMatchObject(CANCELLED)
  })

  it('with a key that may not drive it concerns the account, and leaves nothing to pay', async () => {
    const { order, at, fake } = counter()
    const { announce, ask } = order()
    const fault = stripeError(403, 'The provided key does not have the required permissions.')
    at.fault = (request) => (request.url.includes('/terminal/') ? fault(request) : fake.handle(request))
    expect(await announce()).toMatchObject({ is: 'unavailable', accountRefused: true })
    expect(await ask()).toMatchObject(CANCELLED)
  })

  it('may begin a little later if Stripe gets too many requests', async () => {
    const { order, at, fake } = counter()
    const { announce, ask } = order()
    const fault = stripeError(400, 'Too many requests.', { code: 'rate_limit' })
    at.fault = (request) =>
      request.url.endsWith('process_payment_intent') ? fault(request) : fake.handle(request)
    expect(await announce()).toMatchObject({ is: 'unavailable' })
    at.fault = null
    expect(await announce(SENT)).toMatchObject({ is: 'announced' })
    expect(await ask()).toMatchObject(WAITING)
  })

  it('that Stripe does not know, or that was deleted, cannot be reached', async () => {
    const { order } = counter()
    const { announce, ask } = order()
    expect(await announce({ id: 'tmr_other' })).toMatchObject(refusedAs('terminal_unreachable'))
    expect(await ask()).toMatchObject(CANCELLED)
  })

  it('gets no order once the time to begin is over', async () => {
    const { order, processed } = counter()
    const { announce, ask } = order()
    expect(await announce({ mayStart: false })).toEqual(refusedAs('terminal_unreachable'))
    expect(processed()).toBe(0)
    expect(await ask()).toMatchObject(CANCELLED)
  })
})

describe('a timeout of a terminal', () => {
  it('that has the order after all does not count', async () => {
    const { order, reader, processed, present } = counter({ timeouts: ['reached'] })
    const { announce, ask } = order()
    expect(await announce()).toMatchObject({ is: 'announced', terminal: reader.id })
    expect(processed()).toBe(1)
    await present()
    expect(await ask()).toMatchObject(PAID)
  })

  it('that does not have it is followed by another try', async () => {
    const { order, processed } = counter({ timeouts: ['lost', 'lost'] })
    const { announce, ask } = order()
    expect(await announce()).toMatchObject({ is: 'announced' })
    expect(processed()).toBe(3)
    expect(await ask()).toMatchObject(WAITING)
  })

  it('stays in doubt while the terminal cannot be asked', async () => {
    const { order, at, fake } = counter({ timeouts: ['reached'] })
    const { announce } = order()
    let reads = 0
    at.fault = async (request) => {
      const isRead = request.method === 'GET' && request.url.includes('/terminal/readers/')
      return isRead && ++reads > 1 ? new Response('', { status: 503 }) : fake.handle(request)
    }
    expect(await announce()).toMatchObject({ is: 'unavailable' })
    at.fault = null
    expect(await announce(TOO_LATE)).toMatchObject({ is: 'announced' })
  })
})

describe('two tills at one terminal', () => {
  it('do not take it from each other while a customer should pay', async () => {
    const { order, present } = counter()
    const [first, second] = [order(), order()]
    await first.announce()
    expect(await second.announce()).toEqual(refusedAs('terminal_busy'))
    await present()
    expect(await first.ask()).toMatchObject(PAID)
    expect(await second.ask()).toMatchObject(CANCELLED)
  })

  it('use it again once the first payment has ended, although the terminal never said so', async () => {
    const { order, reader, stripeApi } = counter()
    const [first, second] = [order(), order()]
    await first.announce()
    await stripeApi(`/v1/payment_intents/${first.reference()}/cancel`)
    expect(reader.action?.status).toBe('in_progress')
    expect(await second.announce()).toMatchObject({ is: 'announced' })
    expect(await second.ask()).toMatchObject(WAITING)
  })

  it('may replace a mere display', async () => {
    const { order, reader, stripeApi } = counter()
    await stripeApi(`/v1/terminal/readers/${reader.id}/set_reader_display`, { type: 'cart' })
    expect(await order().announce()).toMatchObject({ is: 'announced' })
  })
})

describe('a lost answer', () => {
  it.each([
    ['to the payment intent', '/payment_intents', true],
    ['to the payment intent, which Stripe never saw,', '/payment_intents', false],
    ['to the terminal', '/process_payment_intent', true],
    ['to the terminal, which never saw it,', '/process_payment_intent', false],
  ])('%s still leads to one payment', async (_, end, isDone) => {
    const { order, at, fake, present } = counter()
    const { announce, ask } = order()
    at.fault = losing(fake.handle, end, isDone)
    expect(await announce()).toMatchObject({ is: 'unavailable' })
    at.fault = null
    expect(await announce(SENT)).toMatchObject({ is: 'announced' })
    expect(fake.intents()).toHaveLength(1)
    expect(await ask()).toMatchObject(WAITING)
    await present()
    expect(await ask()).toMatchObject(PAID)
  })

  it('to the terminal does not make the hub send it again, neither while the customer pays nor after that', async () => {
    const { order, at, fake, present, processed } = counter()
    const { announce, ask } = order()
    at.fault = losing(fake.handle, '/process_payment_intent', true)
    await announce()
    at.fault = null
    for (const start of [SENT, TOO_LATE]) expect(await announce(start)).toMatchObject({ is: 'announced' })
    await present()
    for (const start of [SENT, TOO_LATE]) expect(await announce(start)).toMatchObject({ is: 'announced' })
    expect(processed()).toBe(1)
    expect(await ask()).toMatchObject(PAID)
  })

  it('for an order that is too late to begin ends in a refusal, after which it cannot be paid', async () => {
    const { order, at, fake } = counter()
    const { announce, ask } = order()
    at.fault = losing(fake.handle, '/process_payment_intent', false)
    await announce()
    at.fault = losing(fake.handle, '/cancel', false)
    expect(await announce(TOO_LATE)).toMatchObject({ is: 'unavailable' })
    at.fault = null
    expect(await announce(TOO_LATE)).toEqual(refusedAs('terminal_unreachable'))
    expect(await announce(TOO_LATE)).toEqual(refusedAs('terminal_unreachable'))
    expect(await ask()).toMatchObject(CANCELLED)
  })

  it('is found after days, when Stripe has forgotten the idempotency key', async () => {
    const { order, fake, present, at } = counter()
    const [paid, never] = [order(), order()]
    await paid.announce()
    const reference = paid.reference()
    await present()
    fake.forgetKeys()
    at.fault = losing(fake.handle, '/search', true, 'GET')
    expect(await paid.announce(TOO_LATE)).toMatchObject({ is: 'unavailable' })
    at.fault = null
    expect(await paid.announce(TOO_LATE)).toMatchObject({ is: 'announced', reference })
    // A second payment that is over does not belong to the order.
    for (let days = 0; days < 2; days++) {
      expect(await never.announce(TOO_LATE)).toEqual(refusedAs('terminal_unreachable'))
      fake.forgetKeys()
    }
  })

  it('is not judged while the terminal or the payment cannot be asked about', async () => {
    const { order, at, fake, reader, processed } = counter()
    const { announce } = order()
    await announce()
    for (const silent of ['/terminal/readers/', '/payment_intents/']) {
      at.fault = async (request) =>
        request.method === 'GET' && request.url.includes(silent)
          ? new Response('', { status: 503 })
          : fake.handle(request)
      reader.action = null
      for (const start of [SENT, TOO_LATE]) expect(await announce(start)).toMatchObject({ is: 'unavailable' })
    }
    expect(processed()).toBe(1)
  })

  it('counts as a payment that began if it is paid before it can be cancelled', async () => {
    const { order, at, fake, present } = counter({
      isAuthorising: false,
      timeouts: ['lost', 'lost', 'reached'],
    })
    const { announce, ask } = order()
    at.fault = async (request) => {
      if (request.url.endsWith('/cancel')) await present()
      const answer = await fake.handle(request)
      // The reader has the payment, but does not show it yet.
      if (request.method !== 'GET' || !request.url.includes('/terminal/readers/')) return answer
      return Response.json({ ...(await answer.json<object>()), action: null })
    }
    expect(await announce()).toMatchObject({ is: 'announced' })
    at.fault = null
    expect(await ask()).toMatchObject(PAID)
  })
})

describe('a card that is declined', () => {
  it('fails the payment at once, in the words of the bank', async () => {
    const { order, present } = counter()
    const { announce, ask, stop } = order()
    await announce()
    await present({ 'card_present[number]': '4000000000009995' })
    const reason = 'declined: insufficient_funds: Your card has insufficient funds.'
    expect(await ask()).toMatchObject({ status: 'FAILURE', closed: false, paid: 0, reason })
    // The hub stops it later, so that it cannot be processed again.
    expect(await stop()).toMatchObject({ status: 'FAILURE', closed: true, paid: 0, reason })
    expect(await ask()).toMatchObject({ status: 'FAILURE', closed: true, paid: 0, reason })
  })

  it('is open again once the terminal does something else, so that the hub stops it', async () => {
    const { order, present, reader } = counter()
    const [first, second] = [order(), order()]
    await first.announce()
    await present({ 'card_present[number]': '4000000000000002' })
    await second.announce()
    const open = await first.ask()
    expect(open).toMatchObject({ status: 'PENDING', stage: { is: 'open' }, paid: 0 })
    expect(open).not.toHaveProperty('progress')
    expect(await first.stop()).toMatchObject({ status: 'FAILURE', closed: true })
    expect(reader.action).toMatchObject({ intent: second.reference(), status: 'in_progress' })
  })

  it.each([
    ['customer_canceled', { status: 'CANCELLED', closed: false }],
    ['connection_error', AUTHORISING],
    [
      'card_read_failed',
      { status: 'FAILURE', closed: false, reason: expect.stringMatching(/^declined: card_read_failed: /) },
    ],
  ])('differs from a terminal that failed with %s', async (code, meant) => {
    const { order, reader } = counter()
    const { announce, ask } = order()
    await announce()
    if (!reader.action) throw new Error('the reader does nothing')
    fail(reader.action, code)
    expect(await ask()).toMatchObject({ ...meant, paid: 0 })
  })
})

describe("Stripe's word for the payment intent", () => {
  it.each(Object.entries(AT_TERMINAL).filter(([word]) => !/succeeded|requires_capture/.test(word)))(
    '%s means the same whatever the terminal says',
    async (status, { meaning }) => {
      const { order, at, terminals } = counter()
      at.fault = json(200, intent(status))
      const seen = await terminals.ask(order().reference() || 'pi_1', 'EUR')
      const stage = meaning.is === 'ended' ? undefined : meaning.is
      expect(seen).toMatchObject({ is: 'observed', paid: 0 })
      expect('stage' in seen ? seen.stage?.is : undefined).toBe(stage)
      // A card at a counter takes seconds.
      if (stage === 'underway') expect(seen).toMatchObject({ stage: { patience: DAY } })
    },
  )

  it('gives no answer if it is unknown, or if the amount is unreadable', async () => {
    const { at, terminals } = counter()
    for (const body of [intent('something_new'), { ...intent('succeeded'), amount_received: 'all' }, {}]) {
      at.fault = json(200, body)
      expect(await terminals.ask('pi_1', 'EUR')).toMatchObject({ is: 'unavailable' })
    }
    at.fault = stripeError(404, 'No such payment_intent')
    expect(await terminals.ask('pi_1', 'EUR')).toEqual({ is: 'unknown' })
  })

  it('is enough while the terminal cannot be asked', async () => {
    const { order, at, fake } = counter()
    const { announce, ask } = order()
    await announce()
    at.fault = async (request) =>
      request.url.includes('/terminal/') ? new Response('', { status: 503 }) : fake.handle(request)
    expect(await ask()).toMatchObject({ status: 'PENDING', stage: { is: 'open' }, paid: 0 })
  })

  it("is never newer than the terminal's", async () => {
    const { order, at, fake, present } = counter()
    const { announce, ask } = order()
    await announce()
    at.fault = async (request) => {
      const answer = await fake.handle(request)
      if (request.url.includes('/payment_intents/')) await present()
      return answer
    }
    expect(await ask()).toMatchObject({ ...AUTHORISING, paid: 0 })
    at.fault = null
    expect(await ask()).toMatchObject(PAID)
  })
})

describe('a cancel', () => {
  it('takes the payment from the terminal, for good', async () => {
    const { order, reader } = counter()
    const { announce, stop, ask } = order()
    await announce()
    expect(await stop()).toMatchObject(CANCELLED)
    expect(reader.action).toBeNull()
    expect(await ask()).toMatchObject(CANCELLED)
    expect(await stop()).toMatchObject(CANCELLED)
  })

  it('is too late while the card is authorised', async () => {
    const { order, reader, present } = counter()
    const { announce, stop } = order()
    await announce()
    reader.isAuthorising = true
    expect(await stop()).toMatchObject(WAITING)
    await present()
    expect(await stop()).toMatchObject(PAID)
  })

  it('cannot undo a payment between its two requests', async () => {
    const { order, at, fake, present } = counter()
    const { announce, stop } = order()
    await announce()
    at.fault = async (request) => {
      if (!request.url.endsWith('/cancel_action')) return fake.handle(request)
      await present()
      return stripeError(400, 'The reader is not processing an action.')(request)
    }
    expect(await stop()).toMatchObject(PAID)
  })

  it('of a payment at a terminal that is off still cancels it', async () => {
    const { order, reader } = counter()
    const { announce, stop } = order()
    await announce()
    reader.status = 'offline'
    expect(await stop()).toMatchObject(CANCELLED)
  })
})

describe('the terminals of an account', () => {
  it('are those that Stripe drives, from all pages', async () => {
    const { terminals, fake, reader } = counter()
    fake.addReader({ id: 'tmr_phone', device_type: 'mobile_phone_reader' })
    const others = Array.from({ length: 120 }, (_, n) =>
      fake.addReader({ label: `No. ${n}`, status: 'offline' }),
    )
    const listed = await terminals.list()
    if (listed.is !== 'listed') throw new Error(JSON.stringify(listed))
    expect(listed.terminals).toHaveLength(121)
    expect(listed.terminals.at(-1)).toEqual({ id: reader.id, name: 'Counter 1', isOn: true })
    expect(listed.terminals[0]).toEqual({ id: others[119]?.id, name: 'No. 119', isOn: false })
  })

  it('are not listed for a key that may not read them', async () => {
    const { terminals, at } = counter()
    at.fault = stripeError(403, 'The provided key does not have the required permissions.')
    expect(await terminals.list()).toMatchObject({ is: 'unavailable', accountRefused: true })
    at.fault = json(200, { data: 'none' })
    expect(await terminals.list()).toMatchObject({ is: 'unavailable' })
  })
})

describe('an event', () => {
  const AT = Date.UTC(2026, 10, 28, 10, 15)

  function about(job: string, reference: string | null, claimedStatus: string | null = null) {
    return { is: 'about', payments: [{ job, reference, claimedStatus }] }
  }

  it('of the terminal leads to the job of the payment that it processed', async () => {
    const { fake, read, order, present, reader } = counter()
    const { announce, job, reference } = order()
    await announce()
    await present()
    for (const type of ['succeeded', 'failed', 'updated']) {
      const sent = await fake.tellReader(reader, `terminal.reader.action_${type}`, AT)
      expect(await read(sent, AT)).toEqual(about(job, reference()))
    }
  })

  it('of the payment intent leads to its job without a request, and claims what Stripe signed', async () => {
    const { fake, read, order, present, asked } = counter()
    const { announce, job, reference } = order()
    await announce()
    const before = asked.length
    const told = async (type: string) => read(await fake.tellIntent(job, `payment_intent.${type}`, AT), AT)
    expect(await told('payment_failed')).toEqual(about(job, reference()))
    expect(await told('canceled')).toEqual(about(job, reference()))
    await present()
    expect(await told('succeeded')).toEqual(about(job, reference(), 'SUCCESS'))
    expect(asked).toHaveLength(before)
  })

  it('of a refund or a dispute leads there too', async () => {
    const { fake, read, order, present, psp } = counter()
    const { announce, job, reference } = order()
    await announce()
    await present()
    await psp.refund({ job, reference: reference(), payment: null }, wish(100))
    for (const sent of await fake.endRefunds(job, 'succeeded', AT))
      expect(await read(sent, AT)).toEqual(about(job, null))
    const dispute = { amount: 50, status: 'lost', isWithdrawn: true }
    for (const sent of await fake.dispute(job, dispute, AT))
      expect(await read(sent, AT)).toEqual(about(job, reference()))
    expect(await psp.jobOf?.(reference())).toBe(job)
  })

  it("of a payment that is not the hub's, or of an idle terminal, is about nothing", async () => {
    const { fake, read, stripeApi, reader } = counter()
    const nothing = { is: 'about', payments: [] }
    const tell = async () => read(await fake.tellReader(reader, 'terminal.reader.action_updated', AT), AT)
    expect(await tell()).toEqual(nothing)
    const form = { amount: '100', currency: 'eur', 'allowed_payment_method_types[0]': 'card_present' }
    await stripeApi('/v1/payment_intents', form)
    const [foreign] = fake.intents()
    await stripeApi(`/v1/terminal/readers/${reader.id}/process_payment_intent`, {
      payment_intent: foreign?.id ?? '',
    })
    expect(await tell()).toEqual(nothing)
  })

  it('of a terminal comes again while Stripe does not say whose payment it is', async () => {
    const { fake, read, order, reader, at } = counter()
    await order().announce()
    const sent = await fake.tellReader(reader, 'terminal.reader.action_failed', AT)
    for (const status of [503, 403]) {
      at.fault = stripeError(status, 'Not now.')
      expect(await read(sent, AT)).toMatchObject({ is: 'unavailable' })
    }
    const forged = { ...sent, body: sent.body.replace('Counter 1', 'Counter 2') }
    expect(await read(forged, AT)).toEqual({ is: 'unauthentic' })
  })
})
