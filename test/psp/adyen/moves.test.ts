import { describe, expect, it } from 'vitest'
import { LINK, item, read } from './at-adyen.ts'
import { paymentRequest } from '../scripted.ts'

const { job } = paymentRequest
const REFUND = '5a1f0c66-3f0e-4f3a-8a53-9d7a1c2b3e4f'
const PSP_REFERENCE = 'QFQTPCQ8HXSKGK82'

/** The moves that an item tells. */
async function movesIn(changes: Parameters<typeof item>[0]) {
  const reading = await read(item({ pspReference: PSP_REFERENCE, reason: '', ...changes }))
  return reading.is === 'about' ? reading.payments.map(({ told }) => told?.moves) : reading
}

/**
 * The examples of https://github.com/Adyen/adyen-openapi, json/Webhooks-v1.json, about EUR 10.00.
 */
const AMOUNT = { currency: 'EUR', value: 1000 }
const CAPTURE_FAILED = { eventCode: 'CAPTURE_FAILED', amount: AMOUNT, reason: 'Capture Failed' }

describe('an item about money that moved after the payment', () => {
  it.each([
    ['CHARGEBACK', 'chargeback'],
    ['SECOND_CHARGEBACK', 'chargeback'],
    ['CHARGEBACK_REVERSED', 'chargeback-reversed'],
    ['CAPTURE_FAILED', 'chargeback'],
  ])('of %s is a move: %s', async (eventCode, kind) => {
    const moves = await movesIn({ ...CAPTURE_FAILED, eventCode })
    expect(moves).toEqual([
      [{ id: `${eventCode}:true:${PSP_REFERENCE}`, kind, amount: 1000, currency: 'EUR' }],
    ])
    expect(await movesIn({ ...CAPTURE_FAILED, eventCode, success: 'false' })).toEqual([undefined])
  })

  it.each([
    ['REFUND', 'refund', {}],
    ['REFUND_FAILED', 'refund-failed', { error: 'Adyen says: Refund Failed' }],
    ['REFUNDED_REVERSED', 'refund-failed', { error: 'Adyen says: Refund Failed' }],
  ])('of %s is a move: %s, of the refund that its reference names', async (eventCode, kind, more) => {
    const reason = eventCode === 'REFUND' ? '' : 'Refund Failed'
    const changes = { eventCode, amount: AMOUNT, reason, merchantReference: `${job}.${REFUND}` }
    expect(await movesIn(changes)).toEqual([
      [
        {
          id: `${eventCode}:true:${PSP_REFERENCE}`,
          kind,
          amount: 1000,
          currency: 'EUR',
          reference: PSP_REFERENCE,
          refund: REFUND,
          ...more,
        },
      ],
    ])
  })

  it("names Adyen's reference of a refund that has the reference of its payment", async () => {
    const [moves] = (await movesIn({ eventCode: 'REFUND', amount: AMOUNT })) as object[][]
    expect(moves?.[0]).toMatchObject({ kind: 'refund', reference: PSP_REFERENCE })
    expect(moves?.[0]).not.toHaveProperty('refund')
  })

  it('takes nothing back for a refund that Adyen refused to make: it never counted', async () => {
    const reason = "Transaction hasn't been captured, refund not possible"
    const refused = { eventCode: 'REFUND', success: 'false', amount: AMOUNT, reason }
    expect(await movesIn({ ...refused, merchantReference: `${job}.${REFUND}` })).toMatchObject([
      [{ kind: 'refund-failed', amount: 0, refund: REFUND, error: `Adyen says: ${reason}` }],
    ])
  })

  it.each([
    ['ISK', 100_000, 1000],
    ['JPY', 1000, 1000],
    ['KWD', 1000, 1000],
  ])('in %s has its amount in the minor units of ISO 4217: %d is %d', async (currency, value, amount) => {
    expect(await movesIn({ eventCode: 'CHARGEBACK', amount: { currency, value } })).toMatchObject([
      [{ amount, currency }],
    ])
  })

  it.each([
    { currency: 'EUR', value: -1000 },
    { currency: 'EUR', value: 10.5 },
    { currency: 'EUR', value: 2 ** 53 },
    { currency: 'eur', value: 1000 },
    { currency: '', value: 1000 },
    { currency: 'ISK', value: 1050 },
  ])('over %j is no move, but a reason to ask', async (amount) => {
    expect(await movesIn({ eventCode: 'CHARGEBACK', amount })).toEqual([undefined])
  })

  it('is one of several about a job in one batch, with the payment that was authorised', async () => {
    const refund = item({
      eventCode: 'REFUND',
      merchantReference: `${job}.${REFUND}`,
      pspReference: 'R1',
      additionalData: {},
    })
    expect(await read(refund, item(), item({ eventCode: 'CHARGEBACK' }))).toMatchObject({
      is: 'about',
      payments: [
        {
          job,
          reference: LINK,
          told: {
            payment: item().pspReference,
            moves: [{ kind: 'refund', refund: REFUND }, { kind: 'chargeback' }],
          },
        },
      ],
    })
  })
})
