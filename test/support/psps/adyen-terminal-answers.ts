import { decimalsOf } from '../../../src/contract/money.ts'
import { member } from './adyen-cloud.ts'
import { type AdyenLink, pspReferenceOf } from './adyen-webhook.ts'

export type Json = Record<string, unknown>

/** A payment request that reached a terminal, and its answer once it has ended. */
export type TerminalPayment = {
  terminal: string
  serviceId: string
  job: string
  currency: string
  /** The amount as requested, in the currency's own decimals. */
  amount: number
  saleToAcquirerData: string
  response: Json | null
  /** The payment can no longer be aborted. */
  isThrough: boolean
  isAsync: boolean
  ends: (() => void)[]
}

export const TIME = '2026-11-28T10:00:00.000Z'

/** A terminal's payment in the form of a link, for refunds and webhooks. */
export function asPaid(
  { serviceId, job, currency, amount, response }: TerminalPayment,
  { merchantAccount }: { merchantAccount: string },
): AdyenLink {
  const total = member(response, 'PaymentResult', 'AmountsResp', 'AuthorizedAmount') ?? amount
  return {
    id: serviceId.toUpperCase().padStart(14, 'T'),
    merchantAccount,
    status: 'completed',
    request: {
      reference: job,
      amount: { currency, value: Math.round(Number(total) * 10 ** decimalsOf(currency)) },
    },
    expiresAt: TIME,
    event: 'authorized',
  }
}

/** The header of an answer. */
export function headerOf({ terminal, serviceId }: TerminalPayment) {
  return {
    ProtocolVersion: '3.0',
    MessageClass: 'Service',
    MessageCategory: 'Payment',
    MessageType: 'Response',
    ServiceID: serviceId,
    SaleID: 'payment-hub',
    POIID: terminal,
  }
}

/**
 * A PaymentResponse. Its transaction id always has the tender's reference, a point, and the payment's
 * reference.
 */
export function answerOf(paid: AdyenLink, response: Json, more: Json = {}): Json {
  const TransactionID = `v4W5001715635808009.${pspReferenceOf(paid)}`
  return {
    POIData: { POITransactionID: { TimeStamp: TIME, TransactionID } },
    SaleData: { SaleTransactionID: { TimeStamp: TIME, TransactionID: paid.request['reference'] } },
    Response: response,
    ...more,
  }
}

export function failed(paid: AdyenLink, condition: string, additional: string, more: Json = {}): Json {
  const response = { Result: 'Failure', ErrorCondition: condition, AdditionalResponse: additional }
  return answerOf(paid, response, more)
}

/** The data of a card that the terminal has read. */
export function cardData(brand: string) {
  return {
    PaymentInstrumentData: {
      PaymentInstrumentType: 'Card',
      CardData: { EntryMode: ['Contactless'], PaymentBrand: brand, MaskedPan: '541333 **** 9999' },
    },
  }
}
