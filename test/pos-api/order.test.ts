import { describe, expect, it } from 'vitest'
import { FIELD_NAMES, errorsOf, ordered, read } from './order-body.ts'

it("reads an order into the hub's own words", () => {
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

  it('and the last one counts where a member comes twice', () => {
    expect(ordered({ order_id: '1,"order_id":9007199254740993' }).orderId).toBe('9007199254740993')
  })

  it.each([
    ['12345678901234567891e0', '12345678901234567891'],
    ['1234567890123456789.1e1', '12345678901234567891'],
    ['1.2345678901234567891E+19', '12345678901234567891'],
    ['1e20', `1${'0'.repeat(20)}`],
    ['700e-2', '7.00'],
  ])('and no digit is dropped where the number has an exponent: %s', (value, digits) => {
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

describe('a language is taken as it was sent', () => {
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

describe('an address as proxies write it is taken as the plain address', () => {
  it.each([
    ['203.0.113.7:443', '203.0.113.7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['203.0.113.7, 10.0.0.1', '203.0.113.7'],
    ['203.0.113.7:52000,10.0.0.1:80', '203.0.113.7'],
    ['2001:db8::7 , 203.0.113.7', '2001:db8::7'],
    [' 203.0.113.7 ', '203.0.113.7'],
  ])('%s', (sent, taken) => {
    expect(ordered({ ip_address: JSON.stringify(sent) }).ipAddress).toBe(taken)
  })
})

describe('a field that nobody asked for', () => {
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

  it('takes the place of none that is missing', () => {
    expect(errorsOf({ amount: null }, '"__proto__":{"amount":"1.00"}')).toEqual([
      { field: 'amount', error: 'is required' },
    ])
  })
})

describe('all invalid fields are told at once', () => {
  it('when the body is empty, in the order of the documentation', () => {
    const nothing = Object.fromEntries(FIELD_NAMES.map((field) => [field, null]))
    expect(errorsOf(nothing)).toEqual(FIELD_NAMES.map((field) => ({ field, error: 'is required' })))
  })

  it('each once, though it is wrong in two ways', () => {
    expect(errorsOf({ payment_method: '"\\u0000 "', order_id: `"${'x'.repeat(40)}"` })).toEqual([
      { field: 'payment_method', error: 'must not have control characters' },
      { field: 'order_id', error: 'must have digits only' },
    ])
  })

  it('the amount too, although the currency it is in is unknown', () => {
    expect(errorsOf({ currency: '"XXX"', amount: '"1.001"' }).map(({ field }) => field)).toEqual([
      'currency',
      'amount',
    ])
  })
})
