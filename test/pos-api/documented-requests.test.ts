import * as v from 'valibot'
import { NewRefund } from '../../src/contract/instruction.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalsOf, isCurrency } from '../../src/contract/money.ts'
import { keepDigits } from '../../src/contract/sent-values.ts'
import { readOrder } from '../../src/pos-api/create-payment-job.ts'
import { parseInstruction } from '../../src/job/instruct-job.ts'
import type { JsonObject, Reviver } from '../../src/platform/http/body.ts'
import { order } from '../support/hub/hub.ts'
import { type Unsayable, documentAccepts, OF_ALL_TEXTS } from '../support/openapi/compare.ts'
import { around, near } from '../support/openapi/interesting.ts'
import { sampleJob } from '../support/jobs/played-job.ts'

/*
 * The hub accepts what the OpenAPI document accepts, and refuses what it refuses, except for what JSON Schema cannot say. One such
 * thing is the form of a number: 1.0 is not an integer to the hub. So numbers are written as JSON.stringify does.
 */

/** The longest texts of an order: the test tries lengths near these. */
const LONGEST = {
  timestamp: 12,
  url: 2048,
  paymentMethod: 64,
  orderId: 32,
  orderNumber: 255,
  language: 35,
  description: 140,
}

type Body = Record<string, unknown>

// Declared here as in src/platform/http/body.ts: TypeScript's JSON.parse does not know the source
// text yet.
const parse: (text: string, reviver?: Reviver) => JsonObject = JSON.parse

function textOf(body: Body, field: string): string {
  return typeof body[field] === 'string' ? body[field] : ''
}

/** Counts the digits after the point, without trailing zeros. */
function decimalsIn(amount: unknown): number {
  if (typeof amount === 'number' && Math.abs(amount) < 1e-20 && amount !== 0) return Infinity
  const text = typeof amount === 'number' ? amount.toFixed(20) : String(amount)
  return /\.(\d*?)0*$/.exec(text)?.[1]?.length ?? 0
}

const TOO_MANY_DECIMALS: Unsayable<Body> = {
  what: 'more decimals than the currency has',
  why: 'the pattern of one field cannot depend on another; numbers may be off by floating point',
  isIn: ({ amount, currency = 'EUR' }) =>
    decimalsIn(amount) > (isCurrency(String(currency)) ? decimalsOf(String(currency)) : 0),
}

const ORDINARY_HOST = /^[a-z][a-z\d]*(\.[a-z][a-z\d]*)*\.(com|nl)(:\d*)?$/i

/**
 * Returns the host of an address with its port; none for one with credentials or another scheme.
 */
function hostIn(address: string): string | null {
  return /^https:\/\/([^/?#@\\\s\p{Cc}]*)(?=[/?#]|$)/iu.exec(address)?.[1] ?? null
}

const OF_ORDERS: readonly Unsayable<Body>[] = [
  ...OF_ALL_TEXTS,
  TOO_MANY_DECIMALS,
  {
    what: 'hosts of addresses that are no ordinary public names',
    why: 'what a host means, only the URL standard says; which names are internal or the hub itself is a list',
    isIn: (body) =>
      ['return_url', 'report_url'].some((field) => {
        const host = hostIn(textOf(body, field))
        return host !== null && !ORDINARY_HOST.test(host)
      }),
  },
  {
    what: 'language tags with extensions or repeated variants',
    why: 'a pattern cannot tell that a part comes twice; the -t- and -u- extensions have grammars of their own',
    isIn: (body) => {
      const [, ...parts] = textOf(body, 'language').toLowerCase().split(/[-_]/)
      return parts.some((part, at) => part.length === 1 || parts.indexOf(part) !== at)
    },
  },
  {
    what: 'IPv6 addresses',
    why: 'how many groups an address may have where some are left out would be a pattern that nobody can read',
    isIn: (body) => /(^|,)[ \t]*"?\[?[\dA-Fa-f.]*:[\dA-Fa-f:.]*/.test(textOf(body, 'ip_address')),
  },
]

const URLS = [
  'https://shop.nl/thanks?order=7',
  'https://shop.nl',
  'HTTPS://Shop.com:443/#a',
  'https://u@shop.nl/',
]

const FIELDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  timestamp: around([1_790_000_000, '1790000000', 999_999_999_999, 1e12, 0, -1, 1.5], LONGEST.timestamp),
  currency: around(['EUR', 'JPY', 'KWD', 'XXX', 'eur', 'BGN']),
  amount: around([
    '12.50',
    '10',
    '0.01',
    '0',
    '0.00',
    '007',
    '99999999999',
    '100000000000',
    '1.',
    '.5',
    12.5,
    59.699999999999996,
    1e11,
    0,
    -3,
    1e-7,
  ]),
  return_url: around(URLS, LONGEST.url),
  report_url: around(URLS, LONGEST.url),
  payment_method: around(['ideal', 'a.b-c_d'], LONGEST.paymentMethod),
  order_id: around(['7', 7, 1e20, 1e21, '0'.repeat(32)], LONGEST.orderId),
  order_number: around(['A-7', 7, -1.5, 1e300], LONGEST.orderNumber),
  language: around(
    ['nl', 'nl-NL', 'nl_NL', 'zh-Hant-TW', 'es-419', 'pt_PT_ao90', 'sl-rozaj-biske', 'x-lb', 'abcd'],
    LONGEST.language,
  ),
  ip_address: around([
    '203.0.113.7',
    '203.0.113.7:443',
    ' 203.0.113.7 ',
    '203.0.113.7, 10.0.0.1',
    'unknown, 203.0.113.7',
    'unknown, _hidden',
    ' "203.0.113.7:443",',
    '"203.0.113.7',
    '256.1.1.1',
    '01.1.1.1',
    '1.1.1',
  ]),
}

const someOrder = near(order, FIELDS)

function hubAcceptsOrder(body: Body): boolean {
  return readOrder(parse(JSON.stringify(body), keepDigits), {
    own: ['hub.shop-payments.com'],
    loopback: false,
  }).ok
}

const job = sampleJob()

function hubAcceptsRefund(body: Body): boolean {
  const read = v.safeParse(NewRefund, parse(JSON.stringify(body), keepDigits))
  return read.success && parseInstruction('refund', read.output, job).ok
}

const someRefund = near(
  { amount: '5.00', description: 'A shirt came back' },
  {
    amount: around(['5.00', '0', 5, 0.1, null, '1.5']),
    description: around(['A shirt came back', ''], LONGEST.description),
    more: fc.jsonValue(),
  },
)

const OF_REFUNDS = [...OF_ALL_TEXTS, TOO_MANY_DECIMALS]

describe.each([
  {
    what: 'an order',
    schema: 'NewPaymentJob',
    some: someOrder,
    hubAccepts: hubAcceptsOrder,
    unsayable: OF_ORDERS,
  },
  {
    what: 'a refund',
    schema: 'NewRefund',
    some: someRefund,
    hubAccepts: hubAcceptsRefund,
    unsayable: OF_REFUNDS,
  },
])('the document and the hub', ({ what, schema, some, hubAccepts, unsayable }) => {
  const isSayable = (body: Body) => !unsayable.some(({ isIn }) => isIn(body))

  it(`agree on ${what}, whatever is sent`, () => {
    const seen = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(some, (body) => {
        fc.pre(isSayable(body))
        const isAccepted = documentAccepts(schema, body)
        seen[isAccepted ? 'accepted' : 'refused']++
        expect(hubAccepts(body)).toBe(isAccepted)
      }),
      { numRuns: 1500, maxSkipsPerRun: 100 },
    )
    // A property that only ever sees one side proves nothing.
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(100)
  })

  it(`${what} that the document refuses is refused by the hub too, whatever JSON Schema cannot say`, () => {
    fc.assert(
      fc.property(some, (body) => {
        fc.pre(!documentAccepts(schema, body))
        expect(hubAccepts(body)).toBe(false)
      }),
      { numRuns: 700, maxSkipsPerRun: 100 },
    )
  })
})
