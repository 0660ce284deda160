import { describe, expect, it } from 'vitest'
import type { Observed } from '../../../src/psp/answer.ts'
import { UNANSWERED, json } from '../scripted.ts'
import { announced, atMollie, payment } from './samples.ts'

const ID = 'tr_7UhSN1zuXS'

function eur(value: string) {
  return { currency: 'EUR', value }
}

describe('a payment that is announced', () => {
  it.each(['creditcard', 'card', 'GooglePay', 'vipps', 'mobilepay'])(
    'by %s tells Mollie to hold the money only if the order says so',
    async (paymentMethod) => {
      expect(await announced({ paymentMethod, capture: 'manual' })).toHaveProperty('captureMode', 'manual')
      expect(await announced({ paymentMethod })).not.toHaveProperty('captureMode')
    },
  )

  it('without a method is not held, because the customer may choose one that Mollie cannot hold', async () => {
    expect(await announced({ paymentMethod: 'odd', capture: 'manual' })).not.toHaveProperty('captureMode')
  })
})

describe('the ledger of a payment', () => {
  const of = (changes: object) => atMollie(json(200, payment(changes))).psp.ask(ID, 'EUR')
  const TIMES = { authorizedAt: '2026-11-21T10:00:00+00:00', captureBefore: '2026-11-28T10:00:00+00:00' }
  const AT = { authorizedAt: Date.UTC(2026, 10, 21, 10), captureBefore: Date.UTC(2026, 10, 28, 10) }
  const NOTHING = { refunded: 0, chargedBack: 0 }
  const part = { amountCaptured: eur('5.00') }

  it.each<[string, object, object]>([
    [
      'that is reserved',
      { status: 'authorized', amountCaptured: eur('0.00'), captureMode: 'manual', ...TIMES },
      { status: 'PENDING', paid: 0, authorized: 1250, released: 0, ...AT },
    ],
    [
      'that is reserved, without anything that Mollie may leave out',
      { status: 'authorized' },
      { status: 'PENDING', paid: 0, authorized: 1250, released: 0 },
    ],
    [
      'of which a part is captured and refunded',
      {
        status: 'authorized',
        ...TIMES,
        ...part,
        amountRefunded: eur('2.00'),
        amountChargedBack: eur('1.00'),
      },
      {
        ...{ status: 'PENDING', paid: 500, authorized: 1250, released: 0, ...AT },
        ...{ refunded: 200, chargedBack: 100 },
      },
    ],
    [
      'that is captured, before Mollie says that it is paid',
      { status: 'authorized', amountCaptured: eur('12.50') },
      { status: 'SUCCESS', paid: 1250, authorized: 1250, released: 0, ...NOTHING },
    ],
    [
      'that is captured by hand',
      { status: 'paid', captureMode: 'manual', amountCaptured: eur('12.50') },
      { status: 'SUCCESS', paid: 1250, authorized: 1250, released: 0, ...NOTHING },
    ],
    [
      'of which a part is captured, as Mollie shows it, and the rest gone',
      { status: 'paid', captureMode: 'manual', ...part },
      { status: 'SUCCESS', paid: 500, authorized: 1250, released: 750, ...NOTHING },
    ],
    [
      'of which a part was captured by hand, for an order that captures by itself',
      { status: 'paid', ...part },
      { status: 'SUCCESS', paid: 500, authorized: 1250, released: 750, ...NOTHING },
    ],
    [
      'that was released',
      { status: 'canceled', captureMode: 'manual', amountCaptured: eur('0.00'), ...TIMES },
      { status: 'CANCELLED', closed: true, paid: 0, authorized: 1250, released: 1250, ...AT },
    ],
    [
      'whose time is over',
      { status: 'expired', ...TIMES },
      { status: 'EXPIRED', closed: true, paid: 0, authorized: 1250, released: 1250, ...AT },
    ],
    [
      'whose time is over after a part was captured',
      { status: 'expired', ...part, ...TIMES },
      { status: 'SUCCESS', paid: 500, authorized: 1250, released: 750, ...AT, ...NOTHING },
    ],
  ])('%s', async (_, changes, ledger) => {
    const { is, expiresAt, stage, ...seen } = (await of(changes)) as Observed
    expect([is, seen]).toEqual(['observed', ledger])
    expect(stage?.is).toBe('status' in ledger && ledger.status === 'PENDING' ? 'authorized' : undefined)
    expect(expiresAt).toEqual(expect.any(Number))
  })

  it.each([
    { status: 'paid' },
    { status: 'paid', amountCaptured: eur('12.50'), captureMode: 'automatic' },
    { status: 'paid', amountCaptured: eur('12.50'), ...TIMES },
    { status: 'paid', amountCaptured: eur('0.00'), ...TIMES },
    { status: 'canceled', captureMode: 'manual', amountCaptured: eur('0.00') },
    { status: 'open', captureMode: 'manual', amountCaptured: eur('0.00') },
    { status: 'pending', captureMode: 'manual' },
  ])('does not exist if nothing was ever reserved: %j', async (changes) => {
    const seen = await of(changes)
    for (const name of ['authorized', 'released', 'authorizedAt', 'captureBefore'])
      expect(seen).not.toHaveProperty(name)
  })

  it.each(['authorized', 'paid', 'canceled'])(
    'cannot be read with an unreadable amount: %s',
    async (status) => {
      for (const amountCaptured of [eur('5,00'), { currency: 'USD', value: '5.00' }, '5.00'])
        expect(await of({ status, amountCaptured })).toMatchObject(UNANSWERED)
    },
  )

  it.each([
    { authorizedAt: 'today', captureBefore: 7 },
    { captureBefore: null, authorizedAt: null },
  ])('is read whatever Mollie makes of its times: %j', async (times) => {
    const seen = await of({ status: 'authorized', ...times })
    expect(seen).toMatchObject({ status: 'PENDING', authorized: 1250 })
    expect(seen).not.toHaveProperty('captureBefore')
    expect(seen).not.toHaveProperty('authorizedAt')
  })
})
