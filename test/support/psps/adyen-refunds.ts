import { type AdyenAnswer, REQUESTS, adyenError, checkRequest } from './adyen-requests.ts'
import { type AdyenLink, type AdyenWebhookItem, adyenItem } from './adyen-webhook.ts'

/** A refund that Adyen has received: PaymentRefundResponse of CheckoutService-v71. */
export type AdyenRefund = {
  amount: AdyenWebhookItem['amount']
  merchantAccount: string
  paymentPspReference: string
  pspReference: string
  reference: string
  status: 'received'
}

/** The refunds of all links. */
export function adyenRefunds() {
  const refunds: AdyenRefund[] = []
  return {
    /** Receives a refund of a payment, and of its link; undefined where none was paid by that. */
    receive: (
      paymentPspReference: string,
      link: AdyenLink | undefined,
      merchantAccount: string,
      body: string,
    ): AdyenAnswer => {
      const checked = checkRequest(REQUESTS.refund, body)
      if (!checked.ok) return checked.answer
      if (checked.fields['merchantAccount'] !== merchantAccount)
        return adyenError(403, '901', 'Invalid Merchant Account', 'security')
      if (link?.merchantAccount !== merchantAccount || link.status !== 'completed')
        return adyenError(422, '167', 'Original pspReference required for this operation')
      const number = (refunds.length + 1).toString(16).toUpperCase()
      const refund: AdyenRefund = {
        amount: checked.fields['amount'] as AdyenRefund['amount'],
        merchantAccount,
        paymentPspReference,
        pspReference: number.padStart(16, 'RF93617894906488'),
        reference: (checked.fields['reference'] as string | undefined) ?? '',
        status: 'received',
      }
      refunds.push(refund)
      return { status: 201, body: refund }
    },
    all: (): readonly AdyenRefund[] => refunds,
  }
}

/** What a webhook says of a refund. It has the refund's own reference, where one was given. */
export function refundItem(
  link: AdyenLink,
  refund: AdyenRefund,
  at: number,
  changes: Partial<AdyenWebhookItem> = {},
): AdyenWebhookItem {
  const authorisation = adyenItem(link, 'authorized', at)
  return {
    ...authorisation,
    additionalData: {},
    amount: refund.amount,
    eventCode: 'REFUND',
    merchantReference: refund.reference === '' ? authorisation.merchantReference : refund.reference,
    originalReference: refund.paymentPspReference,
    pspReference: refund.pspReference,
    ...changes,
  }
}
