import { ErrorCondition } from '@adyen/api-library/lib/src/typings/tapi/errorCondition.js'
import { PaymentLinkResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentLinkResponse.js'
import { NotificationRequestItem } from '@adyen/api-library/lib/src/typings/notification/notificationRequestItem.js'
import { PaymentMethod, PaymentStatus, RefundStatus } from '@mollie/api-client'
import { CONDITIONS } from '../../../src/psp/adyen/terminal-answer.ts'
import { EVENTS } from '../../../src/psp/adyen/notification.ts'
import { STATUSES } from '../../../src/psp/adyen/tables.ts'
import * as mollie from '../../../src/psp/mollie/tables.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  INTENTS,
  METHODS,
  PAYMENT_STATUSES,
  REFUND_STATUSES,
  RESERVES,
  SESSION_STATUSES,
  DISPUTE_STATUSES,
} from '../../../src/psp/stripe/tables.ts'
import { MONEY_EVENTS, TERMINAL_EVENTS } from '../../../src/psp/stripe/notification.ts'
import { FAULTS } from '../../../src/psp/stripe/terminal-faults.ts'
import { AT_TERMINAL } from '../../../src/psp/stripe/terminal-reading.ts'
import { PROJECT } from '../../../src/programs/wrangler.ts'

describe("the words of Mollie's own client", () => {
  it('for a payment and a refund are those of the tables', () => {
    expect(Object.keys(mollie.STATUSES).toSorted()).toEqual(Object.values(PaymentStatus).toSorted())
    expect(Object.keys(mollie.REFUND_STATUSES).toSorted()).toEqual(Object.values(RefundStatus).toSorted())
  })

  /** Old names, and names for terminals or for customers whose mandate the shop has. */
  const NOT_OFFERED = 'bacs directdebit klarnapaylater klarnapaynow klarnasliceit payconiq pointofsale'

  it('for methods are each offered, refused or left out', () => {
    const known = [
      ...mollie.METHODS.values(),
      ...mollie.UNSUPPORTED.keys(),
      ...NOT_OFFERED.split(' '),
      'googlepay',
    ]
    // Newer than the client: `method` in https://docs.mollie.com/reference/create-payment
    const official = [...Object.values<string>(PaymentMethod), 'billink']
    expect([...new Set(known)].toSorted()).toEqual(official.toSorted())
  })
})

describe("the words of Adyen's own library", () => {
  it('for the status of a link are those of the table', () => {
    const official = Object.values(PaymentLinkResponse.StatusEnum)
    expect(Object.keys(STATUSES).toSorted()).toEqual(official.map(String).toSorted())
  })

  /** None of the others moves money of a payment that was paid by a link. */
  const NOTHING_TO_TELL =
    'AUTORESCUE AUTHORISATION_ADJUSTMENT CANCEL_AUTORESCUE ' +
    'DISPUTE_DEFENSE_PERIOD_ENDED DONATION HANDLED_EXTERNALLY INFORMATION_SUPPLIED ISSUER_COMMENTS ' +
    'ISSUER_RESPONSE_TIMEFRAME_EXPIRED MANUAL_REVIEW_ACCEPT MANUAL_REVIEW_REJECT NOTIFICATION_OF_CHARGEBACK ' +
    'NOTIFICATION_OF_FRAUD OFFER_CLOSED ORDER_CLOSED ORDER_OPENED PAIDOUT_REVERSED PENDING POSTPONED_REFUND ' +
    'PREARBITRATION_LOST PROCESS_RETRY PAYOUT_DECLINE PAYOUT_EXPIRE PAYOUT_THIRDPARTY ' +
    'RECURRING_CONTRACT REFUND_WITH_DATA REPORT_AVAILABLE REQUEST_FOR_INFORMATION ' +
    'VOID_PENDING_REFUND'

  it('for events are each known to move money or not to', () => {
    // https://docs.adyen.com/api-explorer/Webhooks/1/overview has one that the library lacks.
    const official = [
      ...Object.values(NotificationRequestItem.EventCodeEnum).map(String),
      'SCHEME_ARBITRATION_WON',
    ]
    expect([...EVENTS.keys(), ...NOTHING_TO_TELL.split(' ')].toSorted()).toEqual(official.toSorted())
  })
})

it("Adyen's conditions of a terminal are each an end, or say that there is none", () => {
  const official = Object.values(ErrorCondition).map(String)
  expect([...Object.keys(CONDITIONS), 'InProgress', 'NotFound'].toSorted()).toEqual(official.toSorted())
})

it("Stripe's error codes of terminals and cards each say who has to act", () => {
  const official = unionIn('SetupIntents.d.ts', 'Code').filter((code) => /^terminal_|card/.test(code))
  // Only a card that is not presented needs a telephone number.
  expect(official.filter((code) => !FAULTS.has(code))).toEqual(['cardholder_phone_number_required'])
})

const RESOURCES = join(PROJECT, 'node_modules', 'stripe', 'esm', 'resources')
function typesOf(file: string): string {
  return readFileSync(join(RESOURCES, file), 'utf8')
}

/** The words of the first union with this name, in the types of Stripe's own client. */
function unionIn(file: string, name: string): string[] {
  const [, union = ''] = new RegExp(`type ${name} = ([^;]+);`).exec(typesOf(file)) ?? []
  return Array.from(union.matchAll(/'(\w+)'/g), ([, word = '']) => word).toSorted()
}

describe("the words of Stripe's own client", () => {
  it('for a payment intent are those of the table', () => {
    expect(unionIn('PaymentIntents.d.ts', 'Status')).toEqual(
      Object.keys(INTENTS)
        .filter((word) => word !== 'none')
        .toSorted(),
    )
    expect(unionIn('PaymentIntents.d.ts', 'Status')).toEqual(Object.keys(AT_TERMINAL).toSorted())
  })

  it('for a session and its money are those of the table', () => {
    expect(unionIn('Checkout/Sessions.d.ts', 'Status')).toEqual(SESSION_STATUSES.toSorted())
    expect(unionIn('Checkout/Sessions.d.ts', 'PaymentStatus')).toEqual(PAYMENT_STATUSES.toSorted())
  })

  it('for methods that Checkout can capture manually are those of the table', () => {
    const interfaces = typesOf('Checkout/Sessions.d.ts').matchAll(/interface (\w+) \{([^}]*)\}/g)
    const manual = new Set(
      Array.from(interfaces)
        .filter(([, , members = '']) => /capture_method\?: 'manual'/.test(members))
        .map(([, name = '']) => name.toLowerCase()),
    )
    const canReserve = Array.from(METHODS, ([name, type]) => [name, manual.has(type.replaceAll('_', ''))])
    expect(canReserve).toEqual(Array.from(METHODS.keys(), (name) => [name, RESERVES.days.has(name)]))
  })

  it('for a dispute are those of the table', () => {
    expect(unionIn('Disputes.d.ts', 'Status')).toEqual(Object.keys(DISPUTE_STATUSES).toSorted())
  })

  it('for a refund, which its types have only in a comment, are those of the table', () => {
    const [, told = ''] = /Status of the refund\. This can be ([^.]+)\./.exec(typesOf('Refunds.d.ts')) ?? []
    const words = Array.from(told.matchAll(/`(\w+)`/g), ([, word = '']) => word)
    expect(words.toSorted()).toEqual(Object.keys(REFUND_STATUSES).toSorted())
  })

  it('for events include all that the hub reads', () => {
    const events = typesOf('Events.d.ts')
    expect([...MONEY_EVENTS, ...TERMINAL_EVENTS].filter((type) => !events.includes(`'${type}'`))).toEqual([])
  })
})
