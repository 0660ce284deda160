import { keepDigits } from '../../src/contract/sent-values.ts'
import { readOrder } from '../../src/pos-api/create-payment-job.ts'
import { paymentJobOfV1, type Order } from '../../src/contract/order.ts'
import type { Result } from '../../src/contract/result.ts'
import type { JsonObject, Reviver } from '../../src/platform/http/body.ts'
import type { FieldError, Refusal } from '../../src/platform/http/refusal.ts'
import { describe, expect, it } from 'vitest'

/** A good order, each field as the JSON that is sent. */
const FIELDS = {
  timestamp: '1790000000',
  currency: '"EUR"',
  amount: '"12.50"',
  return_url: '"https://shop.nl/thanks?order=7"',
  report_url: '"https://shop.nl/report"',
  payment_method: '"ideal"',
  order_id: '7',
  order_number: '"A-7"',
  language: '"nl"',
  ip_address: '"203.0.113.7"',
}

const ORDER: object = Object.fromEntries(
  Object.entries(FIELDS).map(([field, json]) => [field, JSON.parse(json)]),
)

const RULES = { own: ['hub.shop-payments.com'], loopback: false }

const FIELD_NAMES: readonly string[] = Object.keys(FIELDS)

type Changes = Record<string, string | null>

// Declared here as in src/platform/http/body.ts: TypeScript's JSON.parse does not know the source
// text yet.
const parse: (text: string, reviver: Reviver) => JsonObject = JSON.parse

/**
 * Reads an order as the API does, from its JSON text. `changes` replaces fields with JSON, or removes
 * them (null); `more` adds members.
 */
function read(changes: Changes = {}, more = ''): Result<Order, Refusal> {
  const fields = Object.entries<string | null>({ ...FIELDS, ...changes })
  const members = fields.flatMap(([field, value]) => (value === null ? [] : `"${field}":${value}`))
  const body = parse(`{${[...members, ...(more ? [more] : [])].join(',')}}`, keepDigits)
  return readOrder(body, RULES)
}

function ordered(changes: Changes = {}, more = ''): Order {
  const order = read(changes, more)
  if (!order.ok) throw new Error(JSON.stringify(order.error))
  return order.value
}

function errorsOf(changes: Changes, more = ''): readonly FieldError[] {
  const order = read(changes, more)
  if (order.ok || order.error.code !== 'fields-invalid') throw new Error('the order was taken')
  return order.error.errors
}

it("reads an order into the hub's own members", () => {
  expect(ordered()).toStrictEqual({
    timestamp: '1790000000',
    currency: 'EUR',
    amount: 1250,
    returnUrl: 'https://shop.nl/thanks?order=7',
    reportUrl: 'https://shop.nl/report',
    paymentMethod: 'ideal',
    orderId: '7',
    orderNumber: 'A-7',
    language: 'nl',
    ipAddress: '203.0.113.7',
  })
})

describe('text and number are the same', () => {
  it.each([
    ['amount', '12.50', 'amount', 1250],
    ['amount', '"12.50"', 'amount', 1250],
    ['amount', '12.5', 'amount', 1250],
    ['amount', '10', 'amount', 1000],
    ['amount', '1e3', 'amount', 100_000],
    ['amount', '1.05E1', 'amount', 1050],
    ['amount', '1050e-2', 'amount', 1050],
    ['amount', '1.15', 'amount', 115],
    ['amount', '0.1', 'amount', 10],
    ['amount', '99999999999.99', 'amount', 9_999_999_999_999],
    ['order_id', '7', 'orderId', '7'],
    ['order_id', '"7"', 'orderId', '7'],
    ['order_id', '"007"', 'orderId', '007'],
    ['order_id', '0', 'orderId', '0'],
    ['order_id', '1e3', 'orderId', '1000'],
    ['amount', '59.699999999999996', 'amount', 5970],
    ['amount', '5.9699999999999996e1', 'amount', 5970],
    ['amount', '10.000', 'amount', 1000],
    ['amount', '"12.5000"', 'amount', 1250],
    ['timestamp', '1790000000', 'timestamp', '1790000000'],
    ['timestamp', '"1790000000"', 'timestamp', '1790000000'],
    ['timestamp', '1.79e9', 'timestamp', '1790000000'],
  ])('%s: %s', (field, value, name, taken) => {
    expect(ordered({ [field]: value })).toMatchObject({ [name]: taken })
  })

  it.each(['12345678901234567890', '"12345678901234567890"', '9007199254740993', '1'.repeat(32)])(
    'and an order id keeps all its digits: %s',
    (value) => {
      expect(ordered({ order_id: value }).orderId).toBe(value.replaceAll('"', ''))
    },
  )

  it('and the last one counts if a member comes twice', () => {
    expect(ordered({ order_id: '1,"order_id":9007199254740993' }).orderId).toBe('9007199254740993')
  })

  it.each([
    ['12345678901234567891e0', '12345678901234567891'],
    ['1234567890123456789.1e1', '12345678901234567891'],
    ['1.2345678901234567891E+19', '12345678901234567891'],
    ['1e20', `1${'0'.repeat(20)}`],
    ['700e-2', '7.00'],
  ])('and no digit is dropped if the number has an exponent: %s', (value, digits) => {
    const plain = read({ order_id: digits })
    expect(read({ order_id: value })).toEqual(plain)
    expect(!plain.ok).toBe(digits.includes('.'))
  })

  it.each([
    ['10.000000000000000001e0', '10.000000000000000001'],
    ['1.0000000000000000001e1', '10.000000000000000001'],
    ['10000e-3', '10.000'],
    ['-1e1', '-10'],
    ['0e0', '0'],
    ['1250e-2', '12.50'],
    ['0.0125e+3', '12.5'],
    ['125e-1', '12.5'],
    ['0.1e-1', '0.01'],
    ['1e-2', '0.01'],
  ])('and an amount of %s is judged as %s is', (value, plain) => {
    expect(read({ amount: value })).toEqual(read({ amount: plain }))
  })
})

describe('a language is stored as it was sent', () => {
  it.each(['nl', 'nl-NL', 'nl_NL', 'NL', 'zh_Hans_CN', 'fur', 'pcm_NG', 'de_DE_formal', 'pt_PT_ao90'])(
    '%s',
    (language) => {
      expect(ordered({ language: JSON.stringify(language) }).language).toBe(language)
    },
  )
})

describe('an order number may be a number, whose digits are kept', () => {
  it.each([
    ['1001', '1001'],
    ['12345678901234567890', '12345678901234567890'],
    ['10.50', '10.50'],
    ['0', '0'],
    ['"007"', '007'],
  ])('%s', (sent, taken) => {
    expect(ordered({ order_number: sent }).orderNumber).toBe(taken)
  })
})

describe('an amount is in the minor units of its currency', () => {
  it.each([
    ['100', 'JPY', 100],
    ['100.00', 'JPY', 100],
    ['1.234', 'KWD', 1234],
    ['1.2345', 'CLF', 12_345],
  ])('%s %s is %i', (amount, currency, minor) => {
    expect(ordered({ amount, currency: JSON.stringify(currency) }).amount).toBe(minor)
  })
})

describe('an address of the customer may be', () => {
  it.each(['203.0.113.7', '127.0.0.1', '2001:db8::7', '::1', '::ffff:203.0.113.7', 'FE80::1'])(
    '%s',
    (address) => {
      expect(ordered({ ip_address: JSON.stringify(address) }).ipAddress).toBe(address)
    },
  )
})

describe('an address as proxies write it is read as the plain address', () => {
  it.each([
    ['203.0.113.7:443', '203.0.113.7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['203.0.113.7, 10.0.0.1', '203.0.113.7'],
    ['203.0.113.7:52000,10.0.0.1:80', '203.0.113.7'],
    ['2001:db8::7 , 203.0.113.7', '2001:db8::7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['unknown, 203.0.113.7', '203.0.113.7'],
    [',203.0.113.7', '203.0.113.7'],
    ['Unknown,\t_hidden , _SEVKISEK:80, 2001:db8::7, 10.0.0.1', '2001:db8::7'],
    ['fe80::1%eth0, 203.0.113.7:443', '203.0.113.7'],
    ['256.0.0.1, 203.0.113.7', '203.0.113.7'],
    ['"[2001:db8::1]:4711"', '2001:db8::1'],
    ['unknown, "203.0.113.7:47011"', '203.0.113.7'],
  ])('%s', (sent, taken) => {
    expect(ordered({ ip_address: JSON.stringify(sent) }).ipAddress).toBe(taken)
  })
})

describe('a shop of the dialect v1 may omit the address of an order from its back office', () => {
  const ofV1 = (ipAddress: object) => {
    const { ip_address: _, ...others } = parse(JSON.stringify(ORDER), keepDigits)
    return readOrder({ ...others, ...ipAddress }, RULES, paymentJobOfV1)
  }

  it.each([
    {},
    { ip_address: null },
    ...['', ' ', 'unknown', ', _hidden'].map((ip_address) => ({ ip_address })),
  ])('%j', (sent) => {
    expect(ofV1(sent)).toEqual({ ok: true, value: { ...ordered(), ipAddress: '' } })
  })

  it('but a text that is not an address is refused', () => {
    expect(ofV1({ ip_address: '203.0.113.7' })).toEqual({ ok: true, value: ordered() })
    for (const ip_address of ['localhost', 7, ['203.0.113.7']]) expect(ofV1({ ip_address }).ok).toBe(false)
  })
})

describe('an unknown field', () => {
  const plain = ordered()

  it.each([
    ['of a client', '"plugin_version":"2.1","items":[{"amount":1}]'],
    ['that looks like a refusal', '"refused":"not-found","detail":"x"'],
    ['that looks like an order', '"orderId":"8","returnUrl":"http://localhost/","amountPaid":5'],
    ['that would be the prototype', '"__proto__":{"amount":"1.00","refused":"invalid"}'],
    ['that every object has', '"constructor":{"prototype":{"amount":1}},"toString":1'],
  ])('is ignored: one %s', (_, members) => {
    expect(ordered({}, members)).toStrictEqual(plain)
  })

  it('does not replace a missing one', () => {
    expect(errorsOf({ amount: null }, '"__proto__":{"amount":"1.00"}')).toEqual([
      { field: 'amount', error: 'is required' },
    ])
  })
})

describe('all invalid fields are reported at once', () => {
  it('when the body is empty, in the order of the documentation', () => {
    const nothing = Object.fromEntries(FIELD_NAMES.map((field) => [field, null]))
    expect(errorsOf(nothing)).toEqual(FIELD_NAMES.map((field) => ({ field, error: 'is required' })))
  })

  it('each once, even if it is wrong in two ways', () => {
    expect(errorsOf({ payment_method: '"\\u0000 "', order_id: `"${'x'.repeat(40)}"` })).toEqual([
      { field: 'payment_method', error: 'must not have control characters' },
      { field: 'order_id', error: 'must have digits only' },
    ])
  })

  it('also the amount, although its currency is unknown', () => {
    expect(errorsOf({ currency: '"XXX"', amount: '"1.001"' }).map(({ field }) => field)).toEqual([
      'currency',
      'amount',
    ])
  })
})

function long(length: number): string {
  return JSON.stringify('x'.repeat(length))
}

const UNIX_SECONDS = 'must be Unix seconds, without decimals or milliseconds, such as 1790000000'
const EMPTY_ADDRESS = "must have the customer's IP address, such as 203.0.113.7"

/** field, the JSON that is sent for it, what is wrong with it */
const BAD: [field: string, json: string, error: string][] = [
  ['timestamp', '"now"', UNIX_SECONDS],
  ['timestamp', '""', UNIX_SECONDS],
  ['timestamp', 'null', UNIX_SECONDS],
  ['timestamp', 'true', UNIX_SECONDS],
  ['timestamp', '1790000000.5', UNIX_SECONDS],
  ['timestamp', '-1', UNIX_SECONDS],
  ['timestamp', '"2026-01-31T10:00:00Z"', UNIX_SECONDS],
  ['timestamp', '1790000000000', UNIX_SECONDS],
  ['timestamp', '"1790000000000"', UNIX_SECONDS],
  ['timestamp', '"1790000000.123"', UNIX_SECONDS],
  ['timestamp', '1790000000.0', UNIX_SECONDS],

  ['currency', '""', 'must be an active ISO 4217 code in capitals, such as EUR'],
  ['currency', '"eur"', 'must be an active ISO 4217 code in capitals, such as EUR'],
  ['currency', '"BGN"', 'must be an active ISO 4217 code in capitals, such as EUR'],
  ['currency', '"__proto__"', 'must be an active ISO 4217 code in capitals, such as EUR'],
  ['currency', '978', 'must be a text'],
  ['currency', '["EUR"]', 'must be a text'],

  ['amount', '0', 'must be more than zero'],
  ['amount', '"0.00"', 'must be more than zero'],
  ['amount', '-5', 'must be a decimal number such as 10.00'],
  ['amount', '-0', 'must be a decimal number such as 10.00'],
  ['amount', '"12,50"', 'must be a decimal number such as 10.00'],
  ['amount', '" 12.50"', 'must be a decimal number such as 10.00'],
  ['amount', '"€12.50"', 'must be a decimal number such as 10.00'],
  ['amount', '"1e3"', 'must be a decimal number such as 10.00'],
  ['amount', '1e20', 'must have at most 11 digits before the point'],
  ['amount', '1e21', 'must be a decimal number such as 10.00'],
  ['amount', '1.005', 'has more decimals than EUR has (2)'],
  ['amount', '"59.699999999999996"', 'has more decimals than EUR has (2)'],
  ['amount', '{"digits":"10"}', 'must be a number or a text'],
  ['amount', '1e-10', 'must be more than zero'],
  ['amount', '1e-7', 'has more decimals than EUR has (2)'],
  ['amount', '1e999', 'must be a decimal number such as 10.00'],
  ['amount', '""', 'must not be empty'],
  ['amount', 'null', 'must be a number or a text'],
  ['amount', '[10]', 'must be a number or a text'],
  ['amount', '{"value":10}', 'must be a number or a text'],
  ['amount', '10.001', 'has more decimals than EUR has (2)'],
  ['amount', '"10.000000000000000001"', 'has more decimals than EUR has (2)'],
  ['amount', '1.0005e1', 'has more decimals than EUR has (2)'],
  ['amount', '100000000000', 'must have at most 11 digits before the point'],

  ['return_url', '"shop.nl/thanks"', 'must be an absolute https URL'],
  ['return_url', '""', 'must not be empty'],
  ['return_url', '7', 'must be a text'],
  ['return_url', '"http://shop.nl/"', 'must be an https URL'],
  ['return_url', '"https://shop.nl/\\ud800"', 'must not have control characters'],
  ['return_url', '"https://hub.shop-payments.com/v2/paymentjobs"', 'must not point at the hub itself'],
  ['return_url', JSON.stringify(`https://shop.nl/${'x'.repeat(2048)}`), 'must have at most 2048 characters'],
  ['report_url', '"https://shop.nl:8443/"', 'must use port 443'],
  ['report_url', '"https://127.0.0.1/"', 'must name a host, not an IP address'],
  ['report_url', '"https://user:secret@shop.nl/"', 'must not carry credentials'],
  ['report_url', '"https://shop.nl/\\r\\nx: y"', 'must not have control characters'],

  ['payment_method', '""', 'must not be empty'],
  ['payment_method', '"credit card"', 'must have letters, digits, points, dashes and underscores only'],
  ['payment_method', '"idéal"', 'must have letters, digits, points, dashes and underscores only'],
  ['payment_method', '"../ideal"', 'must have letters, digits, points, dashes and underscores only'],
  ['payment_method', long(65), 'must have at most 64 characters'],

  ['order_id', '"A-7"', 'must have digits only'],
  ['order_id', '1.0', 'must have digits only'],
  ['order_id', '-7', 'must have digits only'],
  ['order_id', '1e21', 'must have digits only'],
  ['order_id', '15e-1', 'must have digits only'],
  ['order_id', '"٧"', 'must have digits only'],
  ['order_id', '"7\\n"', 'must have digits only'],
  ['order_id', '1'.repeat(33), 'must have at most 32 digits'],
  ['order_id', '{}', 'must be a number or a text of digits'],

  ['order_number', '""', 'must not be empty'],
  ['order_number', 'true', 'must be a number or a text'],
  ['order_number', 'null', 'must be a number or a text'],
  ['order_number', '"A\\u00007"', 'must not have control characters'],
  ['order_number', '"A\\n7"', 'must not have control characters'],
  ['order_number', '"A\\ud8007"', 'must not have control characters'],
  ['order_number', '"A\\udc007"', 'must not have control characters'],
  ['order_number', long(256), 'must have at most 255 characters'],

  ['language', '"klingonese"', 'must be a language code such as nl or nl-NL'],
  ['language', '"nl;"', 'must be a language code such as nl or nl-NL'],
  ['language', '"\\ud800"', 'must not have control characters'],
  ['language', '1', 'must be a text'],
  ['language', long(36), 'must have at most 35 characters'],

  ['ip_address', '""', EMPTY_ADDRESS],
  ['ip_address', '" "', EMPTY_ADDRESS],
  ['ip_address', '"unknown"', EMPTY_ADDRESS],
  ['ip_address', '"UNKNOWN, _hidden:4711,, unknown:80"', EMPTY_ADDRESS],
  ['ip_address', '"unknown, localhost"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '"not known"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '"\\"203.0.113.7"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '"203.0.113.7:"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '"203.0.113.7:443:1"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '"[203.0.113.7]"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '"[2001:db8::7"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '"fe80::1%eth0"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '["203.0.113.7"]', 'must be a text'],
  ['ip_address', '"256.0.0.1"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '"1.2.3"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '"010.0.0.1"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '"0x7f000001"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '"203.0.113.0/24"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '"1::2::3"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '"::1\\n"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '"localhost"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '2130706433', 'must be a text'],
]

it.each(BAD)('refuses an order: its %s, sent as %s, %s', (field, json, error) => {
  expect(errorsOf({ [field]: json })).toEqual([{ field, error }])
})

it.each(FIELD_NAMES)('refuses an order without its %s', (field) => {
  expect(errorsOf({ [field]: null })).toEqual([{ field, error: 'is required' }])
})

it('accepts a whole surrogate pair, which is one character', () => {
  expect(() => errorsOf({ order_number: '"A\\ud83d\\udc4d"' })).toThrow('the order was taken')
})
