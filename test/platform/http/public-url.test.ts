import { describe, expect, it } from 'vitest'
import { refusedUrl } from '../../../src/platform/http/public-url.ts'

function judge(text: string): string | null {
  return refusedUrl(text, { own: ['hub.shop-payments.com'], loopback: false })
}

describe('an address outside may be', () => {
  it.each([
    'https://shop.nl',
    'https://shop.nl/',
    'HTTPS://shop.nl/',
    'https://www.shop.co.uk/checkout/thanks?order=7&token=a%20b#done',
    'https://bücher.de/zahlung?für=mich',
    'https://shop.nl/@shop',
    'https://shop.nl/?mail=a@shop.nl',
    'https://shop.nl/#@shop',
    'https://shop.nl?@shop',
    'https://shop.nl/http://localhost/',
    `https://shop.nl/${'a'.repeat(2032)}`,
  ])('%s', (text) => {
    expect(judge(text)).toBeNull()
  })
})

const ABSOLUTE = 'must be an absolute https URL'
const CREDENTIALS = 'must not carry credentials'
const CHARACTERS = 'must not have spaces, backslashes or control characters'
const PORT = 'must use port 443'
const HTTPS = 'must be an https URL'

describe('an address is refused', () => {
  it.each([
    ['http://shop.nl/', HTTPS],
    ['HTTP://shop.nl/', HTTPS],
    ['http://shop.nl:443/', HTTPS],
    ['', ABSOLUTE],
    ['shop.nl', ABSOLUTE],
    ['/report', ABSOLUTE],
    ['//shop.nl/', ABSOLUTE],
    ['ftp://shop.nl/', ABSOLUTE],
    ['wss://shop.nl/', ABSOLUTE],
    ['javascript:alert(1)', ABSOLUTE],
    ['data:text/html,https://shop.nl/', ABSOLUTE],
    ['https:shop.nl', ABSOLUTE],
    ['https:/shop.nl', ABSOLUTE],
    ['https:?shop.nl', ABSOLUTE],
    ['https://', ABSOLUTE],
    ['https:///', ABSOLUTE],
    ['https://?x', ABSOLUTE],
    ['https://#x', ABSOLUTE],
    ['https://:443/', ABSOLUTE],
    ['https://user@/', ABSOLUTE],
    ['https://shop.nl:8443/', PORT],
    ['https://shop.nl:80/', PORT],
    ['https://shop.nl:1/', PORT],
    ['https://user@shop.nl/', CREDENTIALS],
    ['https://user:secret@shop.nl/', CREDENTIALS],
    ['https://:secret@shop.nl/', CREDENTIALS],
    ['https://@@shop.nl/', CREDENTIALS],
    ['https://shop.nl@hub.shop-payments.com/', CREDENTIALS],
    ['https://shop.nl%2f@evil.nl/', CREDENTIALS],
    ['https://@shop.nl/', CREDENTIALS],
    ['HTTPS://@shop.nl/', CREDENTIALS],
    ['https://:@shop.nl/', CREDENTIALS],
    ['http://@shop.nl/', CREDENTIALS],
    [' https://shop.nl/', CHARACTERS],
    ['https://shop.nl/ ', CHARACTERS],
    ['https://shop.nl/a b', CHARACTERS],
    ['https://shop.nl/\u00a0', CHARACTERS],
    ['https://shop.nl/\u2028', CHARACTERS],
    ['https://shop.nl/\t', CHARACTERS],
    ['ht\ttps://shop.nl/', CHARACTERS],
    ['https://lo\ncalhost/', CHARACTERS],
    ['https://shop.nl/\r\nx-a: b', CHARACTERS],
    ['https://shop.nl/\0', CHARACTERS],
    ['https://shop.nl/\u007f', CHARACTERS],
    ['https://shop.nl/\u0085', CHARACTERS],
    ['https:\\\\shop.nl/', CHARACTERS],
    ['https:/\\shop.nl/', CHARACTERS],
    ['https://shop.nl\\@evil.nl/', CHARACTERS],
    [`https://shop.nl/${'a'.repeat(2033)}`, 'must have at most 2048 characters'],
  ])('%j: it %s', (text, reason) => {
    expect(judge(text)).toBe(reason)
  })
})

describe('the local run', () => {
  const locally = (text: string): string | null => refusedUrl(text, { own: ['localhost'], loopback: true })

  it.each([
    'http://localhost/',
    'http://localhost:8787/report?x=1',
    'https://localhost:8443/',
    'http://127.0.0.1:3000/',
    'http://127.1:3000/',
    'http://[::1]:3000/',
    'https://shop.nl/',
  ])('may reach %s', (text) => {
    expect(locally(text)).toBeNull()
  })

  it.each([
    ['http://shop.nl/', HTTPS],
    ['http://10.0.0.1/', HTTPS],
    ['http://0.0.0.0/', HTTPS],
    ['http://127.0.0.2/', HTTPS],
    ['http://shop.localhost/', HTTPS],
    ['http://localhost./', HTTPS],
    ['http://localhost.shop.nl/', HTTPS],
    ['https://10.0.0.1/', 'must name a host, not an IP address'],
    ['https://[::ffff:127.0.0.1]/', 'must name a host, not an IP address'],
    ['https://localhost./', 'must name a public host'],
    ['https://shop.nl:8443/', PORT],
    ['http://user@localhost/', CREDENTIALS],
    ['http://@localhost/', CREDENTIALS],
    ['http:localhost', ABSOLUTE],
    ['ftp://localhost/', ABSOLUTE],
    ['http://localhost/a b', CHARACTERS],
  ])('may not reach %s: it %s', (text, reason) => {
    expect(locally(text)).toBe(reason)
  })

  it.each(['http://localhost:8787/', 'https://localhost/', 'http://127.0.0.1/', 'https://[::1]/'])(
    'alone may reach %s',
    (text) => {
      expect(judge(text)).not.toBeNull()
    },
  )
})
