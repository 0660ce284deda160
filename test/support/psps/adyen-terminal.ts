import { decimalsOf } from '../../../src/contract/money.ts'
import { type Devices, type Header, adyenCloud, member, textOf } from './adyen-cloud.ts'
import {
  type Json,
  type TerminalPayment,
  TIME,
  answerOf,
  asPaid,
  cardData,
  failed,
  headerOf,
} from './adyen-terminal-answers.ts'
import { type AdyenWebhookItem, pspReferenceOf, sendItem } from './adyen-webhook.ts'
import type { SentNotification } from './fake-psp.ts'

/** The merchant account of terminals, and the password of its event notifications. */
export type TerminalAccount = {
  apiKey: string
  merchantAccount: string
  hmacKey: string
  eventUser: string
  eventPassword: string
}

/**
 * A customer's payment by card. `tip` is in decimals; `tipAs` is the field in which the terminal reports it.
 */
export type Tap = {
  tip?: number
  tipAs?: 'TipAmount' | 'posAmountGratuityValue'
  authorised?: number
  isOnline?: boolean
  offline?: boolean
}

type Terminal = { isOn: boolean; isHeard: boolean; missed: number; payments: TerminalPayment[] }

/**
 * An account's terminals, behind Adyen's cloud. Each has one dialogue at a time, and remembers the answers of
 * earlier ones.
 */
export function adyenTerminals(account: TerminalAccount, ids: readonly string[]) {
  const terminals = new Map<string, Terminal>()
  const add = (id: string) => terminals.set(id, { isOn: true, isHeard: true, missed: 0, payments: [] })
  for (const id of ids) add(id)
  const events: SentNotification[] = []
  let lost = 0

  const atTerminal = (id: string) => {
    const terminal = terminals.get(id)
    if (!terminal) throw new Error(`Adyen has no terminal ${id}`)
    return terminal
  }
  const all = () => [...terminals.values()].flatMap(({ payments }) => payments)
  const currentOf = (id: string) => atTerminal(id).payments.find(({ response }) => response === null)
  const paymentOf = (job: string) => {
    const payment = all().findLast((one) => one.job === job)
    if (!payment) throw new Error(`no terminal has had ${job}`)
    return payment
  }

  /** An event notification. Only its "basic authentication" proves who sent it. */
  const eventOf = (body: Json): SentNotification => ({
    url: null,
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${btoa(`${account.eventUser}:${account.eventPassword}`)}`,
    },
    body: JSON.stringify(body),
  })
  const responseEventOf = (payment: TerminalPayment) =>
    eventOf({ SaleToPOIResponse: { MessageHeader: headerOf(payment), PaymentResponse: payment.response } })

  const end = (payment: TerminalPayment, response: Json): void => {
    if (payment.response) throw new Error(`the payment of ${payment.job} has ended already`)
    payment.response = response
    if (payment.isAsync) events.push(responseEventOf(payment))
    for (const tell of payment.ends) tell()
  }

  const start = (header: Header, content: unknown, isAsync: boolean) => {
    const id = header.POIID
    const amounts = member(content, 'PaymentTransaction', 'AmountsReq')
    const amount = member(amounts, 'RequestedAmount')
    const [job, time, currency, saleToAcquirerData] = [
      member(content, 'SaleData', 'SaleTransactionID', 'TransactionID'),
      member(content, 'SaleData', 'SaleTransactionID', 'TimeStamp'),
      member(amounts, 'Currency'),
      member(content, 'SaleData', 'SaleToAcquirerData'),
    ].map(textOf) as [string, string, string, string]
    if (job === '' || time === '' || currency === '' || typeof amount !== 'number') return null
    const payment: TerminalPayment = {
      terminal: id,
      serviceId: header.ServiceID,
      job,
      currency,
      amount,
      saleToAcquirerData,
      response: null,
      isThrough: false,
      isAsync,
      ends: [],
    }
    const current = currentOf(id)
    if (current) {
      const busy = `message=Service+Dialogue+PaymentRequest+is+in+Progress&serviceId=${current.serviceId}`
      end(payment, failed(asPaid(payment, account), 'Busy', busy))
    }
    // The terminal remembers the newest answer for a ServiceID, except for the current dialogue.
    if (current?.serviceId !== payment.serviceId) atTerminal(id).payments.push(payment)
    return payment
  }

  const statusOf = (id: string, reference: unknown): Json => {
    const serviceId = member(reference, 'ServiceID')
    const payment = atTerminal(id).payments.findLast((one) => one.serviceId === serviceId)
    const failure = (ErrorCondition: string) => ({ Response: { Result: 'Failure', ErrorCondition } })
    if (!payment) return failure('NotFound')
    if (!payment.response) return failure('InProgress')
    return {
      MessageReference: reference,
      Response: { Result: 'Success' },
      RepeatedMessageResponse: {
        MessageHeader: headerOf(payment),
        RepeatedResponseMessageBody: { PaymentResponse: payment.response },
      },
    }
  }

  const devices: Devices = {
    account,
    listed: () => terminals,
    pay: (header, content, isAsync) => {
      const payment = start(header, content, isAsync)
      if (!payment) return null
      const over = payment.response
        ? Promise.resolve()
        : new Promise<void>((resolve) => void payment.ends.push(resolve))
      return over.then(() => payment.response)
    },
    statusOf,
    abort: (id, serviceId) => {
      const current = currentOf(id)
      const isMeant = current?.serviceId === serviceId && !current?.isThrough
      if (current && isMeant) end(current, failed(asPaid(current, account), 'Aborted', 'message=Abort'))
    },
  }

  return {
    /** Answers a request to the terminals' API; null for any other request. */
    handle: async (request: Request): Promise<Response | null> => {
      const answer = await adyenCloud(devices, request)
      if (!answer || lost === 0) return answer
      lost -= 1
      throw new TypeError('network')
    },
    add,
    payments: all,
    /** Returns the payment with this reference in the form of a link, for refunds. */
    paidBy: (pspReference: string) =>
      all()
        .map((payment) => asPaid(payment, account))
        .find((paid) => pspReferenceOf(paid) === pspReference),
    pspReferenceOf: (job: string) => pspReferenceOf(asPaid(paymentOf(job), account)),
    paymentOf,
    /** Loses the next `count` answers. The terminals still receive the requests. */
    loseAnswers: (count: number) => void (lost = count),
    switch: (id: string, isOn: boolean) => void (atTerminal(id).isOn = isOn),
    /** The next payment does not reach the terminal, which is connected again immediately afterwards. */
    miss: (id: string) => void (atTerminal(id).missed = 1),
    /** The terminal still receives payments, but Adyen gets no answers from it. */
    mute: (id: string) => void (atTerminal(id).isHeard = false),
    hear: (id: string) => void (atTerminal(id).isHeard = true),
    /** Resets a terminal, which then remembers nothing. */
    forget: (id: string) => void (atTerminal(id).payments = []),
    /** The terminal has read the card. From now on the payment cannot be aborted. */
    read: (job: string) => void (paymentOf(job).isThrough = true),
    /** The customer pays. */
    tap: (
      job: string,
      { tip = 0, tipAs = 'TipAmount', authorised, isOnline = true, offline = false }: Tap = {},
    ) => {
      const payment = paymentOf(job)
      const { currency, amount } = payment
      const decimals = decimalsOf(currency)
      const minor = (sum: number) => String(Math.round(sum * 10 ** decimals))
      const total = authorised ?? Number((amount + tip).toFixed(decimals))
      const additional = new URLSearchParams({
        pspReference: pspReferenceOf(asPaid(payment, account)),
        ...(tipAs === 'posAmountGratuityValue' ? { [tipAs]: minor(tip) } : {}),
        posAuthAmountValue: minor(total),
      })
      if (offline) additional.set('offline', 'true')
      for (const [name, value] of new URLSearchParams(payment.saleToAcquirerData))
        if (name.startsWith('metadata.')) additional.set(name, value)
      const amounts = { Currency: currency, AuthorizedAmount: total }
      const Result = total < amount ? 'Partial' : 'Success'
      end(
        payment,
        answerOf(
          asPaid(payment, account),
          { Result, AdditionalResponse: additional.toString() },
          {
            PaymentResult: {
              OnlineFlag: isOnline,
              PaymentAcquirerData: { MerchantID: account.merchantAccount, ApprovalCode: '123456' },
              ...cardData('mc'),
              AmountsResp: tip > 0 && tipAs === 'TipAmount' ? { ...amounts, TipAmount: tip } : amounts,
            },
          },
        ),
      )
    },
    /** The terminal ends the payment without money. `isCardRead`: it has read a card. */
    fail: (job: string, condition: string, additional: string, isCardRead = false) => {
      const payment = paymentOf(job)
      const result = isCardRead ? { PaymentResult: cardData('maestro') } : {}
      end(payment, failed(asPaid(payment, account), condition, additional, result))
    },
    /** The event notifications since the last call. */
    events: (): SentNotification[] => events.splice(0),
    /** An event notification of the terminal, or of its display. */
    event: (EventToNotify: string): SentNotification =>
      eventOf({ SaleToPOIRequest: { EventNotification: { EventToNotify, TimeStamp: TIME } } }),
    /** The standard webhook of an authorisation, the same as for any payment. `value`: minor units. */
    authorised: (job: string, value: number, changes: Partial<AdyenWebhookItem> = {}) =>
      sendItem(
        {
          additionalData: {},
          amount: { currency: 'EUR', value },
          eventCode: 'AUTHORISATION',
          eventDate: TIME,
          merchantAccountCode: account.merchantAccount,
          merchantReference: job,
          paymentMethod: 'mc',
          pspReference: pspReferenceOf(asPaid(paymentOf(job), account)),
          reason: '',
          success: 'true',
          ...changes,
        },
        account.hmacKey,
      ),
  }
}
