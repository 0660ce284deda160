import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Fetch, Instruction, Psp } from '../../../src/psp/port.ts'
import { stripe } from '../../../src/psp/stripe/adapter.ts'
import { METHODS, PATIENCE, RESERVES } from '../../../src/psp/stripe/tables.ts'
import { stripeFake } from '../../support/psps/stripe.ts'
import {
  type Answer,
  type Answers,
  LET_GO,
  bodyOf,
  json,
  kept,
  patience,
  paymentRequestOf,
  wish,
} from '../scripted.ts'
import { announced, atStripe, charge, intent, session, stripeError } from './samples.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 21, 10, 15)
vi.useFakeTimers({ toFake: ['Date'], now: NOW })
afterEach(() => vi.setSystemTime(NOW))

/** Reserved money at the fake Stripe. `fault` acts between Stripe and the hub. */
async function reserved(money: 'reserved' | 'multicapture' = 'reserved', paymentMethod = 'card') {
  const fake = stripeFake()
  const asked: string[] = []
  const at: { fault: Fetch | null } = { fault: null }
  const fetch: Fetch = (request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname.split('/').at(-1)}`)
    return at.fault ? at.fault(request) : fake.handle(request)
  }
  const psp = stripe.open({ fetch, mode: 'live', credentials: fake.accounts[0] })
  const job = crypto.randomUUID()
  const request = paymentRequestOf(job, { capture: 'manual', paymentMethod })
  const answer = await psp.announce(request, patience)
  if (answer.is !== 'announced') throw new Error(JSON.stringify(answer))
  fake.setMoney(job, money)
  const { reference } = answer
  const payment = { job, reference, payment: null }
  const { capture, release } = psp
  if (!capture || !release) throw new Error('Stripe takes no reservations')
  return {
    fake,
    at,
    job,
    ask: () => psp.ask(reference, 'EUR'),
    capture: (wanted: Instruction) => capture(payment, wanted),
    release: (wanted: Instruction) => release(payment, wanted),
    refund: (wanted: Instruction) => psp.refund(payment, wanted),
    /** The number of the hub's requests to capture or cancel. */
    acts: () => asked.filter((one) => /POST (capture|cancel)/.test(one)).length,
    loses: { before: losing(() => null), after: losing(fake.handle) },
  }
}

/** Loses Stripe's answer to each POST, before or after Stripe has done it. */
function losing(handle: (request: Request) => unknown): (handleAll: Fetch) => Fetch {
  return (handleAll) => async (request) => {
    if (request.method === 'GET') return handleAll(request)
    await handle(request)
    return new Response('', { status: 502 })
  }
}

const DONE = { is: 'taken', reference: expect.stringMatching(/^pi_/) as string, state: 'done' }

function held(paid: number) {
  const stage = { is: 'authorized', patience: PATIENCE.authorized * DAY }
  return { status: 'PENDING', stage, authorized: 1250, paid, released: 0 }
}

describe('the request for a payment that is only reserved', () => {
  const CAPTURE = 'payment_intent_data[capture_method]'
  const SEVERAL = 'payment_method_options[card][request_multicapture]'

  it.each([
    ['creditcard', 'if_available'],
    ['*', 'if_available'],
    ['klarna', undefined],
  ])('by %s tells Stripe to reserve, and to allow several captures: %s', async (paymentMethod, several) => {
    const sent = await announced({ capture: 'manual', paymentMethod })
    expect([sent[CAPTURE], sent[SEVERAL]]).toEqual(['manual', several])
  })

  it('is not part of other requests', async () => {
    const sent = await announced({ capture: 'automatic', paymentMethod: 'card' })
    expect(Object.keys(sent).filter((name) => /capture/.test(name))).toEqual([])
  })

  it.each([...METHODS.keys()])('by %s is accepted if Stripe can reserve it, and only then', async (name) => {
    const fake = stripeFake()
    const psp = stripe.open({ fetch: fake.handle, mode: 'live', credentials: fake.accounts[0] })
    const request = paymentRequestOf(crypto.randomUUID(), { capture: 'manual', paymentMethod: name })
    const { is } = await psp.announce(request, patience)
    expect(is === 'announced').toBe(RESERVES.days.has(name))
    expect(RESERVES.days.get(name) ?? 0).toBeLessThanOrEqual(PATIENCE.authorized)
  })
})

describe('reserved money', () => {
  it('is held from and until the times that Stripe shows', async () => {
    const { ask } = await reserved()
    const times = { authorizedAt: NOW, captureBefore: NOW + 7 * DAY }
    expect(await ask()).toMatchObject({ ...held(0), ...times })
    expect(await ask()).not.toHaveProperty('refunded')
  })

  it.each([
    ['klarna', 27],
    ['clearpay', 13],
    ['paypal', 10],
    ['satispay', 7],
    ['*', 7],
  ])('by %s, whose charge shows no end, is held for %d days', async (method, days) => {
    const { ask, at, fake } = await reserved('reserved', method)
    at.fault = async (request) => {
      const shown = await (await fake.handle(request)).text()
      return new Response(shown.replaceAll('capture_before', 'something_else'))
    }
    expect(await ask()).toMatchObject({ ...held(0), authorizedAt: NOW, captureBefore: NOW + days * DAY })
  })

  it.each([true, false])('is released after a capture of a part (final: %s)', async (isFinal) => {
    const { ask, capture } = await reserved()
    expect(await capture(wish(500, { isFinal }))).toEqual(DONE)
    expect(await ask()).toMatchObject({ ...kept(500), transfers: { refund: [], dispute: [] } })
    expect(await capture(wish(100))).toMatchObject({
      is: 'refused',
      message: expect.stringContaining('could not be captured because it has a status of succeeded'),
    })
  })

  it('is paid once no part is left, although the intent stays open for captures', async () => {
    const { ask, capture } = await reserved('multicapture')
    for (const amount of [500, 750]) expect(await capture(wish(amount))).toEqual(DONE)
    expect(await ask()).toMatchObject(kept(1250))
  })

  it('is not captured beyond what is held', async () => {
    const { ask, capture } = await reserved('multicapture')
    await capture(wish(500))
    expect(await capture(wish(751))).toMatchObject({
      is: 'refused',
      message: expect.stringMatching(/^Stripe refused the capture: .*\(amount_to_capture\)$/),
    })
    expect(await ask()).toMatchObject(held(500))
  })

  it('is not captured after its time, and then has expired', async () => {
    const { ask, capture } = await reserved()
    vi.setSystemTime(NOW + 7 * DAY)
    expect(await capture(wish(1250))).toMatchObject({ is: 'refused' })
    expect(await ask()).toMatchObject({ ...LET_GO, status: 'EXPIRED' })
  })

  it('of which a part was captured keeps that part after its time', async () => {
    const { ask, capture } = await reserved('multicapture')
    await capture(wish(500))
    vi.setSystemTime(NOW + 7 * DAY)
    expect(await ask()).toMatchObject(kept(500))
  })

  it('is released', async () => {
    const { ask, capture, release } = await reserved()
    const all = wish(1250)
    expect(await release(all)).toEqual(DONE)
    expect(await ask()).toMatchObject(LET_GO)
    expect(await ask()).not.toHaveProperty('refunded')
    expect(await capture(wish(1250))).toMatchObject({
      is: 'refused',
      message: expect.stringContaining('canceled'),
    })
  })

  it('that was fully captured is not released', async () => {
    const { capture, release } = await reserved()
    await capture(wish(1250))
    expect(await release(wish(1250))).toMatchObject({
      is: 'refused',
      message: expect.stringMatching(/^Stripe refused the release: You cannot cancel/),
    })
  })

  it.each([500, 1250])('of which %d was captured is refunded up to that', async (amount) => {
    const { ask, capture, refund } = await reserved()
    await capture(wish(amount))
    expect(await refund(wish(amount + 1))).toMatchObject({ is: 'refused' })
    const parts = [wish(300), wish(amount - 300)] as const
    expect(await refund(parts[0])).toMatchObject({ is: 'taken' })
    expect(await ask()).toMatchObject({ ...kept(amount), refunded: 300 })
    expect(await refund(parts[1])).toMatchObject({ is: 'taken' })
    // Stripe lists the released rest as a refund too.
    const listed = parts.toReversed().map(({ id, amount: of }) => ({ own: id, amount: of, state: 'pending' }))
    const transfers = { refund: listed }
    expect(await ask()).toMatchObject({ ...kept(amount), refunded: amount, transfers })
  })

  it('has a part refunded while the rest is held, and after it was released', async () => {
    const { ask, capture, refund, release } = await reserved('multicapture')
    await capture(wish(500))
    expect(await refund(wish(200))).toMatchObject({ is: 'taken' })
    expect(await ask()).toMatchObject({ ...held(500), refunded: 200 })
    await release(wish(750))
    expect(await ask()).toMatchObject({ ...kept(500), refunded: 200 })
  })

  it('can have more refunded than was released', async () => {
    const { ask, capture, refund } = await reserved('multicapture')
    await capture(wish(900, { isFinal: true }))
    expect(await refund(wish(400))).toMatchObject({ is: 'taken' })
    expect(await ask()).toMatchObject({ ...kept(900), refunded: 400 })
  })

  it('shows what disputes took of a part while the rest is held', async () => {
    const { fake, job, ask, capture } = await reserved('multicapture')
    await capture(wish(500))
    await fake.dispute(job, { amount: 500, status: 'needs_response', isWithdrawn: true }, NOW)
    expect(await ask()).toMatchObject({
      ...held(500),
      transfers: { dispute: [{ amount: 500, state: 'done' }] },
    })
  })
})

describe('a capture or a cancellation by hand at Stripe', () => {
  it('counts as a captured part, and the rest as released', async () => {
    const { fake, job, ask } = await reserved()
    await fake.captureThere(job, 500, true, NOW)
    expect(await ask()).toMatchObject({ ...kept(500), refunded: 0 })
  })

  it('leaves the rest held if the card allows several captures', async () => {
    const { fake, job, ask, capture } = await reserved('multicapture')
    await fake.captureThere(job, 500, false, NOW)
    expect(await ask()).toMatchObject(held(500))
    const same = wish(500)
    expect(await capture(same)).toEqual(DONE)
    expect(await ask()).toMatchObject(held(1000))
  })

  it('may release everything', async () => {
    const { fake, job, ask } = await reserved()
    await fake.releaseThere(job, NOW)
    expect(await ask()).toMatchObject(LET_GO)
  })
})

describe('an instruction', () => {
  it('is done once, however often it comes, even after Stripe has forgotten its key', async () => {
    const { fake, ask, capture, release, acts } = await reserved('multicapture')
    const [part, rest] = [wish(500), wish(750)]
    for (let times = 0; times < 3; times++) expect(await capture(part)).toEqual(DONE)
    fake.forgetKeys()
    expect(await capture(part)).toEqual(DONE)
    expect(await ask()).toMatchObject(held(500))
    for (let times = 0; times < 2; times++) expect(await release(rest)).toEqual(DONE)
    fake.forgetKeys()
    expect(await release(rest)).toEqual(DONE)
    expect(await ask()).toMatchObject(kept(500))
    expect(acts()).toBe(2)
  })

  it.each(['before', 'after'] as const)(
    'whose answer is lost %s Stripe does it is looked up',
    async (when) => {
      const { fake, at, ask, capture, release, loses } = await reserved('multicapture')
      const [part, rest] = [wish(500), wish(750)]
      at.fault = loses[when](fake.handle)
      expect(await capture(part)).toMatchObject({ is: 'unavailable' })
      at.fault = null
      expect(await capture(part)).toEqual(DONE)
      expect(await ask()).toMatchObject(held(500))
      at.fault = loses[when](fake.handle)
      expect(await release(rest)).toMatchObject({ is: 'unavailable' })
      at.fault = null
      expect(await release(rest)).toEqual(DONE)
      expect(await ask()).toMatchObject(kept(500))
    },
  )
})

/** A session with money in this state. */
function complete(changes: object, latest_charge: object | string | null = cardCharge()): Answer {
  const payment_intent = { ...intent('requires_capture', latest_charge), ...changes }
  return json(200, session({ status: 'complete', payment_status: 'unpaid', payment_intent }))
}
function cardCharge(card: object = {}) {
  return charge({ payment_method_details: { type: 'card', card } })
}
const MANUAL = { capture_method: 'manual', amount_capturable: 1250, amount_received: 0 }
const HELD = complete(MANUAL)
const WISH = wish(500, { id: '0190b1f4-7d5e-4c1a-9b53-0a3f1c2d4e60' })
const PAYMENT = { job: 'j', reference: 'cs_test_a1YS1URlnyQCN5fUUduO', payment: null }

function captureBy(...answers: Answers) {
  const scripted = atStripe(...answers)
  return { ...scripted, answer: instructBy(scripted.psp, WISH) }
}
function instructBy({ capture }: Psp, wanted: Instruction) {
  return capture(PAYMENT, wanted)
}
function captured(status: string, changes: object = {}) {
  return { id: 'pi_3Mtw', ...MANUAL, status, metadata: { [WISH.id]: '500' }, ...changes }
}

describe('the request for a capture', () => {
  it.each([
    ['available', false, 500, { final_capture: 'false' }],
    ['available', true, 500, {}],
    ['unavailable', false, 500, {}],
    // Nothing is left to keep.
    ['available', false, 1250, {}],
  ])('of a card whose multicapture is %s, final: %s, of %d', async (status, isFinal, amount, more) => {
    const { psp, requests } = atStripe(
      complete(MANUAL, cardCharge({ multicapture: { status } })),
      json(200, captured('succeeded')),
    )
    await instructBy(psp, { ...WISH, isFinal, amount })
    const [, post] = requests
    expect(post?.url).toBe('https://api.stripe.com/v1/payment_intents/pi_3Mtw/capture')
    expect(post?.headers.get('idempotency-key')).toBe(WISH.id)
    expect(Object.fromEntries(new URLSearchParams(post && (await bodyOf(post))))).toEqual({
      amount_to_capture: String(amount),
      [`metadata[${WISH.id}]`]: String(amount),
      ...more,
    })
  })

  it('is counted as Stripe counts the currency, and refused if that is impossible', async () => {
    const { psp, requests } = atStripe(HELD, json(200, captured('succeeded')))
    await instructBy(psp, { ...WISH, currency: 'ISK', amount: 5 })
    expect(requests[1] && (await bodyOf(requests[1]))).toContain('amount_to_capture=500&')
    const fine = atStripe(HELD)
    expect(await instructBy(fine.psp, { ...WISH, currency: 'KWD', amount: 1234 })).toEqual({
      is: 'refused',
      message: 'Stripe cannot capture that much KWD.',
    })
    expect(fine.requests).toHaveLength(1)
  })
})

describe('a fault that Stripe repeats for a day', () => {
  const repeated = json(500, {}, { 'idempotent-replayed': 'true' })
  const keys = (requests: readonly Request[]) =>
    requests.flatMap(({ headers }) => headers.get('idempotency-key') ?? [])

  it('is avoided by the next key, once the intent shows that nothing was captured', async () => {
    const { answer, requests } = captureBy(HELD, repeated, HELD, json(200, captured('succeeded')))
    expect(await answer).toEqual(DONE)
    expect(keys(requests)).toEqual([WISH.id, `${WISH.id}-2`])
  })

  it('captures nothing twice if the intent shows the capture', async () => {
    const { answer, requests } = captureBy(HELD, repeated, complete(captured('requires_capture')))
    expect(await answer).toEqual(DONE)
    expect(keys(requests)).toEqual([WISH.id])
  })

  it('does not make the hub ask for ever, and a new fault not at all', async () => {
    const always = captureBy(HELD, repeated, HELD, repeated, HELD, repeated, HELD, repeated)
    expect(await always.answer).toMatchObject({ is: 'unavailable' })
    expect(keys(always.requests)).toHaveLength(4)
    const fresh = captureBy(HELD, json(500, {}))
    expect(await fresh.answer).toMatchObject({ is: 'unavailable' })
    expect(keys(fresh.requests)).toHaveLength(1)
  })
})

describe('a capture', () => {
  it.each([
    ['processing', 'pending'],
    ['succeeded', 'done'],
    ['requires_capture', 'done'],
  ])('after which the intent is %s is %s', async (status, state) => {
    expect(await captureBy(HELD, json(200, captured(status))).answer).toMatchObject({ is: 'taken', state })
  })

  it('under way takes the time that Stripe needs, and may still fail', async () => {
    const seen = async (status: string) => {
      const { psp } = atStripe(complete(captured(status, { amount_capturable: 0 })))
      return psp.ask(PAYMENT.reference, 'EUR')
    }
    expect(await seen('processing')).toMatchObject({ status: 'PENDING', stage: { is: 'underway' } })
    expect(await seen('processing')).not.toHaveProperty('released')
    expect(await seen('requires_payment_method')).toMatchObject({ ...LET_GO, status: 'FAILURE' })
  })

  it('that the bank refuses has the words of Stripe', async () => {
    const error = { type: 'card_error', code: 'capture_charge_authorization_expired' }
    const { answer } = captureBy(HELD, stripeError(402, 'The charge has expired.', error))
    expect(await answer).toMatchObject({
      is: 'refused',
      message: 'Stripe refused the capture: The charge has expired.',
    })
  })

  it('is neither accepted nor refused if Stripe has a different request under its key', async () => {
    const { answer } = captureBy(HELD, stripeError(400, 'Used', { type: 'idempotency_error' }))
    expect(await answer).toMatchObject({ is: 'unavailable' })
  })

  it('with a key that Stripe refuses is the fault of the account', async () => {
    const { answer } = captureBy(HELD, stripeError(403, 'No permission'))
    expect(await answer).toMatchObject({ is: 'unavailable', accountRefused: true })
  })

  it('of a payment that never began is refused', async () => {
    const { psp } = atStripe(json(200, session()))
    expect(await instructBy(psp, WISH)).toEqual({ is: 'refused', message: 'Stripe has no money to capture.' })
  })

  it.each<[string, Answer]>([
    ['a session that it does not show', stripeError(404, 'No such session')],
    ['an intent that it does not show', complete({ status: 7 })],
    ['a fault', json(500, {})],
  ])('is in doubt after %s', async (_, answer) => {
    const { psp, requests } = atStripe(answer)
    expect(await instructBy(psp, WISH)).toMatchObject({ is: 'unavailable' })
    expect(requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  it('works with a key that may not read charges, and then releases the rest', async () => {
    const { answer, requests } = captureBy(
      stripeError(403, 'No permission'),
      complete(MANUAL, 'ch_3Mtw'),
      json(200, captured('succeeded')),
    )
    expect(await answer).toEqual(DONE)
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      '?expand[]=payment_intent.latest_charge.refunds',
      '?expand[]=payment_intent',
      '',
    ])
  })
})

describe('a ledger', () => {
  const seen = (answer: Answer, currency = 'EUR') => atStripe(answer).psp.ask(PAYMENT.reference, currency)

  it.each([
    { amount_received: '0' },
    { amount_received: undefined },
    { amount_capturable: -1 },
    { amount: null },
    { amount_received: 1 },
    { currency: 'usd' },
  ])('is not guessed from %j', async (changes) => {
    expect(await seen(complete({ ...MANUAL, ...changes }))).toEqual({
      is: 'unavailable',
      message: 'Stripe answered with an amount that cannot be read.',
    })
  })

  it.each([null, 'ch_1', { created: 'now' }, charge({ created: 0.5 })])(
    'needs no readable charge: %j',
    async (latest) => {
      const answer = await seen(complete(MANUAL, latest))
      expect(answer).toMatchObject(held(0))
      expect(answer).not.toHaveProperty('authorizedAt')
    },
  )

  it.each([7, null, {}])('has the days of the method if the charge has the details %j', async (details) => {
    const created = NOW / 1000
    const until = (type: string) =>
      seen(complete(MANUAL, charge({ created, payment_method_details: { type, [type]: details } })))
    expect(await until('card')).toMatchObject({ authorizedAt: NOW, captureBefore: NOW + 7 * DAY })
    expect(await until('a_new_one')).toMatchObject({ captureBefore: NOW + 7 * DAY })
    expect(await until('klarna')).toMatchObject({ captureBefore: NOW + 27 * DAY })
  })

  it('is that of the money, whatever the capture method and the session say', async () => {
    const payment_intent = { ...intent('requires_capture', cardCharge()), ...MANUAL }
    const of = (changes: object) =>
      seen(json(200, session({ status: 'complete', payment_status: 'unpaid', payment_intent, ...changes })))
    expect(await of({})).toMatchObject(held(0))
    expect(
      await of({ payment_intent: { ...payment_intent, capture_method: 'automatic_async' } }),
    ).toMatchObject(held(0))
    expect(await of({ status: 'expired' })).toMatchObject(held(0))
    expect(await of({ status: 'open' })).toMatchObject({ stage: { is: 'open' } })
    expect(await of({ status: 'open' })).not.toHaveProperty('authorized')
  })

  it.each(['requires_action', 'requires_confirmation', 'processing'])(
    'has nothing yet for an intent that is %s',
    async (status) => {
      const answer = await seen(complete({ ...MANUAL, status, amount_capturable: 0 }))
      expect(answer).toMatchObject({ status: 'PENDING', stage: { is: 'underway' } })
      expect(answer).not.toHaveProperty('authorized')
    },
  )

  it('does not need the capturable amount of an intent that is over', async () => {
    const over = { ...MANUAL, status: 'succeeded', amount_capturable: undefined, amount_received: 500 }
    expect(await seen(complete(over))).toMatchObject(kept(500))
  })

  it('does not exist for an order that Stripe captures by itself', async () => {
    const payment_intent = intent('succeeded', cardCharge())
    const whole = { ...payment_intent, amount_received: 1250 }
    const paid = json(200, session({ status: 'complete', payment_status: 'paid', payment_intent: whole }))
    const answer = await seen(paid)
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250 })
    for (const name of ['authorized', 'released', 'authorizedAt', 'captureBefore'])
      expect(answer).not.toHaveProperty(name)
  })

  it('counts a part that was captured by hand as a part, whatever the order was', async () => {
    const payment_intent = { ...intent('succeeded', cardCharge()), amount_received: 500 }
    const part = json(200, session({ status: 'complete', payment_status: 'paid', payment_intent }))
    expect(await seen(part)).toMatchObject({ ...kept(500), refunded: 0 })
  })

  it.each([
    ['automatic', 'EXPIRED'],
    ['expired', 'EXPIRED'],
    ['abandoned', 'CANCELLED'],
    [null, 'CANCELLED'],
    ['a new reason', 'CANCELLED'],
  ])('that was cancelled because of %j ends %s', async (cancellation_reason, status) => {
    const cancelled = { ...MANUAL, status: 'canceled', amount_capturable: 0, cancellation_reason }
    expect(await seen(complete(cancelled))).toMatchObject({ ...LET_GO, status })
  })

  it('has nothing for a session that expired before anyone paid', async () => {
    const payment_intent = { ...intent('canceled'), ...MANUAL, status: 'canceled', amount_capturable: 0 }
    const answer = await seen(
      json(200, session({ status: 'expired', payment_status: 'unpaid', payment_intent })),
    )
    expect(answer).toMatchObject({ status: 'EXPIRED', closed: true, paid: 0 })
    expect(answer).not.toHaveProperty('authorized')
  })

  it('keeps a captured part if the intent was cancelled after it', async () => {
    const part = { ...MANUAL, status: 'canceled', amount_capturable: 0, amount_received: 500 }
    expect(await seen(complete(part))).toMatchObject(kept(500))
  })

  it('never counts a released rest as refunded, even if Stripe does not add it', async () => {
    const part = { ...MANUAL, status: 'succeeded', amount_capturable: 0, amount_received: 1000 }
    const back = (amount_refunded: number) =>
      complete(part, charge({ amount_refunded, payment_method_details: { type: 'card', card: {} } }))
    expect(await seen(back(0))).toMatchObject({ refunded: 0 })
    expect(await seen(back(250))).toMatchObject({ refunded: 0 })
    expect(await seen(back(350))).toMatchObject({ refunded: 100 })
  })

  it('takes no refund that failed for the released rest', async () => {
    const part = { ...MANUAL, status: 'succeeded', amount_capturable: 0, amount_received: 1000 }
    const [failed, rest] = ['failed', 'succeeded'].map((status) => {
      return { id: `re_${status}`, object: 'refund', amount: 250, currency: 'eur', status, metadata: {} }
    })
    const refunds = { object: 'list', data: [failed, rest], has_more: false }
    const details = { payment_method_details: { type: 'card', card: {} } }
    const answer = await seen(complete(part, charge({ amount_refunded: 250, refunds, ...details })))
    expect(answer).toMatchObject({
      refunded: 0,
      transfers: { refund: [{ id: 're_failed', state: 'failed' }] },
    })
  })
})

describe('the list of captures and releases', () => {
  const [A, B] = [WISH.id, '0190b1f4-7d5e-4c1a-9b53-0a3f1c2d4e61']
  const done = (own: string, amount: number) => ({ id: own, own, amount, state: 'done' })

  it.each<[string, object, object, number]>([
    ['nothing yet', {}, { payment_job: 'j', [A]: 'else' }, 0],
    ['both', { amount_received: 800 }, { payment_job: 'j', [A]: '500', [B]: '300' }, 450],
    ['one of releases before 1.2', { amount_received: 800 }, { [A]: '500', [B]: 'capture' }, 450],
  ])('is %s', async (_, changes, metadata, released) => {
    const over = { ...MANUAL, status: 'succeeded', ...changes, metadata }
    const { psp } = atStripe(complete(released > 0 ? over : { ...MANUAL, metadata }))
    expect(await psp.ask(PAYMENT.reference, 'EUR')).toMatchObject({
      transfers: {
        capture: released > 0 ? [done(A, 500), done(B, 300)] : [],
        release: released > 0 ? [{ id: 'pi_3Mtw', amount: 450, state: 'done' }] : [],
      },
    })
  })

  it.each(['requires_payment_method', 'canceled'])(
    'has a capture that ended %s as failed',
    async (status) => {
      const { psp } = atStripe(complete(captured(status, { amount_capturable: 0 })))
      const why = `Stripe says that the capture is ${status}.`
      expect(await psp.ask(PAYMENT.reference, 'EUR')).toMatchObject({
        transfers: { capture: [{ own: A, amount: 500, state: 'failed', why }] },
      })
    },
  )

  it.each<[string, object]>([
    ['two have no amounts', { amount_received: 800, metadata: { [A]: 'capture', [B]: 'capture' } }],
    ['nothing is left for one', { amount_received: 500, metadata: { [A]: '500', [B]: 'capture' } }],
    ['one of two failed', { amount_received: 500, metadata: { [A]: '500', [B]: '300' } }],
    ['the metadata cannot be read', { amount_received: 500, metadata: null }],
  ])('of captures is left out if %s', async (_, changes) => {
    const { psp } = atStripe(complete({ ...MANUAL, status: 'succeeded', ...changes }))
    const seen = await psp.ask(PAYMENT.reference, 'EUR')
    expect(seen).toMatchObject({ transfers: { release: [{ state: 'done' }] } })
    expect(seen).not.toHaveProperty('transfers.capture')
  })
})
