import * as v from 'valibot'
import { sentIpAddress } from './ip-address.ts'
import { sentLanguage } from './language-tag.ts'
import { terminalId } from './terminals.ts'
import {
  CaptureMode,
  Integer,
  NO_CONTROLS_PATTERN,
  documented,
  sentCurrency,
  text,
  withoutControls,
} from './values.ts'
import { sentAmount, textOrNumber } from './sent-values.ts'

/**
 * An address of the shop: https, without credentials, on port 443. `refusedUrl` checks what a
 * pattern cannot: the host must be a public name, not an IP address, and not the hub.
 */
function address(description: string, example: string) {
  return v.pipe(
    text(2048),
    v.metadata({ pattern: ADDRESS }),
    v.description(description),
    v.examples([example]),
  )
}
const ADDRESS = String.raw`^[Hh][Tt][Tt][Pp][Ss]:\/\/[^\s\u0000-\u001f\u007f-\u009f\\/?#@:]+(:(0*443)?)?([/?#][^\s\u0000-\u001f\u007f-\u009f\\]*)?$`

const UNIX_SECONDS = 'must be Unix seconds, without decimals or milliseconds, such as 1790000000'
const NO_ADDRESS = "must have the customer's IP address, such as 203.0.113.7"
const LONGEST_ID = 32
const LONGEST_NUMBER = 255

const SENT = {
  timestamp: v.pipe(
    textOrNumber(UNIX_SECONDS, {
      json: {
        anyOf: [
          { type: 'string', pattern: String.raw`^\d+$`, maxLength: 12 },
          { type: 'integer', minimum: 0, exclusiveMaximum: 1e12 },
        ],
      },
      description:
        'When the order was made, usually now: Unix time in whole seconds, without milliseconds. The hub stores it, and checks ' +
        'only its form: a wrong clock stops no payment.',
      example: 1_790_000_000,
    }),
    v.regex(/^\d{1,12}$/, UNIX_SECONDS),
  ),
  currency: sentCurrency,
  amount: sentAmount(
    'The amount to pay: more than zero, at most 11 digits before the point, and the decimals of the currency. Send a text: it ' +
      'is read digit by digit. A number with a floating-point error (59.699999999999996) counts as the amount from which it ' +
      'differs by at most a millionth of the smallest unit. The hub never rounds.',
    '12.50',
  ),
  return_url: address(
    "Where the customer goes after paying: an `https` address on port 443 with a public host name that is not the hub's own. " +
      'A hub on your own machine (`npm run dev`) also takes `http` addresses of that machine, such as `http://localhost:3000/thanks`.',
    'https://shop.example.com/thanks',
  ),
  report_url: address(
    'Where the hub POSTs the job whenever it changes. The rules are those of `return_url`.',
    'https://shop.example.com/report',
  ),
  payment_method: v.pipe(
    text(64),
    v.regex(/^[\w.-]+$/, 'must have letters, digits, points, dashes and underscores only'),
    v.metadata({ pattern: String.raw`^[\w.-]+$` }),
    v.description('The name of a payment method of this point of sale, in small or capital letters.'),
    v.examples(['ideal']),
  ),
  order_id: v.pipe(
    textOrNumber('must be a number or a text of digits', {
      json: {
        anyOf: [
          { type: 'string', pattern: String.raw`^\d+$`, maxLength: LONGEST_ID },
          { type: 'integer', minimum: 0, exclusiveMaximum: 1e21 },
        ],
      },
      description: 'Your id of the order: digits. It comes back as a text; send a long one as a text.',
      example: '1001',
    }),
    v.regex(/^\d+$/, 'must have digits only'),
    v.maxLength(LONGEST_ID, `must have at most ${LONGEST_ID} digits`),
  ),
  order_number: v.pipe(
    textOrNumber('must be a number or a text', {
      json: {
        anyOf: [
          { type: 'string', minLength: 1, maxLength: LONGEST_NUMBER, pattern: NO_CONTROLS_PATTERN },
          { type: 'number' },
        ],
      },
      description:
        'Your number of the order. The customer sees it as the description of the payment. It comes back as a text. Its length counts ' +
        'UTF-16 code units: a character beyond the Basic Multilingual Plane, such as an emoji, counts as two.',
      example: 'A-1001',
    }),
    v.minLength(1, 'must not be empty'),
    v.maxLength(LONGEST_NUMBER, `must have at most ${LONGEST_NUMBER} characters`),
    withoutControls,
  ),
  language: sentLanguage,
  ip_address: v.pipe(sentIpAddress, v.minLength(1, NO_ADDRESS)),
  capture: v.optional(
    v.pipe(
      CaptureMode,
      v.description(
        '`automatic` (the default): the customer pays at once. `manual`: the money is only reserved, and you capture it later, also in parts, or release it. ' +
          '`GET /v2/paymentmethods` says which methods can do that.',
      ),
      v.examples(['manual']),
    ),
  ),
}

export const NewPaymentJob = documented(
  'An order that a customer pays on a page. Unknown fields are ignored.',
  SENT,
)
export type NewPaymentJob = v.InferInput<typeof NewPaymentJob>

/**
 * An order in the dialect v1. An order from a shop's back office has no customer's address. The
 * dialect has no captures, so the hub refuses an order that wants one, instead of taking the money
 * at once.
 */
export const paymentJobOfV1 = v.object({
  ...SENT,
  ip_address: v.nullish(sentIpAddress, ''),
  capture: v.optional(
    v.literal('automatic', 'must be automatic: the dialect v1 has no captures'),
    'automatic',
  ),
})

/** An order that a customer pays at a card terminal, without a page of the shop. */
export const NewTerminalJob = documented(
  'An order that a customer pays at a card terminal: it has a `terminal`. Unknown fields are ignored.',
  {
    ...SENT,
    terminal: v.pipe(
      terminalId,
      v.description('The id of a terminal from `GET /v2/terminals`, or `default`.'),
      v.examples(['default']),
    ),
    payment_method: v.pipe(
      v.optional(
        v.literal('terminal', 'must be terminal, or be left out: the customer pays at a terminal'),
        'terminal',
      ),
      v.description('`terminal`; may be left out.'),
    ),
    return_url: v.pipe(
      v.optional(v.union([v.literal(''), SENT.return_url]), ''),
      v.description('An address; may be left out, because no customer comes back.'),
    ),
    language: v.optional(SENT.language, 'en'),
    ip_address: v.nullish(sentIpAddress, ''),
    capture: v.pipe(
      v.optional(
        v.literal('automatic', 'must be automatic: a terminal takes the money at once'),
        'automatic',
      ),
      v.description('`automatic`; may be left out.'),
    ),
  },
)
export type NewTerminalJob = v.InferInput<typeof NewTerminalJob>

export const NewOrder = v.union([NewPaymentJob, NewTerminalJob])

/**
 * An order as the hub stores it, with `amount` in minor units of `currency`. Stored orders outlive
 * the API's schema: a new member is `v.exactOptional`, and no member is ever removed.
 */
export const Order = v.object({
  timestamp: v.string(),
  currency: v.string(),
  amount: Integer,
  returnUrl: v.string(),
  reportUrl: v.string(),
  paymentMethod: v.string(),
  orderId: v.string(),
  orderNumber: v.string(),
  language: v.string(),
  ipAddress: v.string(),
  /** Present only if the point of sale captures by itself. */
  capture: v.exactOptional(v.literal('manual')),
  /** The terminal at which the customer pays, and its account. */
  terminal: v.exactOptional(v.object({ id: v.string(), account: v.string() })),
})
export type Order = v.InferOutput<typeof Order>

/**
 * Makes an `Order` of the sent fields and the amount in minor units. The caller adds the terminal
 * and its account.
 */
export function keptOrder(
  { terminal: _terminal, ...sent }: v.InferOutput<typeof NewPaymentJob> & { terminal?: string },
  amount: number,
): Order {
  const { return_url, report_url, payment_method, order_id, order_number, ip_address, ...others } = sent
  const { timestamp, currency, language, capture, amount: _, ...forgotten } = others
  // If the API gains a field that this function does not keep, this line does not compile.
  forgotten satisfies Record<string, never>
  return {
    timestamp,
    currency,
    amount,
    returnUrl: return_url,
    reportUrl: report_url,
    paymentMethod: payment_method,
    orderId: order_id,
    orderNumber: order_number,
    language,
    ipAddress: ip_address,
    ...(capture === 'manual' ? { capture } : {}),
  }
}

/**
 * Returns the part that must be equal when a client repeats a create. Leaves out the time, because
 * a client may send a new one with its retry, and the customer's address, because a fingerprint
 * would still reveal it after its erasure. A new field must be optional, and be included only if the
 * client sent it, so that the fingerprints of existing jobs stay the same.
 */
export function comparedPart({ timestamp: _time, ipAddress: _address, ...compared }: Order): Partial<Order> {
  return compared
}
