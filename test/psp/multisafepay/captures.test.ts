import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY, HOUR } from '../../../src/contract/timestamp.ts'
import { multisafepay } from '../../../src/psp/multisafepay/adapter.ts'
import { partIdOf } from '../../../src/psp/multisafepay/order.ts'
import type { Fetch, Instruction } from '../../../src/psp/port.ts'
import { multisafepayFake } from '../../support/psps/multisafepay.ts'
import {
  type Answer,
  type Answers,
  LET_GO,
  UNANSWERED,
  json,
  kept,
  patience,
  paymentRequest,
  paymentRequestOf,
  wish,
} from '../scripted.ts'
import { GET, UNKNOWN, announced, atMultiSafepay, failure, shown } from './samples.ts'

const NOW = Date.UTC(2026, 10, 21, 10, 15)
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }))

/** EUR 12.50 by card, reserved at the fake MultiSafepay. `fault` acts between MultiSafepay and the hub. */
async function reserved(paymentMethod = 'visa') {
  const fake = multisafepayFake()
  const asked: string[] = []
  const at: { fault: Fetch | null } = { fault: null }
  const fetch: Fetch = (request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname.replace('/v1/json/', '')}`)
    return at.fault?.(request) ?? fake.handle(request)
  }
  const psp = multisafepay.open({ fetch, mode: 'live', credentials: fake.accounts[0] })
  const { capture, release } = psp
  if (!capture || !release) throw new Error('MultiSafepay takes no reservations')
  const job = crypto.randomUUID()
  const made = await psp.announce(paymentRequestOf(job, { capture: 'manual', paymentMethod }), patience)
  expect(made).toMatchObject({ is: 'announced', reference: job })
  fake.bring(job, 'paid')
  const payment = { job, reference: job, payment: null }
  return {
    fake,
    at,
    job,
    asked,
    ask: () => psp.ask(job, 'EUR'),
    capture: (wanted: Instruction) => capture(payment, wanted),
    release: (wanted = wish(1250)) => release(payment, wanted),
    refund: (wanted: Instruction) => psp.refund(payment, wanted),
    /** Loses MultiSafepay's answers to requests of a method, before or after it did them. */
    loses(when: 'before' | 'after', method: string) {
      at.fault = async (request) => {
        if (request.method !== method) return fake.handle(request)
        if (when === 'after') await fake.handle(request)
        return new Response('', { status: 502 })
      }
    },
    captured: () => fake.related(job).filter(({ type }) => type === 'capture'),
  }
}

const DONE = { is: 'taken', state: 'done' }
const REFUSED = {
  is: 'refused',
  message: expect.stringMatching(/^MultiSafepay refused the \w+: .*\d/) as string,
}
const held = (paid: number) => ({
  status: 'PENDING',
  stage: { is: 'authorized', patience: 30 * DAY },
  authorized: 1250,
  paid,
  released: 0,
})

describe('the request for a payment', () => {
  it('that is only reserved tells MultiSafepay to wait with the capture', async () => {
    expect(await announced({ capture: 'manual', paymentMethod: 'visa' })).toHaveProperty('capture', 'manual')
  })

  it('that is captured by itself does not mention captures', async () => {
    expect(await announced({ capture: 'automatic', paymentMethod: 'visa' })).not.toHaveProperty('capture')
  })

  it.each(Array.from(multisafepay.methods.keys()))(
    'that is only reserved is accepted by %s if that method can be reserved',
    async (paymentMethod) => {
      const fake = multisafepayFake()
      const psp = multisafepay.open({ fetch: fake.handle, mode: 'live', credentials: fake.accounts[0] })
      const request = paymentRequestOf(crypto.randomUUID(), { capture: 'manual', paymentMethod })
      const { is } = await psp.announce(request, patience)
      expect(is === 'announced').toBe(multisafepay.reserves.days.has(paymentMethod))
    },
  )
})

describe('reserved money', () => {
  it.each([
    ['visa', 7],
    ['mastercard', 30],
    ['maestro', 30],
  ])('of %s is held from and until the times that MultiSafepay shows: %d days', async (method, days) => {
    const { ask } = await reserved(method)
    const seen = await ask()
    expect(seen).toMatchObject({ ...held(0), authorizedAt: NOW, captureBefore: NOW + days * DAY })
    expect(seen).not.toHaveProperty('refunded')
    expect(multisafepay.reserves.days.get(method)).toBe(days)
  })

  it('is paid once everything is captured at once, which makes no separate order', async () => {
    const { ask, capture, asked } = await reserved()
    const whole = wish(1250, { isFinal: true })
    expect(await capture(whole)).toMatchObject(DONE)
    expect(asked.filter((one) => one.startsWith('PATCH'))).toEqual([])
    expect(await ask()).toMatchObject({ ...kept(1250), refunded: 0, chargedBack: 0 })
  })

  it('is not captured beyond what is held', async () => {
    const { ask, capture } = await reserved()
    await capture(wish(500))
    expect(await capture(wish(751))).toMatchObject({
      ...REFUSED,
      message: expect.stringContaining('1001') as string,
    })
    expect(await ask()).toMatchObject(held(500))
  })

  it('that was released cannot be captured or released again', async () => {
    const { ask, capture, release } = await reserved()
    expect(await release()).toMatchObject({ is: 'taken', state: 'pending' })
    const made = [{ amount: 1250, state: 'done' }]
    expect(await ask()).toMatchObject({ ...LET_GO, transfers: { capture: [], release: made } })
    expect(await capture(wish(500))).toMatchObject(REFUSED)
    expect(await release()).toMatchObject(DONE)
  })

  it('that is fully captured has nothing to release', async () => {
    const { ask, capture, release } = await reserved()
    await capture(wish(1250))
    expect(await release()).toMatchObject(REFUSED)
    expect(await ask()).toMatchObject(kept(1250))
  })

  it.each([
    [0, LET_GO],
    [500, kept(500)],
  ])('of which %d was captured ends when its time is over', async (amount, standing) => {
    const { ask, capture } = await reserved()
    if (amount > 0) await capture(wish(amount))
    vi.setSystemTime(NOW + 7 * DAY)
    expect(await ask()).toMatchObject(standing)
    expect(await capture(wish(100))).toMatchObject(REFUSED)
  })

  it.each([
    [500, held(500)],
    [1250, kept(1250)],
  ])('of which the shop captured %d by hand counts as that', async (amount, standing) => {
    const { ask, fake, job } = await reserved()
    fake.captureByHand(job, amount)
    expect(await ask()).toMatchObject(standing)
  })

  it('is captured like any other if its account reserves although the order does not ask for that', async () => {
    const { psp, fake } = atFake()
    const { job } = paymentRequest
    await psp.announce(paymentRequestOf(job, { paymentMethod: 'creditcard' }), patience)
    fake.set(job, 'completed', 'initialized')
    expect(await psp.ask(job, 'EUR')).toMatchObject(held(0))
    const payment = { job, reference: job, payment: null }
    expect(await psp.capture(payment, wish(1250, { isFinal: true }))).toMatchObject(DONE)
    expect(await psp.ask(job, 'EUR')).toMatchObject(kept(1250))
  })
})

function atFake() {
  const fake = multisafepayFake()
  return { fake, psp: multisafepay.open({ fetch: fake.handle, mode: 'live', credentials: fake.accounts[0] }) }
}

describe('a capture whose answer was lost', () => {
  it.each([
    ['before', 500],
    ['before', 1250],
    ['after', 500],
    ['after', 1250],
  ] as const)('%s MultiSafepay made it is made once: %d', async (when, amount) => {
    const { ask, at, capture, loses } = await reserved()
    const wanted = wish(amount)
    loses(when, 'POST')
    expect(await capture(wanted)).toMatchObject(UNANSWERED)
    at.fault = null
    const again = { ...wanted, isRepeated: true }
    for (let times = 0; times < 2; times++) expect(await capture(again)).toMatchObject(DONE)
    expect(await ask()).toMatchObject(amount === 1250 ? kept(1250) : held(500))
  })

  it('is not mistaken for one that was just made by hand', async () => {
    const { capture } = await reserved()
    expect(await capture(wish(1250))).toMatchObject(DONE)
    expect(await capture({ ...wish(1250), id: 'c0000000-0000-4000-8000-000000000002' })).toMatchObject({
      is: 'refused',
    })
  })

  it('is made once even if MultiSafepay does not list it yet', async () => {
    const { at, capture, captured, fake } = await reserved()
    const wanted = wish(500)
    await capture(wanted)
    at.fault = unlisting(fake.handle)
    expect(await capture(wanted)).toMatchObject(DONE)
    expect(captured()).toHaveLength(1)
  })

  it.each(['before', 'after'] as const)(
    '%s the rest was released continues with the release',
    async (when) => {
      const { ask, at, capture, captured, loses } = await reserved()
      const wanted = wish(500, { isFinal: true })
      loses(when, 'PATCH')
      expect(await capture(wanted)).toMatchObject(DONE)
      expect(await ask()).toMatchObject(when === 'after' ? kept(500) : held(500))
      at.fault = null
      expect(await capture(wanted)).toMatchObject(DONE)
      expect(await ask()).toMatchObject(kept(500))
      expect(captured()).toHaveLength(1)
    },
  )

  it('is not made again while MultiSafepay does not show the order', async () => {
    const { psp, asked } = atMultiSafepay(json(503, {}))
    expect(await psp.capture(PAYMENT, wish(500))).toMatchObject(UNANSWERED)
    expect(asked()).toEqual([GET])
  })
})

/** Makes MultiSafepay show orders without their related transactions. */
function unlisting(handle: Fetch): Fetch {
  return async (request) => {
    const answer = await handle(request)
    if (request.method !== 'GET') return answer
    const body = (await answer.json()) as { data: object }
    return Response.json(
      { ...body, data: { ...body.data, related_transactions: null } },
      { status: answer.status },
    )
  }
}

describe('a release whose answer was lost', () => {
  it.each(['before', 'after'] as const)('%s MultiSafepay did it may be repeated', async (when) => {
    const { ask, at, release, loses } = await reserved()
    loses(when, 'PATCH')
    expect(await release()).toMatchObject(UNANSWERED)
    at.fault = null
    expect(await release()).toMatchObject({ is: 'taken' })
    expect(await ask()).toMatchObject(LET_GO)
  })
})

describe('a capture that is declined after all', () => {
  it('has failed, and its money is held again', async () => {
    const { ask, capture, fake, job } = await reserved()
    const wanted = wish(500)
    await capture(wanted)
    const listed = { own: wanted.id.slice(0, 13), amount: 500 }
    expect(await ask()).toMatchObject({ transfers: { capture: [{ ...listed, state: 'done' }] } })
    fake.declineCapture(job, partIdOf(job, wanted.id))
    const why = 'MultiSafepay says that the capture is declined.'
    expect(await capture(wanted)).toEqual({ is: 'failed', message: why })
    const transfers = { capture: [{ ...listed, state: 'failed', why }] }
    expect(await ask()).toMatchObject({ ...held(0), transfers })
  })
})

describe('a refund of money that was captured in parts', () => {
  async function inParts() {
    const at = await reserved()
    const parts = [wish(300), wish(700)]
    for (const part of parts) await at.capture(part)
    const [small = '', large = ''] = parts.map(({ id }) => partIdOf(at.job, id))
    return { ...at, small, large }
  }

  it('is made from the smallest part that has enough left, and is listed', async () => {
    const { ask, asked, fake, job, refund, small, large } = await inParts()
    const [first, second] = [wish(200), wish(250)]
    for (const one of [first, second]) {
      expect(await refund(one)).toMatchObject({ is: 'taken', state: 'pending' })
    }
    const places = asked.filter((one) => one.endsWith('/refunds'))
    expect(places).toEqual([`POST orders/${small}/refunds`, `POST orders/${large}/refunds`])
    expect(await ask()).toMatchObject({ ...held(1000), refunded: 0 })
    fake.endRefund(job, first.id, 'completed')
    fake.endRefund(job, second.id, 'completed')
    const refunds = [first, second].map(({ id: own, amount }) => ({ own, amount, state: 'done' }))
    expect(await ask()).toMatchObject({ ...held(1000), refunded: 450, transfers: { refund: refunds } })
  })

  it('that no part has left is refused, with the most that one has', async () => {
    const { refund, asked } = await inParts()
    await refund(wish(100))
    await refund(wish(150))
    const refused = { is: 'refused', message: expect.stringMatching(/EUR 7\.00/) as string }
    expect(await refund(wish(701))).toMatchObject(refused)
    expect(await refund(wish(700))).toMatchObject({ is: 'taken' })
    expect(await refund(wish(51))).toMatchObject({
      is: 'refused',
      message: expect.stringMatching(/EUR 0\.50/) as string,
    })
    expect(asked.filter((one) => one.endsWith('/refunds'))).toHaveLength(3)
  })

  it('also counts after the rest was released, and so does a chargeback with it', async () => {
    const { ask, fake, job, refund, release, large } = await inParts()
    await release(wish(250))
    const wanted = wish(100)
    await refund(wanted)
    fake.endRefund(job, wanted.id, 'completed')
    fake.moveBack(large, 'chargeback', 700)
    expect(await ask()).toMatchObject({ ...kept(1000), refunded: 100, chargedBack: 700 })
    expect(await refund(wish(201))).toMatchObject({
      is: 'refused',
      message: expect.stringMatching(/EUR 2\.00/) as string,
    })
  })

  it.each<[string, Answer]>([
    ['does not answer', json(503, {})],
    ['cannot be read', shown({ amount: '300' })],
    ['is unknown, although the hub captured it', UNKNOWN],
  ])('waits, and shows no total and no list, while a part %s', async (_, answer) => {
    const { ask, at, fake, refund, small, asked } = await inParts()
    at.fault = (request) => (request.url.endsWith(small) ? answer(request) : fake.handle(request))
    const seen = await ask()
    expect(seen).toMatchObject({ ...held(1000), transfers: { capture: [{}, {}], release: [] } })
    for (const name of ['refunded', 'chargedBack', 'transfers.refund', 'transfers.dispute'])
      expect(seen).not.toHaveProperty(name)
    expect(await refund(wish(100))).toMatchObject(UNANSWERED)
    expect(asked.filter((one) => one.endsWith('/refunds'))).toEqual([])
  })

  it('waits, and shows no total and no list, while a capture cannot be read', async () => {
    const list = [related('capture', 500), related('capture', '250', { order_id: 'C-2' })]
    const shows = shown(remain(500, { related_transactions: list }))
    const seen = await atMultiSafepay(shows, shown(PART)).psp.ask(PAYMENT.reference, 'EUR')
    expect(seen).toMatchObject({ ...held(750), transfers: { release: [] } })
    for (const name of ['refunded', 'chargedBack', 'transfers.capture', 'transfers.refund'])
      expect(seen).not.toHaveProperty(name)
    const { psp, asked } = atMultiSafepay(shows)
    expect(await psp.refund(PAYMENT, wish(100))).toMatchObject(UNANSWERED)
    expect(asked()).toEqual([GET])
  })

  it('is of the order itself if a capture of all has an id that MultiSafepay does not know', async () => {
    const whole = related('capture', 1250, { order_id: partIdOf(paymentRequest.job, wish(1250).id) })
    const shows = shown(remain(0, { financial_status: 'completed', related_transactions: [whole] }))
    const { psp } = atMultiSafepay(shows, UNKNOWN)
    expect(await psp.ask(PAYMENT.reference, 'EUR')).toMatchObject({ refunded: 0, transfers: { refund: [] } })
  })

  it('lists a chargeback once if the order shows it too', async () => {
    const list = [related('chargeback', 200)]
    const { psp } = atMultiSafepay(
      shown(
        remain(750, { related_transactions: [related('capture', 500, { transaction_id: 76 }), ...list] }),
      ),
      shown({ ...PART, related_transactions: list }),
    )
    const dispute = [{ id: '77', amount: 200, state: 'done' }]
    expect(await psp.ask(PAYMENT.reference, 'EUR')).toMatchObject({
      chargedBack: 200,
      transfers: { dispute },
    })
  })

  it('is not listed if a part shows more refunds than it lists', async () => {
    const list = [related('capture', 500)]
    const { psp } = atMultiSafepay(shown(remain(750, { related_transactions: list })), shown(PART))
    const seen = await psp.ask(PAYMENT.reference, 'EUR')
    expect(seen).toMatchObject({ refunded: 100 })
    expect(seen).not.toHaveProperty('transfers.refund')
  })

  it('is made from the order itself if that was captured at once', async () => {
    const { asked, capture, job, refund } = await reserved()
    expect(await refund(wish(100))).toMatchObject(REFUSED)
    await capture(wish(1250))
    expect(await refund(wish(100))).toMatchObject({ is: 'taken' })
    expect(asked.at(-1)).toBe(`POST orders/${job}/refunds`)
  })
})

const PAYMENT = { job: paymentRequest.job, reference: paymentRequest.job, payment: null }
const MANUAL = {
  type: 'VISA',
  capture: 'manual',
  capture_expiry: '2026-11-28T11:15:00',
  capture_remain: 1250,
}
const RESERVED = { status: 'completed', financial_status: 'initialized', payment_details: MANUAL }

function remain(capture_remain: unknown, changes: object = {}) {
  return { ...RESERVED, payment_details: { ...MANUAL, capture_remain }, ...changes }
}
function related(type: string, amount: unknown, changes: object = {}) {
  return {
    type,
    amount,
    currency: 'EUR',
    status: 'completed',
    transaction_id: 77,
    order_id: 'C-1',
    ...changes,
  }
}

/** A captured part, of which something was refunded. */
const PART = { order_id: 'C-1', amount: 500, status: 'completed', amount_refunded: 100 }

describe('an order that MultiSafepay shows', () => {
  const seen = (changes: object) => atMultiSafepay(shown(changes), UNKNOWN).psp.ask(paymentRequest.job, 'EUR')
  const captures = [related('capture', 500)]
  const cancelled = related('auth-cancellation', 750, { status: 'void', order_id: null })
  const VOID = { status: 'void', financial_status: 'void' }

  it.each<[string, object, object]>([
    ['reserved, as its guide shows', { ...RESERVED, payment_details: null }, held(0)],
    ['reserved and shipped', { ...RESERVED, status: 'shipped' }, held(0)],
    ['captured in part by its total', remain(750), held(500)],
    ['captured in part by its list', remain(undefined, { related_transactions: captures }), held(500)],
    [
      'captured in part by its list, before its total',
      remain(1250, { related_transactions: captures }),
      held(500),
    ],
    ['captured in part, and completed', remain(750, { financial_status: 'completed' }), held(500)],
    [
      'captured in part, with totals that cannot be read',
      remain('750', { related_transactions: captures }),
      held(500),
    ],
    [
      'captured in part, and charged back',
      remain(750, { related_transactions: [...captures, related('chargeback', 500)] }),
      held(500),
    ],
    [
      'captured in parts, each of them',
      remain(0, { related_transactions: [related('capture', 1250)] }),
      kept(1250),
    ],
    ['captured in parts, by its total', remain(0), kept(1250)],
    ['captured at once', remain(0, { financial_status: 'completed' }), kept(1250)],
    [
      'captured at once, without totals',
      { financial_status: 'completed', status: 'completed', payment_details: { capture: 'manual' } },
      kept(1250),
    ],
    [
      'captured at once, then refunded',
      remain(0, { status: 'refunded', financial_status: 'completed' }),
      { ...kept(1250), refunded: 1250 },
    ],
    [
      'captured at once, then charged back',
      remain(0, { ...VOID, related_transactions: [related('chargeback', 1250)] }),
      { ...kept(1250), chargedBack: 1250 },
    ],
    ['released', remain(0, VOID), LET_GO],
    ['released, with its total unchanged', remain(1250, VOID), LET_GO],
    ['released in part', remain(0, { ...VOID, related_transactions: captures }), kept(500)],
    ['released in part, by its total', remain(750, { ...VOID, related_transactions: undefined }), kept(500)],
    [
      'released in part, and still completed',
      remain(0, { related_transactions: [...captures, cancelled] }),
      kept(500),
    ],
    [
      'released in part, completed with its transaction',
      remain(0, { financial_status: 'completed', related_transactions: [...captures, cancelled] }),
      kept(500),
    ],
    ['released, and still completed', remain(0, { related_transactions: [cancelled] }), LET_GO],
    [
      'not released yet',
      remain(1250, { related_transactions: [{ ...cancelled, status: 'initialized' }] }),
      held(0),
    ],
    [
      'captured in part and released, and charged back',
      { ...VOID, related_transactions: [...captures, related('chargeback', 500)] },
      { ...kept(500), chargedBack: 500 },
    ],
    [
      'captured in part, and then the rest',
      { status: 'completed', financial_status: 'completed', related_transactions: captures },
      kept(1250),
    ],
    [
      'expired after a part was captured',
      remain(0, { status: 'expired', financial_status: 'expired', related_transactions: captures }),
      kept(500),
    ],
    [
      'reserved next to a gift card',
      remain(750, {
        payment_methods: [{ type: 'VVVGIFTCRD', status: 'completed', amount: 500, currency: 'EUR' }],
      }),
      held(500),
    ],
    [
      'captured beyond its amount',
      remain(0, { related_transactions: [related('capture', 2000)] }),
      kept(1250),
    ],
    [
      'reserved with a capture of another currency',
      remain(1250, { related_transactions: [related('capture', 500, { currency: 'USD' })] }),
      held(0),
    ],
    [
      'reserved with captures that cannot be read',
      remain(1250, { related_transactions: [related('capture', '500'), null, 'x', { type: 'capture' }] }),
      held(0),
    ],
    [
      'captured in parts that were refunded',
      remain(750, { related_transactions: [related('capture', 500, { status: 'refunded' })] }),
      held(500),
    ],
  ])('as %s is read as that', async (_, changes, standing) => {
    expect(await seen(changes)).toMatchObject({ is: 'observed', ...standing })
  })

  it.each<[string, object]>([
    [
      'captures by itself',
      {
        status: 'completed',
        financial_status: 'completed',
        payment_details: { type: 'VISA', capture: 'automatic', capture_remain: 0 },
      },
    ],
    ['captures by itself, without saying so', { status: 'completed', financial_status: 'completed' }],
    [
      'captures by itself, but has only reserved the money so far',
      { ...RESERVED, payment_details: { type: 'VISA', capture: 'automatic' } },
    ],
    ['is for nothing', { ...RESERVED, amount: 0 }],
    ['has not been paid', { payment_details: { ...MANUAL, capture_remain: 0 } }],
    ['was declined', { status: 'declined', financial_status: 'declined', payment_details: MANUAL }],
    ['waits for a review', { status: 'uncleared', financial_status: 'uncleared', payment_details: MANUAL }],
    ['was called off', { status: 'void', financial_status: 'cancelled', payment_details: MANUAL }],
    ['expired on its page', { status: 'expired', financial_status: 'expired', payment_details: MANUAL }],
    [
      'waits for the shop to ship',
      { status: 'completed', financial_status: 'uncleared', payment_details: { type: 'KLARNA' } },
    ],
    [
      'was shipped in part',
      {
        status: 'completed',
        financial_status: 'uncleared',
        payment_details: { type: 'KLARNA' },
        related_transactions: captures,
      },
    ],
    ['American Express pays', { ...RESERVED, payment_details: { type: 'AMEX' } }],
  ])('that %s has no ledger', async (_, changes) => {
    const answer = await seen(changes)
    expect(answer.is).toBe('observed')
    for (const name of ['authorized', 'released', 'authorizedAt', 'captureBefore'])
      expect(answer).not.toHaveProperty(name)
  })

  it.each([
    ['2026-11-28T11:15:00', Date.UTC(2026, 10, 28, 10, 15)],
    ['2026-07-28 11:15:00', Date.UTC(2026, 6, 28, 9, 15)],
    ['2026-11-28T11:15:00Z', Date.UTC(2026, 10, 28, 11, 15)],
    ['2026-11-28T11:15:00+05:00', Date.UTC(2026, 10, 28, 6, 15)],
  ])('with the time %s holds money until then', async (capture_expiry, captureBefore) => {
    const times = { completed: '2026-11-21T11:15:00', payment_details: { ...MANUAL, capture_expiry } }
    expect(await seen({ ...RESERVED, ...times })).toMatchObject({ authorizedAt: NOW, captureBefore })
  })

  it.each([null, '', 'soon', '2026-02-31T10:00:00', 7, '2026-11-28'])(
    'with the time %j still holds money',
    async (capture_expiry) => {
      const answer = await seen({
        ...RESERVED,
        payment_details: { ...MANUAL, capture_expiry },
        completed: capture_expiry,
      })
      expect(answer).toMatchObject(held(0))
      expect(answer).not.toHaveProperty('captureBefore')
      expect(answer).not.toHaveProperty('authorizedAt')
    },
  )

  it('counts what went back of captures without orders, and of the order itself, as the order shows it', async () => {
    const list = [related('capture', 500), related('refund', 100), related('chargeback', 200)]
    const { psp, asked } = atMultiSafepay(shown(remain(750, { related_transactions: list })), UNKNOWN)
    expect(await psp.ask(paymentRequest.job, 'EUR')).toMatchObject({ refunded: 100, chargedBack: 200 })
    expect(asked()).toEqual([GET, 'GET /v1/json/orders/C-1'])
  })

  const listing = (one: object) => shown(remain(750, { amount_refunded: 100, related_transactions: [one] }))
  it('counts a refund of a part once if the order lists it too', async () => {
    const { psp } = atMultiSafepay(listing(related('capture', 500)), shown(PART))
    expect(await psp.ask(paymentRequest.job, 'EUR')).toMatchObject({ ...held(500), refunded: 100 })
  })

  it.each([null, paymentRequest.job])(
    'with a capture under the id %s has no part to ask about',
    async (order_id) => {
      const { psp, asked } = atMultiSafepay(listing(related('capture', 500, { order_id })))
      expect(await psp.ask(paymentRequest.job, 'EUR')).toMatchObject({ ...held(500), refunded: 100 })
      expect(asked()).toEqual([GET])
    },
  )

  it('shows no total if MultiSafepay refuses the key for a part', async () => {
    const { psp } = atMultiSafepay(listing(related('capture', 500)), failure(401, 1032, 'Invalid API key'))
    const answer = await psp.ask(paymentRequest.job, 'EUR')
    expect(answer).toMatchObject(held(500))
    expect(answer).not.toHaveProperty('refunded')
  })

  it.each([
    [100, 101],
    [101, 1],
  ])('in %d parts takes %d requests', async (count, requests) => {
    const many = Array.from({ length: count }, (_, part) => related('capture', 1, { order_id: `C-${part}` }))
    const { psp, asked } = atMultiSafepay(shown(remain(1250 - count, { related_transactions: many })))
    expect(await psp.ask(paymentRequest.job, 'EUR')).toMatchObject(held(count))
    expect(asked()).toHaveLength(requests)
  })

  it('sums what went back of the parts and of the order itself', async () => {
    const own = remain(0, {
      financial_status: 'completed',
      related_transactions: captures,
      amount_refunded: 150,
    })
    const part = {
      order_id: 'C-1',
      amount: 500,
      status: 'completed',
      financial_status: 'completed',
      amount_refunded: 100,
    }
    expect(await atMultiSafepay(shown(own), shown(part)).psp.ask(paymentRequest.job, 'EUR')).toMatchObject({
      ...kept(1250),
      refunded: 250,
    })
  })
})

describe('a release', () => {
  const taken = json(200, { success: true, data: { transaction_id: 88, order_id: 'A', success: true } })
  const still = (status?: string) =>
    shown(
      remain(
        1250,
        status
          ? { related_transactions: [related('auth-cancellation', 1250, { status, transaction_id: 88 })] }
          : {},
      ),
    )
  const released = (...answers: Parameters<typeof atMultiSafepay>) => {
    const { psp, asked, requests } = atMultiSafepay(...answers)
    return { answer: psp.release(PAYMENT, wish(1250)), asked, requests, psp }
  }

  it('is one PATCH with the reason', async () => {
    const { answer, asked, requests } = released(
      taken,
      shown(remain(0, { status: 'void', financial_status: 'void' })),
    )
    expect(await answer).toEqual({ is: 'taken', reference: '88', state: 'pending' })
    expect(asked()).toEqual([`PATCH /v1/json/capture/${paymentRequest.job}`])
    expect(await requests[0]?.json()).toEqual({ status: 'cancelled', reason: 'A-7' })
  })

  it.each([
    [undefined, []],
    ['initialized', ['pending']],
    ['reserved', ['pending']],
    ['void', ['done']],
    ['declined', ['failed']],
  ])('that is %s is listed as %j', async (status, states) => {
    const answer = await atMultiSafepay(still(status)).psp.ask(PAYMENT.reference, 'EUR')
    const release = states.map((state) => ({ id: '88', amount: 1250, state }))
    expect(answer).toMatchObject({ transfers: { release } })
  })

  it.each([
    json(200, { success: true, data: { order_id: 'A', success: false } }),
    failure(410, 1000, 'Not possible'),
  ])('that MultiSafepay refuses is refused while the money is held', async (refusal) => {
    expect(await released(refusal, still()).answer).toMatchObject({ is: 'refused' })
  })

  it('that MultiSafepay refuses is in doubt while the order does not answer', async () => {
    const refusal = failure(410, 1000, 'Not possible')
    for (const doubt of [json(503, {}), shown({ amount: '1250' })])
      expect(await released(refusal, doubt).answer).toMatchObject(UNANSWERED)
    expect(await released(refusal, UNKNOWN).answer).toMatchObject({ is: 'refused' })
  })

  it('with a refused key concerns the account', async () => {
    const { answer, asked } = released(failure(401, 1032, 'Invalid API key'))
    expect(await answer).toMatchObject({ is: 'unavailable', accountRefused: true })
    expect(asked()).toHaveLength(1)
  })
})

describe('a capture', () => {
  it('is one POST with a separate order, whose id names the job and the capture', async () => {
    const wanted = wish(500, { description: 'é'.repeat(201) })
    const part = partIdOf(paymentRequest.job, wanted.id)
    expect(part).toBe(`${paymentRequest.job}_${wanted.id.slice(0, 13)}`)
    // "Max length: 50 characters", for an id that the hub makes.
    expect(partIdOf(crypto.randomUUID(), wanted.id)).toHaveLength(50)
    const taken = json(200, { success: true, data: { transaction_id: 88, order_id: part } })
    const { psp, asked, requests } = atMultiSafepay(shown(RESERVED), taken)
    expect(await psp.capture(PAYMENT, wanted)).toEqual({
      is: 'taken',
      reference: '88',
      state: 'done',
    })
    expect(asked()).toEqual([GET, `POST /v1/json/orders/${paymentRequest.job}/capture`])
    expect(await requests[1]?.json()).toEqual({
      amount: 500,
      new_order_id: part,
      new_order_status: 'completed',
      reason: 'é'.repeat(200),
    })
  })

  it('with a refused key concerns the account', async () => {
    const { psp, asked } = atMultiSafepay(failure(401, 1032, 'Invalid API key'))
    const answer = await psp.capture(PAYMENT, wish(500))
    expect(answer).toMatchObject({ is: 'unavailable', accountRefused: true })
    expect(asked()).toEqual([GET])
  })

  it('that MultiSafepay refuses is in doubt while its own order does not answer', async () => {
    const capture = async (...answers: Answers) =>
      atMultiSafepay(shown(RESERVED), failure(400, 1006, 'Invalid transaction ID'), ...answers).psp.capture(
        PAYMENT,
        wish(500),
      )
    for (const doubt of [json(503, {}), shown({ amount: '500' })])
      expect(await capture(doubt)).toMatchObject(UNANSWERED)
    expect(await capture(UNKNOWN)).toMatchObject({
      ...REFUSED,
      message: expect.stringMatching('1006') as string,
    })
  })

  it('counts as made if MultiSafepay does not release the rest', async () => {
    const { ask, at, capture, fake } = await reserved()
    at.fault = (request) =>
      request.method === 'PATCH' ? failure(410, 1000, 'Not possible')(request) : fake.handle(request)
    expect(await capture(wish(500, { isFinal: true }))).toMatchObject(DONE)
    expect(await ask()).toMatchObject(held(500))
  })
})

describe('a notification', () => {
  it.each<[string, (at: Awaited<ReturnType<typeof reserved>>) => Promise<unknown>, 'SUCCESS' | null]>([
    ['reserved money', async () => {}, null],
    ['a captured part', ({ capture }) => capture(wish(500)), null],
    ['a captured last part', ({ capture }) => capture(wish(500, { isFinal: true })), 'SUCCESS'],
    ['a capture of all', ({ capture }) => capture(wish(1250)), 'SUCCESS'],
    ['a release', ({ release }) => release(), null],
    ['an end', async () => void vi.setSystemTime(NOW + 7 * DAY + HOUR), null],
  ])('about %s makes the hub ask', async (_, happens, claimedStatus) => {
    const at = await reserved()
    await happens(at)
    expect(await readFrom(at, at.job)).toEqual({
      is: 'about',
      payments: [{ job: at.job, reference: at.job, claimedStatus }],
    })
  })

  it('about a captured part, which is an order of its own, makes the hub ask about the job', async () => {
    const at = await reserved()
    const wanted = wish(500)
    await at.capture(wanted)
    expect(await readFrom(at, partIdOf(at.job, wanted.id))).toEqual({
      is: 'about',
      payments: [{ job: at.job, reference: at.job, claimedStatus: null }],
    })
  })

  async function readFrom({ fake, job }: Awaited<ReturnType<typeof reserved>>, order: string) {
    const [sent] = await fake.notify(order, Date.now())
    if (!sent) throw new Error('MultiSafepay sent nothing')
    const psp = multisafepay.open({ fetch: fake.handle, mode: 'live', credentials: fake.accounts[0] })
    const { body } = sent
    return psp.readNotification({ job, headers: new Headers(sent.headers), body, at: Date.now() })
  }
})
