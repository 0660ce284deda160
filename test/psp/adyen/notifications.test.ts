import { describe, expect, it, vi } from 'vitest'
import { CREDENTIALS, LINK, atAdyen, item, read, readBody } from './samples.ts'
import type { MoneyMove } from '../../../src/psp/answer.ts'
import { json, paymentRequest } from '../scripted.ts'
import { adyenWebhook } from '../../support/psps/adyen-webhook.ts'

const KEY = CREDENTIALS.hmacKey

const OTHER_KEY = 'C0FFEE11547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA0FF'

/**
 * The news of an authorisation: that the payment is paid, its reference for refunds, and the amount that
 * it paid.
 */
const PART = {
  id: `AUTHORISATION:true:${item().pspReference}`,
  kind: 'part',
  amount: 1250,
  currency: 'EUR',
  reference: item().pspReference,
}
const TOLD = { claimedStatus: 'SUCCESS', told: { payment: item().pspReference, moves: [PART] } }

function about(changes: object = TOLD) {
  return {
    is: 'about',
    payments: [{ job: paymentRequest.job, reference: LINK, claimedStatus: null, ...changes }],
  }
}

const aboutNothing = { is: 'about', payments: [] }

const UNAUTHENTIC = { is: 'unauthentic' }

/** A signed body that was changed afterwards. */
async function tampered(change: (item: Record<string, unknown>) => object) {
  const body = JSON.parse(await adyenWebhook([item()], KEY)) as Body
  const [first] = body.notificationItems
  return JSON.stringify({
    ...body,
    notificationItems: [{ NotificationRequestItem: change(first.NotificationRequestItem) }],
  })
}

type Body = { notificationItems: [{ NotificationRequestItem: Record<string, unknown> }] }

describe('an item that Adyen has signed', () => {
  it.each([
    ['AUTHORISATION', 'false'],
    ['OFFER_CLOSED', 'true'],
    ['OFFER_CLOSED', 'false'],
    ['TECHNICAL_CANCEL', 'false'],
    ['EXPIRE', 'false'],
    ['MANUAL_REVIEW_REJECT', 'true'],
    ['SOMETHING_NEW', 'true'],
  ])('of %s with success %s is a reason to ask, and ends nothing', async (eventCode, success) => {
    expect(await read(item({ eventCode, success }))).toEqual(about({}))
  })

  it('of an authorisation without a reference has none', async () => {
    expect(await read(item({ pspReference: '' }))).toEqual(about({}))
  })

  it('is about its job even without the id of the link', async () => {
    expect(await read(item({ additionalData: {} }))).toEqual(about({ reference: null, ...TOLD }))
  })

  it.each([
    ['of a report', { eventCode: 'REPORT_AVAILABLE', merchantReference: '' }],
    ['of the test that the Customer Area sends', { merchantReference: 'TestPayment-1432' }],
    ['of an order of another system', { merchantReference: 'ORDER-7' }],
    ['with a reference that only begins like a job', { merchantReference: `${paymentRequest.job}-1` }],
    ['with a reference of three parts', { merchantReference: `${paymentRequest.job}.r1.r2` }],
    ['of another merchant account', { merchantAccountCode: 'HubOtherECOM' }],
  ])('%s is about nothing', async (_, changes) => {
    expect(await read(item(changes))).toEqual(aboutNothing)
  })
})

describe('a batch of items', () => {
  const other = '0190b1f4-7d5e-4c1a-9b53-0a3f1c2d4e60'

  it('mentions each job once', async () => {
    const reading = await read(
      item({ additionalData: {}, success: 'false' }),
      item({ merchantReference: other, additionalData: { paymentLinkId: 'PL2' } }),
      item(),
      item({ merchantReference: 'ORDER-7' }),
    )
    expect(reading).toEqual({
      is: 'about',
      payments: [
        { job: paymentRequest.job, reference: LINK, ...TOLD },
        { job: other, reference: 'PL2', ...TOLD },
      ],
    })
  })

  it('has the payment that was authorised, whatever attempts ended', async () => {
    const closed = item({ eventCode: 'OFFER_CLOSED', pspReference: 'CLOSED' })
    const failed = item({ success: 'false', pspReference: 'FAILED' })
    expect(await read(closed, failed, item())).toEqual(about())
    expect(await read(item(), failed, closed)).toEqual(about())
    expect(await read(failed, closed)).toEqual(about({}))
  })

  it.each([0, 1, 2])('is believed except for item %d, which is not authentic', async (place) => {
    const bodies = await Promise.all(
      [0, 1, 2].map((at) => adyenWebhook([item()], at === place ? OTHER_KEY : KEY)),
    )
    const notificationItems = bodies.flatMap((body) => (JSON.parse(body) as Body).notificationItems)
    const reading = await readBody(JSON.stringify({ live: 'true', notificationItems }))
    expect(reading).toMatchObject({ is: 'about', item: place + 1, payments: [{ job: paymentRequest.job }] })
  })

  it.each([
    ['has no signature', { additionalData: { paymentLinkId: LINK } }],
    ['has no additional data', { additionalData: null }],
    ['cannot be read', { success: {} }],
  ])('reports the item that %s', async (_, changes) => {
    const { notificationItems, ...rest } = JSON.parse(await adyenWebhook([item(), item()], KEY)) as Body
    const [first] = notificationItems
    const wrong = { NotificationRequestItem: { ...first.NotificationRequestItem, ...changes } }
    const body = JSON.stringify({ ...rest, notificationItems: [first, wrong] })
    expect(await readBody(body)).toEqual({ ...about(), item: 2 })
    const none = JSON.stringify({ ...rest, notificationItems: [wrong, wrong] })
    expect(await readBody(none)).toEqual({ is: 'unauthentic', item: 1 })
  })

  it('is read up to its hundredth item, because checking signatures takes time', async () => {
    const sign = vi.spyOn(crypto.subtle, 'sign')
    const body = JSON.parse(await adyenWebhook([item()], KEY)) as Body
    const notificationItems = Array.from({ length: 5000 }, () => body.notificationItems[0])
    sign.mockClear()
    const about100 = await readBody(JSON.stringify({ ...body, notificationItems }))
    expect(about100).toMatchObject({ payments: [{ told: { moves: { length: 100 } } }] })
    // Only the signatures of this batch: meanwhile the hub may sign a report of another file's job.
    const ofBatch = sign.mock.calls.filter(([, , data]) =>
      new TextDecoder().decode(data).includes(paymentRequest.job),
    )
    expect(ofBatch.length).toBe(100)
    sign.mockRestore()
  })
})

describe('keys', () => {
  it.each([`${KEY} ${OTHER_KEY}`, `${OTHER_KEY},${KEY}`, `${OTHER_KEY}, ${KEY}`, KEY.toLowerCase()])(
    'in the form %j are all believed',
    async (keys) => {
      expect(await readBody(await adyenWebhook([item()], KEY), keys)).toEqual(about())
    },
  )

  it('may differ within a batch while they are being replaced', async () => {
    const bodies = await Promise.all([KEY, OTHER_KEY].map((key) => adyenWebhook([item()], key)))
    const notificationItems = bodies.flatMap((body) => (JSON.parse(body) as Body).notificationItems)
    const body = JSON.stringify({ live: 'true', notificationItems })
    expect(await readBody(body, `${KEY} ${OTHER_KEY}`)).toMatchObject(about({ claimedStatus: 'SUCCESS' }))
    expect(await readBody(body)).toMatchObject({ ...about({ claimedStatus: 'SUCCESS' }), item: 2 })
  })
})

describe('a webhook that Adyen has not signed', () => {
  it.each([
    ['no amount', { amount: undefined }],
    ['an original reference', { originalReference: 'X' }],
    ['no additional data', { additionalData: undefined }],
    ['no signature', { additionalData: { paymentLinkId: LINK } }],
    ['an empty signature', { additionalData: { hmacSignature: '' } }],
    ['a signature of a number', { additionalData: { hmacSignature: 1 } }],
    ['a value that is an object', { success: {} }],
  ])('that has %s instead is not believed', async (_, changes) => {
    expect(await readBody(await tampered((signed) => ({ ...signed, ...changes })))).toEqual(UNAUTHENTIC)
  })

  it.each([
    '',
    'null',
    '[]',
    '{}',
    'id=tr_7UhSN1zuXS',
    '{"notificationItems":[]}',
    '{"notificationItems":{}}',
    '{"notificationItems":[null]}',
    '{"notificationItems":[{}]}',
    '{"notificationItems":[{"NotificationRequestItem":{}}]}',
  ])('that is %j is not believed', async (body) => {
    expect(await readBody(body)).toEqual(UNAUTHENTIC)
  })

  it('is signed by Adyen if it has no amount, as far as the values go', async () => {
    const empty = item({ amount: { currency: '', value: '' as never } })
    const body = JSON.parse(await adyenWebhook([empty], KEY)) as Body
    delete body.notificationItems[0].NotificationRequestItem['amount']
    const told = { payment: item().pspReference }
    expect(await readBody(JSON.stringify(body))).toEqual(about({ ...TOLD, told }))
  })
})

it('is answered with the body that Adyen requires', () => {
  expect(atAdyen(json(500, {})).psp.accepted).toBe('[accepted]')
})

const { job } = paymentRequest

const REFUND = '5a1f0c66-3f0e-4f3a-8a53-9d7a1c2b3e4f'

const PSP_REFERENCE = 'QFQTPCQ8HXSKGK82'

/** Returns the moves of an item. */
async function movesIn(changes: Parameters<typeof item>[0]) {
  const reading = await read(item({ pspReference: PSP_REFERENCE, reason: '', ...changes }))
  return reading.is === 'about' ? reading.payments.map(({ told }) => told?.moves) : reading
}

/**
 * The examples of https://github.com/Adyen/adyen-openapi, json/Webhooks-v1.json, about EUR 10.00.
 */
const REJECTED = 'Capture Failed'

const NOT_ENOUGH = 'Insufficient balance on payment'

const AMOUNT = { currency: 'EUR', value: 1000 }

const PAYMENT = '9913140798220028'

const LATER = { amount: AMOUNT, originalReference: PAYMENT }

describe('an item about money that moved after the payment', () => {
  it.each([
    ['CHARGEBACK', 'chargeback'],
    ['CHARGEBACK_REVERSED', 'chargeback-reversed'],
    ['PREARBITRATION_WON', 'chargeback-reversed'],
    ['SCHEME_ARBITRATION_WON', 'chargeback-reversed'],
  ])('with %s is a move: %s', async (eventCode, kind) => {
    const moves = await movesIn({ ...LATER, eventCode })
    expect(moves).toEqual([
      [
        {
          id: `${eventCode}:true:${PSP_REFERENCE}`,
          kind,
          amount: 1000,
          currency: 'EUR',
          reference: PSP_REFERENCE,
          of: PAYMENT,
        },
      ],
    ])
    expect(await movesIn({ ...LATER, eventCode, success: 'false' })).toEqual([undefined])
  })

  it.each([
    ['REFUND', 'refund', {}],
    ['REFUND_FAILED', 'refund-failed', { error: 'Adyen says: Refund Failed' }],
    ['REFUNDED_REVERSED', 'refund-failed', { error: 'Adyen says: Refund Failed' }],
  ])('with %s is a move: %s, of the refund that its reference names', async (eventCode, kind, more) => {
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

  it.each([
    ['CANCELLATION', PAYMENT],
    ['TECHNICAL_CANCEL', PAYMENT],
    ['CANCEL_OR_REFUND', PAYMENT],
    // Expired money has no original reference.
    ['EXPIRE', ''],
  ])("with %s is money that is not the shop's after all", async (eventCode, originalReference) => {
    const changes = { eventCode, amount: AMOUNT, originalReference }
    const names = { of: originalReference || PSP_REFERENCE, id: `${eventCode}:true:${PSP_REFERENCE}` }
    const expired = eventCode === 'EXPIRE' ? { expired: true } : {}
    const move = { ...names, kind: 'refund', cancelled: true, ...expired, amount: 1000, currency: 'EUR' }
    expect(await movesIn(changes)).toEqual([[{ ...move, reference: PSP_REFERENCE }]])
  })

  it.each([
    ['CAPTURE', 'true', '', { kind: 'capture', amount: 1000 }],
    [
      'CAPTURE',
      'false',
      NOT_ENOUGH,
      { kind: 'capture-failed', amount: 0, error: `Adyen says: ${NOT_ENOUGH}` },
    ],
    [
      'CAPTURE_FAILED',
      'true',
      REJECTED,
      { kind: 'capture-failed', amount: 1000, error: `Adyen says: ${REJECTED}` },
    ],
    ['CANCELLATION', 'true', '', { kind: 'refund', cancelled: true, amount: 1000 }],
    [
      'CANCELLATION',
      'false',
      NOT_ENOUGH,
      { kind: 'release-failed', amount: 0, error: `Adyen says: ${NOT_ENOUGH}` },
    ],
    ['CANCEL_OR_REFUND', 'true', '', { kind: 'refund', cancelled: true, amount: 1000 }],
  ])(
    'with %s and success %s names the instruction in its reference, if there is one',
    async (eventCode, success, reason, says) => {
      const changes = { ...LATER, eventCode, success, reason }
      const move = {
        id: `${eventCode}:${success}:${PSP_REFERENCE}`,
        ...says,
        currency: 'EUR',
        reference: PSP_REFERENCE,
        of: PAYMENT,
      }
      expect(await movesIn({ ...changes, merchantReference: `${job}.${REFUND}` })).toEqual([
        [{ ...move, instruction: REFUND }],
      ])
      // A capture by hand in the Customer Area has the reference of the payment.
      expect(await movesIn(changes)).toEqual([[move]])
    },
  )

  it.each(['Transaction Recaptured', 'Transaction Auto-recaptured'])(
    'with a capture that succeeds after it had failed (%s) is another capture, and not a failure',
    async (reason) => {
      const capture = { ...LATER, eventCode: 'CAPTURE' }
      const [[first] = [], [again] = []] = [
        ...((await movesIn(capture)) as MoneyMove[][]),
        ...((await movesIn({ ...capture, reason })) as MoneyMove[][]),
      ]
      const { id, reference: _, ...same } = first ?? { id: '' }
      expect(again).toEqual({ ...same, id: expect.not.stringMatching(`^${id}$`) })
    },
  )

  it("has Adyen's reference of a refund that has the reference of its payment", async () => {
    const [moves] = (await movesIn({ eventCode: 'REFUND', amount: AMOUNT })) as object[][]
    expect(moves?.[0]).toMatchObject({ kind: 'refund', reference: PSP_REFERENCE })
    expect(moves?.[0]).not.toHaveProperty('refund')
  })

  it('takes nothing back for a refund that Adyen refused, because it never counted', async () => {
    const reason = 'Insufficient balance on payment'
    const refused = { eventCode: 'REFUND', success: 'false', amount: AMOUNT, reason }
    expect(await movesIn({ ...refused, merchantReference: `${job}.${REFUND}` })).toMatchObject([
      [{ kind: 'refund-failed', amount: 0, refund: REFUND, error: `Adyen says: ${reason}` }],
    ])
  })

  it('with a refund of uncaptured money is not a failure', async () => {
    const reason = "Transaction hasn't been captured, refund not possible"
    const refused = { eventCode: 'REFUND', success: 'false', amount: AMOUNT, reason }
    expect(await movesIn({ ...refused, merchantReference: `${job}.${REFUND}` })).toMatchObject([
      [{ kind: 'refund-not-yet', amount: 0, refund: REFUND }],
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
    { currency: 'BGN', value: 1000 },
    { currency: 'XYZ', value: 1000 },
  ])('with %j is not a move, but a reason to ask', async (amount) => {
    expect(await movesIn({ eventCode: 'CHARGEBACK', amount })).toEqual([undefined])
  })

  it('is one of several about a job in a batch, next to the payment that was authorised', async () => {
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
            moves: [{ kind: 'refund', refund: REFUND }, PART, { kind: 'chargeback' }],
          },
        },
      ],
    })
  })
})
