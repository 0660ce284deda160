import * as v from 'valibot'
import { parseAmountNumber } from '../../contract/money.ts'
import { fromBase64 } from '../../platform/crypto/hash.ts'
import {
  type AskAnswer,
  type Fault,
  type Meaning,
  type Observed,
  OPEN,
  PAID,
  UNDERWAY,
  closedAs,
  endedAs,
  standingOf,
  unknownWord,
  wordIn,
} from '../answer.ts'
import { type CallResult, unavailable } from '../http-client.ts'
import { BY_STATUS, answeredWithout, shownCard } from '../reading.ts'
import { fromPspUnits } from '../values.ts'
import { PATIENCE, UNITS } from './tables.ts'

/*
 * What a terminal says about a payment: https://docs.adyen.com/api-explorer/terminal-api. Strict only about
 * the members that decide, so that an oddity elsewhere does not hide a payment.
 */

/** The end of a payment at a terminal, and the first word of the error that the shop reads. */
type Condition = { meaning: Meaning; reason?: Fault }

const FAILED = closedAs('FAILURE')
const CANCELLED: Condition = { meaning: closedAs('CANCELLED') }
const DECLINED: Condition = { meaning: FAILED, reason: 'declined' }
const BUSY: Condition = { meaning: FAILED, reason: 'terminal_busy' }
const OFF: Condition = { meaning: FAILED, reason: 'terminal_off' }

/**
 * The meaning of each `ErrorCondition` of a payment to which a terminal answered `Failure`
 * (https://docs.adyen.com/point-of-sale/error-scenarios). It alone decides: the reasons and messages with it
 * "should not be coded against" (…/refusal-reasons-pos). Each answer ends its request. Only after
 * `UnreachableHost` money may still come: under it comes a time-out of the bank after the card was read
 * (https://github.com/Adyen/adyen-dotnet-api-library/issues/915), and then "Adyen cancels the transaction"
 * (…/pos-timeouts), but an authorisation may be signed before.
 */
export const CONDITIONS: Readonly<Record<string, Condition>> = {
  Refusal: DECLINED,
  InvalidCard: DECLINED,
  WrongPIN: DECLINED,
  PaymentRestriction: DECLINED,
  NotAllowed: DECLINED,
  Cancel: CANCELLED,
  Aborted: CANCELLED,
  Busy: BUSY,
  InsertedCard: BUSY,
  DeviceOut: OFF,
  LoggedOut: OFF,
  UnavailableDevice: OFF,
  UnavailableService: { meaning: FAILED, reason: 'terminal_unreachable' },
  UnreachableHost: { meaning: endedAs('FAILURE'), reason: 'terminal_unreachable' },
  MessageFormat: { meaning: FAILED, reason: 'refused_other' },
}

/** A member that may be missing or have any form, and then says nothing. */
function loose<Schema extends v.GenericSchema>(schema: Schema) {
  return v.fallback(v.optional(schema), undefined)
}
const words = loose(v.string())

const Verdict = v.object({
  Result: v.string(),
  ErrorCondition: words,
  AdditionalResponse: v.pipe(v.fallback(v.optional(v.string(), ''), ''), v.transform(additionalOf)),
})

const CardData = v.object({ MaskedPan: words, PaymentBrand: words, EntryMode: loose(v.array(v.string())) })

/** The answer to a payment request, in an event notification or in the answer to a later question. */
export const PaymentResponse = v.object({
  Response: Verdict,
  SaleData: loose(v.object({ SaleTransactionID: v.object({ TransactionID: v.string() }) })),
  POIData: loose(v.object({ POITransactionID: v.object({ TransactionID: v.string() }) })),
  PaymentResult: loose(
    v.object({
      AmountsResp: loose(
        v.object({ Currency: words, AuthorizedAmount: loose(v.number()), TipAmount: loose(v.number()) }),
      ),
      OnlineFlag: loose(v.boolean()),
      PaymentAcquirerData: loose(v.object({ ApprovalCode: words })),
      PaymentInstrumentData: loose(v.object({ CardData: loose(CardData) })),
    }),
  ),
})
type PaymentResponse = v.InferOutput<typeof PaymentResponse>

const Status = v.object({
  SaleToPOIResponse: v.object({
    TransactionStatusResponse: v.object({
      Response: Verdict,
      RepeatedMessageResponse: loose(
        v.object({
          MessageHeader: loose(v.object({ ServiceID: v.string() })),
          RepeatedResponseMessageBody: v.object({ PaymentResponse: PaymentResponse }),
        }),
      ),
    }),
  }),
})

const Rejected = v.object({
  SaleToPOIRequest: v.object({
    EventNotification: v.object({
      EventToNotify: v.literal('Reject'),
      EventDetails: v.fallback(v.string(), ''),
    }),
  }),
})

/**
 * Returns why Adyen rejects a payment on behalf of its terminal; null if it does not. After "Did not receive
 * a response from the POI" a connected terminal may still have the payment.
 */
export function rejectionIn(body: unknown): string | null {
  const rejected = v.safeParse(Rejected, body)
  if (!rejected.success) return null
  const details = new URLSearchParams(rejected.output.SaleToPOIRequest.EventNotification.EventDetails)
  return `Adyen says: ${details.get('message') ?? 'the terminal cannot be reached'}`
}

/** Reads a payment from a terminal's answer to a question about it. */
export function toSeen(answer: CallResult, place: { serviceId: string }, currency: string): AskAnswer {
  const { serviceId } = place
  if (answer.is === 'unavailable') return answer
  if (answer.status >= 400) return answeredWithout({ psp: 'Adyen', ...BY_STATUS }, answer, 'the payment')
  const status = v.safeParse(Status, answer.body)
  if (!status.success) return unavailable('Adyen says that the terminal cannot be reached.')
  const { Response, RepeatedMessageResponse: repeated } =
    status.output.SaleToPOIResponse.TransactionStatusResponse
  if (Response.Result === 'Failure') {
    if (Response.ErrorCondition === 'NotFound') return { is: 'unknown' }
    if (Response.ErrorCondition === 'InProgress') return observed(OPEN)
    return unavailable(`Adyen says that the terminal cannot tell: ${wordsOf(Response)}`)
  }
  const isOwn = (repeated?.MessageHeader?.ServiceID ?? serviceId) === serviceId
  if (!repeated || !isOwn) return unavailable('Adyen answered without the payment.')
  return endIn(repeated.RepeatedResponseMessageBody.PaymentResponse, serviceId, currency)
}

function observed(meaning: Meaning, paid = 0): Observed {
  const patience = { ...PATIENCE, otherwise: STORED_FOR }
  return { is: 'observed', ...standingOf(meaning, patience, null), paid, expiresAt: null }
}

function endIn(response: PaymentResponse, serviceId: string, currency: string): AskAnswer {
  const { Result } = response.Response
  if (Result === 'Success' || Result === 'Partial') return paidIn(response, currency)
  return Result === 'Failure' ? failureIn(response, serviceId) : unknownWord('Adyen', 'result', Result)
}

/** How many days a terminal may need to forward a payment that it has stored: Adyen names no limit. */
const STORED_FOR = 7

/**
 * Reads an approved payment. A tip may come as `TipAmount`, in decimals, or only as `posAmountGratuityValue`, in
 * minor units. The authorised amount includes it in either case. A terminal without a connection approves a
 * payment itself, and stores it: it is paid only once Adyen has signed the bank's authorisation
 * (https://docs.adyen.com/point-of-sale/offline-payment).
 */
function paidIn(response: PaymentResponse, currency: string): AskAnswer {
  const { PaymentResult: result = {} } = response
  const { AmountsResp: amounts, PaymentAcquirerData, PaymentInstrumentData } = result
  const also = response.Response.AdditionalResponse
  const isStored = result.OnlineFlag === false || also.get('offline') === 'true'
  const minor = (decimal: number | undefined, name: string) => {
    if (decimal === undefined) return minorOf(also.get(name), currency)
    const read = parseAmountNumber(String(decimal), currency)
    return read.ok ? read.value : null
  }
  const isSame = (amounts?.Currency ?? currency) === currency
  const paid = isSame ? minor(amounts?.AuthorizedAmount, 'posAuthAmountValue') : null
  if (paid === null) return unavailable('Adyen answered with an amount that cannot be read.')
  const card = PaymentInstrumentData?.CardData
  const other = pspReferenceOf(response, also)
  const tip = minor(amounts?.TipAmount, 'posAmountGratuityValue') ?? 0
  return {
    ...(isStored ? { ...observed(UNDERWAY), progress: 'authorising' } : { ...observed(PAID, paid), tip }),
    ...shownCard({
      brand: card?.PaymentBrand ?? also.get('paymentMethod'),
      lastFour: card?.MaskedPan ?? also.get('cardSummary'),
      entryMode: card?.EntryMode?.[0] ?? also.get('posEntryMode'),
      authorisationCode: PaymentAcquirerData?.ApprovalCode ?? also.get('authCode'),
    }),
    ...(other === undefined ? {} : { other }),
  }
}

/** Reads a failure. If money may still come, that is no answer yet. */
function failureIn(response: PaymentResponse, serviceId: string): AskAnswer {
  const { ErrorCondition = '', AdditionalResponse } = response.Response
  // The same request was sent twice: the terminal is busy with the first one, which goes on.
  if (ErrorCondition === 'Busy' && AdditionalResponse.get('serviceId') === serviceId) return observed(OPEN)
  const said = wordIn(CONDITIONS, ErrorCondition)
  if (!said) return unknownWord('Adyen', 'error condition', ErrorCondition)
  const because = wordsOf(response.Response)
  const why = `${said.reason}: Adyen says: ${because}`
  if (said.meaning.is === 'ended' && !said.meaning.closed)
    return {
      ...unavailable(`Adyen says that money may still come: ${because}`),
      failure: `${why} ${TAKES_BACK}`,
    }
  return { ...observed(said.meaning), ...(said.reason ? { reason: why } : {}) }
}

const TAKES_BACK = 'If the card was charged all the same, Adyen takes that back by itself.'

/** The length of Adyen's reason that the hub keeps. */
const REASON_LENGTH = 140

/** Returns Adyen's own words, as one sentence. */
function wordsOf(verdict: v.InferOutput<typeof Verdict>): string {
  const { ErrorCondition = '', AdditionalResponse: also } = verdict
  const detail = also.get('refusalReason') ?? also.get('message')
  const text = detail === undefined ? ErrorCondition : `${ErrorCondition}, ${detail}`
  return `${text.slice(0, REASON_LENGTH)}.`
}

/** Reads `AdditionalResponse`: a form, or JSON in Base64, depending on the terminal's settings. */
function additionalOf(text: string): ReadonlyMap<string, string> {
  const parsed = v.safeParse(Additional, text)
  const { additionalData = {}, ...others } = parsed.success ? parsed.output : {}
  const all = parsed.success ? Object.entries({ ...others, ...additionalData }) : new URLSearchParams(text)
  return new Map([...all].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

const Additional = v.pipe(
  v.string(),
  v.base64(),
  v.transform((text) => new TextDecoder().decode(fromBase64(text))),
  v.parseJson(),
  v.looseObject({ additionalData: loose(v.record(v.string(), v.unknown())) }),
)

function minorOf(text: string | undefined, currency: string): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? fromPspUnits(Number(text), currency, UNITS) : null
}

/** Returns the payment's reference, which refunds need. It follows the tender's reference and a point. */
function pspReferenceOf({ POIData }: PaymentResponse, also: ReadonlyMap<string, string>): string | undefined {
  const [, ofPayment] = (POIData?.POITransactionID.TransactionID ?? '').split('.')
  return ofPayment || also.get('pspReference') || undefined
}
