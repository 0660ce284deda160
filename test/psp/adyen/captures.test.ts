import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY } from '../../../src/contract/timestamp.ts'
import { adyen } from '../../../src/psp/adyen/adapter.ts'
import { METHODS, PATIENCE, RESERVES } from '../../../src/psp/adyen/tables.ts'
import type { MoneyMove } from '../../../src/psp/answer.ts'
import type { MadePayment } from '../../../src/psp/port.ts'
import { SHOP, adyenFake } from '../../support/psps/adyen.ts'
import { pspReferenceOf } from '../../support/psps/adyen-webhook.ts'
import { CREDENTIALS, LINK, adyenError, atAdyen } from './samples.ts'
import { type Answers, UNANSWERED, closedConnection, json, patience, paymentRequest } from '../scripted.ts'

const { job } = paymentRequest
const PAYMENT = { job, reference: LINK, payment: '993617894903480A' }
const WANTED = {
  id: '5a1f0c66-3f0e-4f3a-8a53-9d7a1c2b3e4f',
  amount: 500,
  currency: 'EUR',
  description: 'Order A-7',
  round: 1,
}

/** The examples of https://github.com/Adyen/adyen-openapi, json/CheckoutService-v71.json. */
const RECEIVED = {
  merchantAccount: CREDENTIALS.merchantAccount,
  paymentPspReference: PAYMENT.payment,
  reference: `${job}.${WANTED.id}`,
  pspReference: '993617894906488A',
  status: 'received',
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21, 9) })
})
afterEach(() => {
  vi.useRealTimers()
})

describe.each([
  ['capture', 'captures', { ...RECEIVED, amount: { currency: 'EUR', value: 500 } }],
  ['release', 'cancels', RECEIVED],
] as const)('a %s', (kind, path, received) => {
  const ask = async (changes: object, ...answers: Answers) => {
    const { psp, requests } = atAdyen(...answers)
    return { answer: await psp[kind](PAYMENT, { ...WANTED, ...changes }), requests }
  }

  it('is one POST with its own id, which Adyen only accepts', async () => {
    const { answer, requests } = await ask({}, json(201, received))
    expect(answer).toEqual({ is: 'taken', reference: RECEIVED.pspReference, state: 'pending' })
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST https://checkout-test.adyen.com/v71/payments/${PAYMENT.payment}/${path}`,
    ])
    expect(requests[0]?.headers.get('idempotency-key')).toBe(WANTED.id)
    const body = await requests[0]?.json<{ reference: string }>()
    const money = {
      amount: { currency: 'EUR', value: 500 },
      lineItems: [{ id: '1', description: 'Order A-7', quantity: 1, amountIncludingTax: 500 }],
    }
    expect(body).toEqual({
      merchantAccount: CREDENTIALS.merchantAccount,
      reference: `${job}.${WANTED.id}`,
      ...(kind === 'capture' ? money : {}),
    })
    expect(body?.reference.length).toBeLessThanOrEqual(80)
  })

  it('has another key, of at most 64 characters, after Adyen had done nothing', async () => {
    const { requests } = await ask({ round: 5 }, json(201, received))
    const key = requests[0]?.headers.get('idempotency-key') ?? ''
    expect(key).not.toBe(WANTED.id)
    expect(key.length).toBeLessThanOrEqual(64)
  })

  it('waits without a request to Adyen while the payment is unknown', async () => {
    const { psp, requests } = atAdyen(json(201, received))
    expect(await psp[kind]({ ...PAYMENT, payment: null }, WANTED)).toMatchObject({
      is: 'not-yet',
      message: expect.stringContaining('notification'),
    })
    expect(requests).toEqual([])
  })

  it("that Adyen refuses is refused in Adyen's words", async () => {
    const refused = adyenError(422, '167', 'Original pspReference required for this operation')
    expect((await ask({}, refused)).answer).toMatchObject({
      is: 'refused',
      message: expect.stringContaining('Original pspReference required for this operation (167)'),
    })
  })

  it.each([
    ['no answer', closedConnection],
    ['no reference', json(201, { ...received, pspReference: '' })],
    ['a state that Adyen does not have', json(201, { ...received, status: 'captured' })],
    ['another shape', json(201, 'received')],
  ])('may have been accepted after %s', async (_, answer) => {
    expect((await ask({}, answer)).answer).toMatchObject(UNANSWERED)
  })

  it('may be repeated for longer than the first hours, but not when Adyen has forgotten its key', () => {
    const life = atAdyen(json(404, {})).psp.keyLife?.[kind]
    expect(life).toBeGreaterThanOrEqual(7 * 3_600_000)
    expect(life).toBeLessThan(7 * DAY)
  })
})

it("a capture has its amount in Adyen's units, and is refused if Adyen cannot take the amount", async () => {
  const { psp, requests } = atAdyen(json(201, RECEIVED))
  await psp.capture(PAYMENT, { ...WANTED, currency: 'ISK', amount: 500 })
  expect(await requests[0]?.json()).toMatchObject({ amount: { currency: 'ISK', value: 50_000 } })
  const cents = { ...WANTED, currency: 'IDR', amount: 550 }
  expect(await psp.capture(PAYMENT, cents)).toMatchObject({ is: 'refused' })
  expect(requests).toHaveLength(1)
})

/** A reservation of EUR 12.50 at a simulator of Adyen, and the adapter in front of it. */
async function reserved(captures: 'once' | 'several' = 'once') {
  const fake = adyenFake(captures)
  let isLost = false
  const psp = adyen.open({
    mode: 'live',
    credentials: SHOP,
    fetch: async (request) => {
      const answer = await fake.handle(request)
      return isLost ? new Response('', { status: 502 }) : answer
    },
  })
  const announced = await psp.announce(
    { ...paymentRequest, paymentMethod: 'card', capture: 'manual' },
    patience,
  )
  if (announced.is !== 'announced') throw new Error(JSON.stringify(announced))
  fake.bring(job, 'paid')
  const [link] = fake.links()
  if (!link) throw new Error('no link')
  const payment: MadePayment = { job, reference: announced.reference, payment: pspReferenceOf(link) }
  let ids = 0
  const instruct = async (kind: 'capture' | 'release' | 'refund', amount = 1250, changes: object = {}) => {
    const id = `${kind}-${++ids}`
    const answer = await psp[kind](payment, { ...WANTED, id, amount, ...changes })
    expect(answer).toMatchObject({ is: isLost ? 'unavailable' : 'taken' })
    return id
  }
  /** The moves in the notifications, each once, without the authorisation. */
  const moves = async () => {
    const sent = await fake.notify(job, Date.now())
    const readings = await Promise.all(
      sent.map(({ headers, body }) =>
        psp.readNotification({ job: null, headers: new Headers(headers), body, at: Date.now() }),
      ),
    )
    const told = readings.flatMap((reading) =>
      reading.is === 'about' ? reading.payments.flatMap(({ told: one }) => one?.moves ?? []) : [],
    )
    return [...new Map(told.map((move) => [move.id, move])).values()].filter(({ kind }) => kind !== 'part')
  }
  return {
    fake,
    ask: () => psp.ask(announced.reference, 'EUR'),
    instruct,
    moves,
    /** In short: what moved, and by which instruction. */
    told: async () =>
      (await moves()).map((move) => [nameOf(move), move.amount, move.instruction ?? null] as const),
    payment,
    lose(next: boolean) {
      isLost = next
    },
  }
}

function nameOf({ kind, cancelled }: MoneyMove): string {
  return cancelled ? 'released' : kind
}

describe('reserved money at Adyen', () => {
  it('is always shown as reserved, because the link never says more', async () => {
    const { ask, instruct } = await reserved()
    const held = { is: 'observed', status: 'PENDING', stage: { is: 'authorized' }, authorized: 1250, paid: 0 }
    expect(await ask()).toMatchObject(held)
    await instruct('capture')
    expect(await ask()).toMatchObject(held)
  })

  it('is captured as a whole', async () => {
    const { instruct, told, moves, payment, fake } = await reserved()
    const id = await instruct('capture')
    expect(await told()).toEqual([['capture', 1250, id]])
    const [move] = await moves()
    expect(move).toMatchObject({ reference: fake.captures()[0]?.pspReference, of: payment.payment })
  })

  it.each([true, false])('is captured in part only once (final: %s): the rest is gone', async (isFinal) => {
    const { instruct, told } = await reserved()
    const first = await instruct('capture', 500, { isFinal })
    const second = await instruct('capture', 750)
    expect(await told()).toEqual([
      ['capture', 500, first],
      ['capture-failed', 0, second],
    ])
  })

  it('is captured in parts if Adyen has enabled that, and the rest is released', async () => {
    const { instruct, told } = await reserved('several')
    const ids = [
      await instruct('capture', 500),
      await instruct('capture', 250),
      await instruct('release', 500),
    ]
    expect(await told()).toEqual([
      ['capture', 500, ids[0]],
      ['capture', 250, ids[1]],
      ['released', 1250, ids[2]],
    ])
  })

  it.each(['more than there is', 'after a release', 'after its end'])(
    'is not captured %s, which Adyen reports later',
    async (when) => {
      const { instruct, told, moves } = await reserved()
      if (when === 'after a release') await instruct('release')
      if (when === 'after its end') vi.setSystemTime(Date.now() + 28 * DAY)
      const id = await instruct('capture', when === 'more than there is' ? 1251 : 500)
      expect(await told()).toContainEqual(['capture-failed', 0, id])
      const failed = (await moves()).find(({ kind }) => kind === 'capture-failed')
      expect(failed?.error).toContain('Insufficient balance on payment')
    },
  )

  it('is released by Adyen after 28 days', async () => {
    const { told, moves, payment } = await reserved()
    vi.setSystemTime(Date.now() + 28 * DAY - 1)
    expect(await told()).toEqual([])
    vi.setSystemTime(Date.now() + 1)
    expect(await told()).toEqual([['released', 1250, null]])
    expect(await moves()).toMatchObject([{ of: payment.payment }])
  })

  it('is released once, but not after it was captured', async () => {
    const { instruct, told } = await reserved()
    const [release, again] = [await instruct('release'), await instruct('release')]
    expect(await told()).toEqual([
      ['released', 1250, release],
      ['release-failed', 0, again],
    ])
    const captured = await reserved()
    const ids = [await captured.instruct('capture'), await captured.instruct('release')]
    expect(await captured.told()).toEqual([
      ['capture', 1250, ids[0]],
      ['release-failed', 0, ids[1]],
    ])
  })

  it.each(['capture', 'release'] as const)('has one %s, however often its answer is lost', async (kind) => {
    const { instruct, lose, told, fake } = await reserved()
    lose(true)
    for (const _ of [1, 2]) await instruct(kind, 500, { id: 'lost' })
    lose(false)
    await instruct(kind, 500, { id: 'lost' })
    expect([...fake.captures(), ...fake.cancels()]).toHaveLength(1)
    expect(await told()).toMatchObject([
      [kind === 'capture' ? 'capture' : 'released', expect.any(Number), 'lost'],
    ])
  })

  it('that was captured, and rejected by the scheme, is missing until Adyen has recaptured it', async () => {
    const { instruct, moves, fake } = await reserved()
    const id = await instruct('capture')
    const { pspReference = '' } = fake.captures()[0] ?? {}
    fake.failCapture(pspReference)
    const about = { reference: pspReference, instruction: id, amount: 1250 }
    expect(await moves()).toMatchObject([
      { ...about, kind: 'capture' },
      { ...about, kind: 'capture-failed', error: 'Adyen says: Capture Failed' },
    ])
    fake.recapture(pspReference)
    const again = await moves()
    expect(again.map(({ kind }) => kind)).toEqual(['capture', 'capture-failed', 'capture'])
    expect(new Set(again.map((move) => move.id)).size).toBe(3)
    expect(again[2]).toMatchObject({ amount: 1250, instruction: id })
    for (const name of ['error', 'reference']) expect(again[2]).not.toHaveProperty(name)
  })

  it('that is captured or cancelled in the Customer Area counts, but belongs to no instruction', async () => {
    const { fake, told } = await reserved('several')
    fake.byHand(job, 'captures', 300)
    fake.byHand(job, 'cancels')
    expect(await told()).toEqual([
      ['capture', 300, null],
      ['released', 1250, null],
    ])
  })

  it('is refunded up to what was captured', async () => {
    const { instruct, fake } = await reserved()
    await instruct('refund', 500)
    await instruct('capture', 800)
    await instruct('refund', 800)
    await instruct('refund', 1)
    const outcomes = fake
      .refunds()
      .map(async ({ pspReference }) => (await fake.tellRefund(pspReference)).body)
    expect((await Promise.all(outcomes)).map((body) => /"success":"(\w+)"/.exec(body)?.[1])).toEqual([
      'false',
      'true',
      'false',
    ])
  })
})

it('can be reserved only by methods that Adyen has, for no longer than the hub waits', () => {
  for (const [name, days] of RESERVES.days) {
    expect(METHODS.has(name), name).toBe(true)
    for (const type of METHODS.get(name) ?? []) expect(PATIENCE.methods.get(type), name).toBe(days)
    expect(days, name).toBeLessThanOrEqual(PATIENCE.authorized)
  }
  // "Separate captures are not supported": https://docs.adyen.com/payment-methods/bancontact
  for (const name of ['bancontact', 'ideal', 'sofort', 'sepadirectdebit'])
    expect(RESERVES.days.has(name), name).toBe(false)
})
