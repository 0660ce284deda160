import { expect, it } from 'vitest'
import { FIELD_NAMES, errorsOf } from './order-body.ts'

function long(length: number): string {
  return JSON.stringify('x'.repeat(length))
}

const UNIX_SECONDS = 'must be Unix seconds, without decimals or milliseconds, such as 1790000000'
const EMPTY_ADDRESS = "must not be empty: send the customer's IP address, such as 203.0.113.7"

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
  ['ip_address', '", 203.0.113.7"', 'must be an IPv4 or IPv6 address'],
  ['ip_address', '"unknown, 203.0.113.7"', 'must be an IPv4 or IPv6 address'],
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

it('takes a whole surrogate pair: it is one character', () => {
  expect(() => errorsOf({ order_number: '"A\\ud83d\\udc4d"' })).toThrow('the order was taken')
})
