import { PaymentLinkResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentLinkResponse.js'
import { NotificationRequestItem } from '@adyen/api-library/lib/src/typings/notification/notificationRequestItem.js'
import { describe, expect, it } from 'vitest'
import { EVENTS } from '../../../src/psp/adyen/notification.ts'
import { LinkStatus, STATUSES } from '../../../src/psp/adyen/tables.ts'

describe("the official library's words", () => {
  it('for the status of a link are those of the table', () => {
    const official = Object.values(PaymentLinkResponse.StatusEnum)
    expect(official.map(String).toSorted()).toEqual(LinkStatus.options.toSorted())
    expect(Object.keys(STATUSES).toSorted()).toEqual(official.map(String).toSorted())
  })

  /** Of the others, none moves money of a payment that was paid by a link. */
  const NOTHING_TO_TELL =
    'AUTORESCUE AUTHORISATION_ADJUSTMENT CANCEL_AUTORESCUE CANCELLATION CANCEL_OR_REFUND CAPTURE ' +
    'DISPUTE_DEFENSE_PERIOD_ENDED DONATION EXPIRE HANDLED_EXTERNALLY INFORMATION_SUPPLIED ISSUER_COMMENTS ' +
    'ISSUER_RESPONSE_TIMEFRAME_EXPIRED MANUAL_REVIEW_ACCEPT MANUAL_REVIEW_REJECT NOTIFICATION_OF_CHARGEBACK ' +
    'NOTIFICATION_OF_FRAUD OFFER_CLOSED ORDER_CLOSED ORDER_OPENED PAIDOUT_REVERSED PENDING POSTPONED_REFUND ' +
    'PREARBITRATION_LOST PREARBITRATION_WON PROCESS_RETRY PAYOUT_DECLINE PAYOUT_EXPIRE PAYOUT_THIRDPARTY ' +
    'RECURRING_CONTRACT REFUND_WITH_DATA REPORT_AVAILABLE REQUEST_FOR_INFORMATION TECHNICAL_CANCEL ' +
    'VOID_PENDING_REFUND'

  it('for events are each known to move money, or not to', () => {
    const official = Object.values(NotificationRequestItem.EventCodeEnum).map(String)
    expect([...EVENTS.keys(), ...NOTHING_TO_TELL.split(' ')].toSorted()).toEqual(official.toSorted())
  })
})
