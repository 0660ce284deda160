import { describe, expect, it } from 'vitest'
import { DAY } from '../../../src/contract/timestamp.ts'
import { type PaypalOrder, unprocessable } from '../../support/psps/paypal-order.ts'
import { UNANSWERED, json, wish } from '../scripted.ts'
import { CAPTURE, ID, atPaypal, item, order, samples } from './samples.ts'

const ask = (changes: Partial<PaypalOrder>) => atPaypal(json(200, order(changes))).psp.ask(ID, 'EUR')
const open = { is: 'observed', status: 'PENDING', stage: { is: 'open' }, paid: 0 }
function authorised(status: string, changes: Partial<PaypalOrder> = {}): Partial<PaypalOrder> {
  return { status: 'COMPLETED', authorizations: [item(status)], ...changes }
}

describe('an order at PayPal', () => {
  it.each([
    ['CREATED', open],
    ['PAYER_ACTION_REQUIRED', open],
    ['APPROVED', { ...open, approved: true }],
    ['VOIDED', { status: 'CANCELLED', closed: true, paid: 0 }],
  ] as const)('that is %s', async (status, seen) => {
    const answer = await ask({ status })
    expect(answer).toMatchObject(seen)
    if (status !== 'APPROVED') expect(answer).not.toHaveProperty('approved')
  })

  it.each([
    ['COMPLETED', { status: 'SUCCESS', paid: 1250 }],
    ['PARTIALLY_REFUNDED', { status: 'SUCCESS', paid: 1250 }],
    ['REFUNDED', { status: 'SUCCESS', paid: 1250 }],
    ['PENDING', { status: 'PENDING', stage: { is: 'underway', patience: 14 * DAY }, paid: 0 }],
    ['DECLINED', { status: 'FAILURE', closed: false, paid: 0 }],
    ['FAILED', { status: 'FAILURE', closed: false, paid: 0 }],
    ['TELEPORTED', UNANSWERED],
  ])('whose capture is %s', async (status, seen) => {
    expect(await ask({ status: 'COMPLETED', captures: [item(status)] })).toMatchObject(seen)
  })

  it('is open again if its capture was declined', async () => {
    const captures = [item('DECLINED')]
    expect(await ask({ status: 'PAYER_ACTION_REQUIRED', captures })).toMatchObject(open)
    expect(await ask({ status: 'APPROVED', captures })).toMatchObject({ ...open, approved: true })
  })

  it('that is stopped cannot be cancelled at PayPal, so that an open one counts as ended, and any other as it is', async () => {
    const stop = (changes: Partial<PaypalOrder>) => atPaypal(json(200, order(changes))).psp.stop(ID, 'EUR')
    expect(await stop({ status: 'APPROVED' })).toMatchObject({ status: 'CANCELLED', closed: false, paid: 0 })
    expect(await stop({ status: 'COMPLETED', captures: [item('COMPLETED')] })).toMatchObject({
      status: 'SUCCESS',
      paid: 1250,
    })
    expect(await stop({ status: 'COMPLETED', captures: [item('PENDING')] })).toMatchObject({
      status: 'PENDING',
      stage: { is: 'underway' },
    })
  })

  it('that shows no money, although it is completed, is asked about again', async () => {
    expect(await ask({ status: 'COMPLETED' })).toMatchObject(UNANSWERED)
  })

  it('counts what a dispute took back, as far as no refund shows it', async () => {
    const captures = [item('REFUNDED', '12.50', { reason: 'CHARGEBACK' })]
    const refunds = [{ ...item('COMPLETED', '2.50', { of: CAPTURE }), id: '1JU08902781691411' }]
    expect(await ask({ status: 'COMPLETED', captures, refunds })).toMatchObject({
      transfers: { dispute: [{ id: CAPTURE, amount: 1000, state: 'done' }], refund: [{ amount: 250 }] },
    })
    for (const capture of [item('REFUNDED'), item('COMPLETED', '12.50', { reason: 'BUYER_COMPLAINT' })])
      expect(await ask({ status: 'COMPLETED', captures: [capture] })).toMatchObject({
        transfers: { dispute: [] },
      })
  })
})

describe('reserved money at PayPal', () => {
  const captured = (status: string, value: string, isFinal: boolean) =>
    authorised('PARTIALLY_CAPTURED', { captures: [item(status, value, { isFinal, invoiceId: 'own-1' })] })

  it.each([
    [
      'reserved',
      authorised('CREATED'),
      { stage: { is: 'authorized' }, authorized: 1250, paid: 0, released: 0 },
    ],
    ['under review', authorised('PENDING'), { stage: { is: 'underway' }, paid: 0 }],
    ['denied', authorised('DENIED'), { status: 'FAILURE', paid: 0 }],
    [
      'released',
      authorised('VOIDED'),
      { status: 'CANCELLED', closed: true, authorized: 1250, released: 1250 },
    ],
    ['captured in part', captured('COMPLETED', '5.00', false), { status: 'PENDING', paid: 500, released: 0 }],
    [
      'captured in part at last',
      captured('COMPLETED', '5.00', true),
      { status: 'SUCCESS', paid: 500, released: 750 },
    ],
    [
      'being captured at last',
      captured('PENDING', '5.00', true),
      { status: 'PENDING', paid: 0, released: 750 },
    ],
    ['not captured', captured('DECLINED', '5.00', true), { status: 'PENDING', paid: 0, released: 0 }],
    ['captured', captured('COMPLETED', '12.50', false), { status: 'SUCCESS', paid: 1250, released: 0 }],
    ['unknown', authorised('TELEPORTED'), UNANSWERED],
  ] as const)('that is %s', async (_, changes, seen) => {
    expect(await ask(changes)).toMatchObject(seen)
  })

  it('names the end of the reservation, and each capture by the id of the hub', async () => {
    expect(await ask(captured('COMPLETED', '5.00', false))).toMatchObject({
      authorizedAt: Date.UTC(2026, 10, 21, 10),
      captureBefore: Date.UTC(2026, 10, 21, 10) + 29 * DAY,
      transfers: { capture: [{ id: CAPTURE, own: 'own-1', amount: 500, state: 'done' }] },
    })
  })

  it('counts the newest authorisation', async () => {
    const older = item('VOIDED', '12.50', { at: Date.UTC(2026, 10, 20) })
    expect(await ask({ status: 'COMPLETED', authorizations: [item('CREATED'), older] })).toMatchObject({
      status: 'PENDING',
      stage: { is: 'authorized' },
    })
  })
})

const payment = { job: '0190b1f4', reference: ID, payment: null }

describe('an instruction to PayPal', () => {
  const twoCaptures = order(
    authorised('CAPTURED', {
      captures: [item('COMPLETED', '5.00'), { ...item('COMPLETED', '7.50'), id: '8F148933LY938803V' }],
    }),
  )

  it('that it knows by the id of the hub is not given twice', async () => {
    const wanted = wish(500)
    const refunds = [item('PENDING', '5.00', { invoiceId: wanted.id, reason: 'ECHECK' })]
    const shown = order({ status: 'COMPLETED', captures: [item('COMPLETED')], refunds })
    const { psp, asked } = atPaypal(json(200, shown))
    expect(await psp.refund(payment, wanted)).toEqual({ is: 'taken', reference: CAPTURE, state: 'pending' })
    expect(asked()).toHaveLength(1)
  })

  it('refunds the capture that has enough left', async () => {
    const { psp, asked } = atPaypal(json(200, twoCaptures), samples.refund)
    expect(await psp.refund(payment, wish(600))).toMatchObject({ is: 'taken' })
    expect(asked().at(-1)).toBe('POST /v2/payments/captures/8F148933LY938803V/refund')
  })

  it.each([
    ['was declined', item('DECLINED'), []],
    ['was refunded mostly', item('PARTIALLY_REFUNDED'), [item('PENDING', '12.00', { of: CAPTURE })]],
  ])('refunds no capture that %s', async (_, gone, refunds) => {
    const captures = [gone, { ...item('COMPLETED', '7.50'), id: '8F148933LY938803V' }]
    const { psp, asked } = atPaypal(
      json(200, order({ status: 'COMPLETED', captures, refunds })),
      samples.refund,
    )
    expect(await psp.refund(payment, wish(500))).toMatchObject({ is: 'taken' })
    expect(asked().at(-1)).toBe('POST /v2/payments/captures/8F148933LY938803V/refund')
  })

  it('refunds no more at once than one capture has', async () => {
    const { psp, asked } = atPaypal(json(200, twoCaptures))
    expect(await psp.refund(payment, wish(800))).toMatchObject({ is: 'refused' })
    expect(asked()).toHaveLength(1)
  })

  it.each(['PENDING_CAPTURE', 'REFUND_FAILED_INSUFFICIENT_FUNDS'])(
    'waits after %s, and is then given under another key',
    async (issue) => {
      const paid = json(200, order({ status: 'COMPLETED', captures: [item('PENDING')] }))
      const { psp, requests } = atPaypal(paid, async () => unprocessable(issue))
      const wanted = wish(500, { round: 2 })
      expect(await psp.refund(payment, wanted)).toMatchObject({ is: 'not-yet' })
      expect(requests.at(-1)?.headers.get('paypal-request-id')).toBe(`${wanted.id}-2`)
    },
  )

  it.each(['capture', 'release'] as const)('to %s needs reserved money', async (kind) => {
    const { psp, asked } = atPaypal(json(200, order({ status: 'COMPLETED', captures: [item('COMPLETED')] })))
    expect(await psp[kind](payment, wish(500))).toMatchObject({ is: 'refused' })
    expect(asked()).toHaveLength(1)
  })

  it.each([
    ['PREVIOUSLY_VOIDED', { is: 'taken', state: 'done' }],
    ['PREVIOUSLY_CAPTURED', { is: 'refused' }],
  ])('to release that is %s', async (issue, answer) => {
    const { psp } = atPaypal(json(200, order(authorised('CREATED'))), async () => unprocessable(issue))
    expect(await psp.release(payment, wish(1250))).toMatchObject(answer)
  })
})

describe('a confirmation that PayPal refuses', () => {
  const confirm = (issue: string) =>
    atPaypal(
      async () => unprocessable(issue),
      json(200, order({ status: 'COMPLETED', captures: [item('COMPLETED')] })),
    )

  it.each([
    ['ORDER_ALREADY_CAPTURED', { status: 'SUCCESS', paid: 1250 }],
    ['PAYER_ACTION_REQUIRED', open],
    ['INSTRUMENT_DECLINED', open],
    ['COMPLIANCE_VIOLATION', { status: 'FAILURE', reason: expect.stringContaining('COMPLIANCE') as string }],
    ['ORDER_EXPIRED', { status: 'EXPIRED' }],
    ['PAYEE_ACCOUNT_RESTRICTED', { is: 'unavailable', accountRefused: true }],
    ['SOMETHING_NEW', { is: 'unavailable', message: expect.stringContaining('SOMETHING_NEW') as string }],
  ])('with %s', async (issue, seen) => {
    const answer = await confirm(issue).psp.confirm?.(ID, { currency: 'EUR' })
    expect(answer).toMatchObject(seen)
    if (seen === open) expect(answer).not.toHaveProperty('reason')
  })
})
