import * as v from 'valibot'
import { closestLocale } from '../../contract/language.ts'
import {
  type Reasons,
  type Meaning,
  type PatienceTable,
  AUTHORIZED,
  OPEN,
  PAID,
  UNDERWAY,
  endedAs,
} from '../answer.ts'
import type { Reserves } from '../port.ts'

export const Credentials = v.object({
  apiKey: v.pipe(
    v.string('must be a text'),
    v.trim(),
    v.regex(/^[!-~]{5,}$/, 'must be a MultiSafepay API key: five or more letters and digits'),
    v.description('API key of the website, from Websites → (the website) → API key'),
  ),
  terminalKey: v.optional(
    v.pipe(
      v.string('must be a text'),
      v.trim(),
      v.regex(/^[!-~]{5,}$/, 'must be the API key of a group of terminals: five or more letters and digits'),
      v.description(
        'API key of the group of terminals, from Devices → Terminals → Manage groups; only for card terminals, and only in live mode',
      ),
    ),
  ),
})
export type Credentials = v.InferOutput<typeof Credentials>

/**
 * MultiSafepay's gateways by the payment methods that orders name:
 * https://docs.multisafepay.com/reference/gateway-ids. For any other method the customer chooses on
 * MultiSafepay's page. The table leaves out methods that MultiSafepay refuses if an order names them:
 * those that are paid later (Klarna, Riverty, in3, Billink …) want a shopping cart and an address, and
 * some have ended (Sofort, giropay). It also leaves out bank transfer, and has Visa as a card, because an
 * order that names them must have the customer's e-mail address (`customer.email`), which MultiSafepay's
 * page can ask for. Create order does not list Alipay+. Gift cards have a gateway for each brand, but none
 * for all.
 */
export const METHODS: ReadonlyMap<string, string> = new Map([
  ['alipay', 'ALIPAY'],
  ['amex', 'AMEX'],
  ['applepay', 'APPLEPAY'],
  ['bancontact', 'MISTERCASH'],
  ['belfius', 'BELFIUS'],
  ['bizum', 'BIZUM'],
  ['card', 'CREDITCARD'],
  ['cbc', 'CBC'],
  ['creditcard', 'CREDITCARD'],
  ['directdebit', 'DIRDEB'],
  ['dotpay', 'DOTPAY'],
  ['eps', 'EPS'],
  ['googlepay', 'GOOGLEPAY'],
  ['ideal', 'IDEAL'],
  ['kbc', 'KBC'],
  ['maestro', 'MAESTRO'],
  ['mastercard', 'MASTERCARD'],
  ['mbway', 'MBWAY'],
  ['mistercash', 'MISTERCASH'],
  ['multibanco', 'MULTIBANCO'],
  ['paypal', 'PAYPAL'],
  ['sepa', 'DIRDEB'],
  ['sepadirectdebit', 'DIRDEB'],
  ['trustpay', 'TRUSTPAY'],
  ['visa', 'CREDITCARD'],
  ['wechatpay', 'WECHAT'],
])

/**
 * Methods that need what an order lacks: `first_name` and `last_name`, and for Amazon Pay the
 * address (`customer` in https://docs.multisafepay.com/reference/createorder).
 */
export const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  [
    'amazonpay',
    "MultiSafepay needs the customer's name and address for it, which the hub's API does not carry.",
  ],
  ['trustly', "MultiSafepay needs the customer's name for it, which the hub's API does not carry."],
])

/**
 * How long MultiSafepay holds the money of a card: "VISA: 7 days. Mastercard and Maestro: 30 days"
 * (https://docs.multisafepay.com/docs/manual-capture). On the page for cards the customer may use any of
 * them, so the shortest time counts. Several captures are possible.
 */
export const RESERVES: Reserves = {
  days: new Map([
    ['card', 7],
    ['creditcard', 7],
    ['maestro', 30],
    ['mastercard', 30],
    ['visa', 7],
  ]),
  captures: 'several',
}

/**
 * The locale for a language, from `customer.locale` in the API's document. The first one of a language is
 * its default. Without a locale the page is in English, but Bancontact requires one:
 * https://docs.multisafepay.com/reference/createorder
 */
export const localeOf = closestLocale(
  'en_US nl_NL nl_BE de_DE de_AT fr_FR fr_BE cs_CZ es_ES fi_FI it_IT pl_PL sv_SE zh_CN',
)

/** MultiSafepay refuses longer descriptions (error 1008). */
export const DESCRIPTION_LENGTH = 200

/** The reason for a refusal, by its `error_code`: https://docs.multisafepay.com/reference/error-reference */
export const REASONS: Reasons = new Map([
  ['1001', 'refused_amount'],
  ['1002', 'refused_amount'],
  ['1023', 'refused_method'],
  ['5001', 'refused_method'],
  ['1019', 'refused_account'],
  ['1032', 'refused_account'],
])

/**
 * https://docs.multisafepay.com/docs/payment-statuses. A refund or a chargeback follows a payment,
 * so both mean paid. No end is final: with Second Chance a customer pays for a cancelled order, and
 * MultiSafepay reopens it (https://docs.multisafepay.com/docs/second-chance). The words are those
 * of the API's document (openapi/components/schemas/Status.yaml and FinancialStatus.yaml in
 * https://github.com/MultiSafepay/docs) and of MultiSafepay's own clients (`Transaction.php`).
 */
export const STATUSES: Readonly<Record<string, Meaning>> = {
  initialized: OPEN,
  uncleared: UNDERWAY,
  reserved: AUTHORIZED,
  completed: PAID,
  shipped: PAID,
  declined: endedAs('FAILURE'),
  cancelled: endedAs('CANCELLED'),
  void: endedAs('CANCELLED'),
  expired: endedAs('EXPIRED'),
  refunded: PAID,
  partial_refunded: PAID,
  chargeback: PAID,
  chargedback: PAID,
}

/**
 * The meaning of the transaction's status (`financial_status`) of a completed or shipped order,
 * whose money may still be under way. Completed and initialized is "authorized and the funds
 * reserved": https://docs.multisafepay.com/docs/manual-capture
 */
export const WHEN_COMPLETED: typeof STATUSES = { ...STATUSES, initialized: AUTHORIZED }

/**
 * Methods whose money waits for the shop to ship, and how many days at most: the order is completed
 * and its transaction uncleared until then (https://docs.multisafepay.com/docs/klarna, …/riverty,
 * …/billink, …/pay-after-delivery). Their refunds want the cart.
 */
export const SHIPPED_FIRST: ReadonlyMap<string, number> = new Map([
  ['KLARNA', 28],
  ['AFTERPAY', 90],
  ['BILLINK', 30],
  ['BNPL_MF', 30],
  ['BNPL_INSTM', 21],
  ['SANTANDER', 14],
])
/** Methods that are refunded by the order's cart: RefundBNPL.yaml in the API's document. */
export const REFUNDED_BY_CART: ReadonlySet<string> = new Set([...SHIPPED_FIRST.keys(), 'IN3', 'ZINIA'])

/**
 * Methods whose order is under way once it is initialized, because the customer knows where to send
 * the money. A Multibanco payment can no longer be cancelled then:
 * https://docs.multisafepay.com/docs/bank-transfer, …/multibanco
 */
export const SLOW_METHODS: ReadonlySet<string> = new Set(['BANKTRANS', 'MULTIBANCO'])

/**
 * Days that money may be under way. Bank transfer: "didn't complete payment within 60 days". Direct
 * debit: 22 days over 500 EUR. Multibanco: 72 hours, and its settlement. Others are payments under
 * review, for five days (https://docs.multisafepay.com/docs/uncleared), and bank debits. Cards are
 * reserved for 30 days at most, as `RESERVES` says.
 */
export const PATIENCE: PatienceTable = {
  methods: new Map([['BANKTRANS', 60], ['DIRDEB', 22], ['MULTIBANCO', 7], ...SHIPPED_FIRST]),
  otherwise: 14,
  authorized: 30,
}

/**
 * The meaning of a refund's status; a refund is a transaction of its own:
 * https://docs.multisafepay.com/docs/payment-statuses. A reserved refund can be cancelled, and is
 * void then (openapi/components/requestBody/CancelRefund.yaml).
 */
export const REFUND_STATUSES = {
  initialized: 'pending',
  uncleared: 'pending',
  reserved: 'pending',
  completed: 'done',
  shipped: 'done',
  declined: 'failed',
  cancelled: 'failed',
  void: 'failed',
  expired: 'failed',
  refunded: 'done',
  partial_refunded: 'done',
  chargeback: 'pending',
  chargedback: 'pending',
} as const

/**
 * The meaning of a capture's status: a captured part is an order of its own, completed at once
 * (https://docs.multisafepay.com/docs/manual-capture), and may be refunded or charged back later.
 */
export const CAPTURE_STATUSES = { ...REFUND_STATUSES, chargeback: 'done', chargedback: 'done' } as const

/**
 * The meaning of the status of an `auth-cancellation`: a cancelled reservation is void. MultiSafepay's
 * own plugin for Magento relies on that word (`CompletedStatusOperation.php`).
 */
export const RELEASE_STATUSES = {
  ...REFUND_STATUSES,
  void: 'done',
  cancelled: 'done',
  expired: 'done',
} as const
