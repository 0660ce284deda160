import { describe, expect, it } from 'vitest'
import { MollieStatus, PATIENCE } from '../../../src/psp/mollie/tables.ts'
import { closedConnection, json } from '../scripted.ts'
import { atMollie, mollieError, payment } from './at-mollie.ts'

const ID = 'tr_7UhSN1zuXS'
const DAY = 86_400_000
const SEEN = { is: 'observed', expiresAt: Date.UTC(2026, 10, 21, 10, 15) }

function askedOf(changes: object) {
  return atMollie(json(200, payment(changes))).psp.ask(ID, 'EUR')
}

function underway(days: number) {
  return {
    status: 'PENDING',
    paid: 0,
    stage: { is: 'underway', patience: days * DAY },
  }
}

/** Each word of Mollie, and what it means here. */
const MEANS: Record<MollieStatus, object> = {
  open: { status: 'PENDING', paid: 0, stage: { is: 'open' } },
  pending: underway(PATIENCE.otherwise),
  authorized: { status: 'PENDING', paid: 0, stage: { is: 'authorized', patience: 28 * DAY } },
  paid: { status: 'SUCCESS', paid: 1250, refunded: 0, chargedBack: 0 },
  canceled: { status: 'CANCELLED', paid: 0, closed: true },
  expired: { status: 'EXPIRED', paid: 0, closed: true },
  failed: { status: 'FAILURE', paid: 0, closed: true },
}

describe('a payment at Mollie', () => {
  it.each(MollieStatus.options)('that is %s', async (status) => {
    expect(await askedOf({ status })).toEqual({ ...SEEN, ...MEANS[status] })
  })

  it.each([
    ['banktransfer', 30],
    ['directdebit', 21],
    ['bacs', 21],
    ['multibanco', 7],
    ['something_new', PATIENCE.otherwise],
    [null, PATIENCE.otherwise],
    [7, PATIENCE.otherwise],
  ])('that %s is at work for is waited for %d days', async (method, days) => {
    expect(await askedOf({ status: 'pending', method })).toEqual({ ...SEEN, ...underway(days) })
  })

  it.each(['canceled', 'expired', 'failed'] as const)(
    'by bank transfer that is %s may still be followed by money',
    async (status) => {
      const { closed: _, ...ended } = MEANS[status] as { closed: true }
      expect(await askedOf({ status, method: 'banktransfer' })).toEqual({ ...SEEN, ...ended, closed: false })
    },
  )

  it('in a status that is not known tells the word, and nothing else', async () => {
    expect(await askedOf({ status: 'odd' })).toEqual({
      is: 'unavailable',
      message: 'Mollie answered with a status of the payment that is not known: odd.',
    })
  })
})

describe('what went back of a payment', () => {
  const eur = (value: string) => ({ currency: 'EUR', value })

  it('is told in totals', async () => {
    const back = { status: 'paid', amountRefunded: eur('5.00'), amountChargedBack: eur('7.50') }
    expect(await askedOf(back)).toMatchObject({
      status: 'SUCCESS',
      paid: 1250,
      refunded: 500,
      chargedBack: 750,
    })
  })

  it('may be nothing again', async () => {
    const back = { status: 'paid', amountRefunded: eur('0.00'), amountChargedBack: eur('0.00') }
    expect(await askedOf(back)).toMatchObject({ refunded: 0, chargedBack: 0 })
  })

  it.each([undefined, null])('is nothing when Mollie leaves it out: %j', async (amount) => {
    const seen = await askedOf({ status: 'paid', amountRefunded: amount, amountChargedBack: amount })
    expect(seen).toMatchObject({ paid: 1250, refunded: 0, chargedBack: 0 })
  })

  it.each(['5.00', { currency: 'USD', value: '5.00' }, eur('5,00'), eur('-5.00'), eur('5.005')])(
    'is not told by %j, and the payment stays paid',
    async (amount) => {
      const seen = await askedOf({ status: 'paid', amountRefunded: amount, amountChargedBack: amount })
      expect(seen).toEqual({ ...SEEN, status: 'SUCCESS', paid: 1250 })
    },
  )
})

describe('money that is reserved', () => {
  const RESERVED = payment({ status: 'authorized' })

  it('is captured in full, and then paid', async () => {
    const { psp, requests, asked } = atMollie(
      json(201, { resource: 'capture', id: 'cpt_1', status: 'pending' }),
      json(200, payment({ status: 'paid', amountCaptured: { currency: 'EUR', value: '12.50' } })),
    )
    expect(await psp.capture?.(ID, 1250, 'EUR')).toMatchObject({ status: 'SUCCESS', paid: 1250 })
    expect(asked()).toEqual([`POST /v2/payments/${ID}/captures`, `GET /v2/payments/${ID}`])
    expect(await requests[0]?.json()).toEqual({ amount: { currency: 'EUR', value: '12.50' } })
    expect(requests[0]?.headers.get('idempotency-key')).toBe(`${ID}-capture`)
  })

  it('counts as it stands where Mollie does not capture it', async () => {
    const refused = mollieError(422, 'Unprocessable Entity', 'The payment cannot be captured')
    const reserved = atMollie(refused, json(200, RESERVED))
    expect(await reserved.psp.capture?.(ID, 1250, 'EUR')).toMatchObject({ stage: { is: 'authorized' } })
    const released = atMollie(refused, json(200, payment({ status: 'expired' })))
    expect(await released.psp.capture?.(ID, 1250, 'EUR')).toMatchObject({ status: 'EXPIRED' })
  })

  it.each([json(503, {}), closedConnection])(
    'is not known to be captured after no answer',
    async (answer) => {
      const { psp, requests } = atMollie(answer)
      expect(await psp.capture?.(ID, 1250, 'EUR')).toMatchObject({ is: 'unavailable' })
      expect(requests).toHaveLength(1)
    },
  )
})
