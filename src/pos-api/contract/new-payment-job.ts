import * as v from 'valibot'
import { LONGEST } from './lengths.ts'

const NO_CONTROLS = /^\P{Cc}*$/u

const text = (longest: number, description: string, example: string) =>
  v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(longest),
    v.regex(NO_CONTROLS),
    v.description(description),
    v.examples([example]),
  )

const digits = (longest: number) => v.pipe(v.string(), v.regex(/^\d+$/), v.maxLength(longest))

/** An amount that a point of sale sends. */
export const sentAmount = (description: string, example: string) =>
  v.pipe(
    v.union([
      v.pipe(v.string(), v.regex(/^(?=.*[1-9])0*\d{1,11}(\.\d+)?$/)),
      v.pipe(v.number(), v.gtValue(0), v.ltValue(100_000_000_000)),
    ]),
    v.description(description),
    v.examples([example]),
  )

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
    return_url: text(
      LONGEST.url,
      "Where the customer goes after paying: an `https` address on port 443 with a public host name, which is not the hub's own.",
      'https://shop.example.com/thanks',
    ),
    report_url: text(
      LONGEST.url,
      'Where the hub POSTs the job whenever it changes. An address as `return_url` is.',
      'https://shop.example.com/report',
    ),
    payment_method: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(LONGEST.paymentMethod),
      v.regex(/^[\w.-]+$/),
      v.description('The name of a payment method that this point of sale has, in small or capital letters.'),
      v.examples(['ideal']),
    ),
    order_id: v.pipe(
      v.union([digits(LONGEST.orderId), v.pipe(v.number(), v.integer(), v.minValue(0))]),
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
        'Your number of the order, which the customer sees as the description of the payment. It comes back as a text.',
      ),
      v.examples(['A-1001']),
    ),
    language: text(
      LONGEST.language,
      "The customer's language: a well-formed BCP 47 tag, also with an underscore. It comes back as you sent it.",
      'nl-NL',
    ),
    ip_address: v.pipe(
      v.string(),
      v.minLength(1),
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
