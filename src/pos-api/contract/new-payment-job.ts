import * as v from 'valibot'
import { LONGEST } from './lengths.ts'

/* oxlint-disable no-control-regex -- control characters are what is refused */

/** Not `\p{Cc}`: JSON Schema has no flags, and many languages' patterns no properties. */
export const NO_CONTROLS = /^[^\u0000-\u001f\u007f-\u009f]*$/

function digits(longest: number) {
  return v.pipe(v.string(), v.regex(/^\d+$/), v.maxLength(longest))
}

/**
 * An address of the shop: https, without credentials, on port 443. What a pattern cannot say of its host, the hub judges: a
 * public name, no IP address, not the hub itself.
 */
function address(description: string, example: string) {
  return v.pipe(
    v.string(),
    v.maxLength(LONGEST.url),
    v.regex(ADDRESS),
    v.description(description),
    v.examples([example]),
  )
}
const ADDRESS =
  /^[Hh][Tt][Tt][Pp][Ss]:\/\/[^\s\u0000-\u001f\u007f-\u009f\\/?#@:]+(:(0*443)?)?([/?#][^\s\u0000-\u001f\u007f-\u009f\\]*)?$/

/** BCP 47 (RFC 5646), also with underscores; WordPress has a `pt_PT_ao90`. */
const LANGUAGE =
  /^([A-Za-z]{2,3}|[A-Za-z]{5,8})([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|\d{3}))?([-_]([A-Za-z\d]{5,8}|\d[A-Za-z\d]{3}))*([-_][\dA-WYZa-wyz]([-_][A-Za-z\d]{2,8})+)*([-_][Xx]([-_][A-Za-z\d]{1,8})+)?([-_][Aa][Oo]90)?$/

/** IPv4, with a port or without one; IPv6, plain or in brackets; or a list that begins with one of these. */
const IP_ADDRESS =
  /^ *((0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])(\.(0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])){3}(:\d{1,5})?|[\dA-Fa-f.]*:[\dA-Fa-f:.]*|\[[\dA-Fa-f.]*:[\dA-Fa-f:.]*\](:\d{1,5})?) *(,[\s\S]*)?$/

/** An amount as a text: more than zero, at most 11 digits before the point. */
export const sentAmountText = /^(?=.*[1-9])0*\d{1,11}(\.\d+)?$/

/** An amount that a point of sale sends. */
export function sentAmount(description: string, example: string) {
  return v.pipe(
    v.union([
      v.pipe(v.string(), v.regex(sentAmountText)),
      v.pipe(v.number(), v.gtValue(0), v.ltValue(100_000_000_000)),
    ]),
    v.description(description),
    v.examples([example]),
  )
}

/** The body of `POST /v2/paymentjobs`: the order to be paid. The hub ignores fields that it does not know. */
export const NewPaymentJob = v.pipe(
  v.object({
    timestamp: v.pipe(
      v.union([digits(LONGEST.timestamp), v.pipe(v.number(), v.integer(), v.minValue(0), v.ltValue(1e12))]),
      v.description(
        'When the order was made, as a rule now: Unix time in whole seconds, without milliseconds.',
      ),
      v.examples([1_790_000_000]),
    ),
    currency: v.pipe(
      v.string(),
      v.regex(/^[A-Z]{3}$/),
      v.description('An active ISO 4217 code in capitals.'),
      v.examples(['EUR']),
    ),
    amount: sentAmount(
      'What is to be paid: more than zero, at most 11 digits before the point, and the decimals of the currency. Send a text: it ' +
        'is read digit by digit. A number that is off by floating point (59.699999999999996) counts as the amount that it is ' +
        'within a millionth of the smallest unit of. Nothing is ever rounded.',
      '12.50',
    ),
    return_url: address(
      "Where the customer goes after paying: an `https` address on port 443 with a public host name, which is not the hub's own. " +
        'A hub on your own machine (`npx hub dev`) also takes `http` addresses of that machine, such as `http://localhost:3000/thanks`.',
      'https://shop.example.com/thanks',
    ),
    report_url: address(
      'Where the hub POSTs the job whenever it changes. An address as `return_url` is.',
      'https://shop.example.com/report',
    ),
    payment_method: v.pipe(
      v.string(),
      v.maxLength(LONGEST.paymentMethod),
      v.regex(/^[\w.-]+$/),
      v.description('The name of a payment method that this point of sale has, in small or capital letters.'),
      v.examples(['ideal']),
    ),
    order_id: v.pipe(
      v.union([digits(LONGEST.orderId), v.pipe(v.number(), v.integer(), v.minValue(0), v.ltValue(1e21))]),
      v.description(
        'Your id of the order: digits. It comes back as a text, so a long one is safest as a text.',
      ),
      v.examples(['1001']),
    ),
    order_number: v.pipe(
      v.union([
        v.pipe(v.string(), v.minLength(1), v.maxLength(LONGEST.orderNumber), v.regex(NO_CONTROLS)),
        v.number(),
      ]),
      v.description(
        'Your number of the order, which the customer sees as the description of the payment. It comes back as a text. The hub counts its length in ' +
          'UTF-16 code units: a character beyond the Basic Multilingual Plane, such as an emoji, is two.',
      ),
      v.examples(['A-1001']),
    ),
    language: v.pipe(
      v.string(),
      v.maxLength(LONGEST.language),
      v.regex(LANGUAGE),
      v.description(
        "The customer's language: a well-formed BCP 47 tag, also with an underscore. It comes back as you sent it.",
      ),
      v.examples(['nl-NL']),
    ),
    ip_address: v.pipe(
      v.string(),
      v.regex(IP_ADDRESS),
      v.description(
        "The customer's IPv4 or IPv6 address. It may have a port or brackets; of a list as in `X-Forwarded-For`, the first counts.",
      ),
      v.examples(['203.0.113.7']),
    ),
  }),
  v.title('New payment job'),
  v.description('An order that a customer is to pay. Fields that the hub does not know are ignored.'),
)
export type NewPaymentJob = v.InferOutput<typeof NewPaymentJob>
