import { describe, expect, it } from 'vitest'
import { registrableName, refusedUrl } from '../../../src/platform/http/public-url.ts'

function judge(text: string): string | null {
  return refusedUrl(text, { own: ['hub.shop-payments.com'], loopback: false })
}

describe('an outside address may be', () => {
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
    'is the only one that may reach %s',
    (text) => {
      expect(judge(text)).not.toBeNull()
    },
  )
})

const OWN = 'hub.shop-payments.com'
/** Another name of the hub, as HUB_HOSTS has it. */
const ALSO_OWN = 'pay.shop-payments.nl'

function judgeHost(host: string): string | null {
  return refusedUrl(`https://${host}/report`, { own: [`${OWN.toUpperCase()}.`, ALSO_OWN], loopback: false })
}

function judgeAll(hosts: string) {
  return hosts.split(' ').map((host) => [host, judgeHost(host)])
}
function all(hosts: string, reason: string | null) {
  return hosts.split(' ').map((host) => [host, reason])
}

describe('a host is outside', () => {
  it.each([
    [
      'an ordinary name',
      'shop.nl www.shop.co.uk SHOP.NL shop.example.com shop.example shop.test shop.nl:443 shop.nl:0443 shop.nl.',
    ],
    ['an international name', 'bücher.de xn--bcher-kva.de shop。nl'],
    ['one that begins as a name inside does', 'localhost.shop.nl internal.shop.nl local.nl my-local.nl'],
    ['one that ends in the letters of a name inside', 'shop.glocal shop.milan shop.latest shop.mycorp'],
    ['one that begins as an IP address does', '10.shop.nl 0x7f.shop.nl 127.0.0.1.shop.nl 3com.com'],
    ['one that is nearly the hub', `not-${OWN} ${OWN}.nl sub.${OWN} shop-payments.com`],
  ])('%s', (_, hosts) => {
    expect(judgeAll(hosts)).toEqual(all(hosts, null))
  })
})

describe('a host is refused that is', () => {
  const ADDRESS = 'must name a host, not an IP address'
  const PUBLIC = 'must name a public host'
  const HUB = 'must not point at the hub itself'
  const NO_URL = 'must be an absolute https URL'

  it.each([
    ['IPv4', '127.0.0.1 93.184.216.34 10.0.0.1. 169.254.169.254 0.0.0.0', ADDRESS],
    ['IPv4 as one number', '2130706433 0x7f000001 017700000001 0', ADDRESS],
    ['IPv4 in short, in octal, in hex', '127.1 10.1 127.0.1 1 0177.0.0.1 0x7f.1 0X7F.0.0.0x1', ADDRESS],
    ['IPv6', '[::1] [::] [2606:4700:4700::1111] [fe80::1] [fd00::1]', ADDRESS],
    ['IPv4 in IPv6', '[::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::127.0.0.1]', ADDRESS],
    ['an address in digits of other scripts', '１２７.0.0.1 127。0。0。1 ①②⑦.⓪.⓪.① %31%32%37.0.0.1', ADDRESS],
    [
      'localhost',
      'localhost LOCALHOST localhost. shop.localhost ⓛocalhost loc%61lhost loc\u00adalhost',
      PUBLIC,
    ],
    ['in a local network', 'printer.local printer.local. nas.lan nas.home wiki.corp wiki.intranet', PUBLIC],
    ['internal', 'db.internal metadata.google.internal db。internal DB.INTERNAL a.private', PUBLIC],
    ['of no public zone', 'a.onion router.home.arpa 1.0.0.127.in-addr.arpa', PUBLIC],
    ['a single label', 'shop shop. internal xn--bcher-kva', PUBLIC],
    ['with an empty label', `localhost.. 127.0.0.1.. db.internal.. .shop.nl shop..nl ${OWN}..`, PUBLIC],
    [
      'the hub itself',
      `${OWN} ${OWN}. ${OWN.toUpperCase()} ${OWN}:443 ${OWN.replaceAll('.', '。')} ${OWN.replace('h', '%68')}`,
      HUB,
    ],
    ['the hub under another name', `${ALSO_OWN} ${ALSO_OWN}. ${ALSO_OWN.toUpperCase()}`, HUB],
    ['unreadable', '[::1 [::g] a.1 1.2.3.4.5 256.0.0.1 %zz shop.nl:99999', NO_URL],
    ['empty, and the path taken for it', '/shop.nl //shop.nl /path', NO_URL],
  ])('%s', (_, hosts, reason) => {
    expect(judgeAll(hosts)).toEqual(all(hosts, reason))
  })
})

describe('the name that the owner of a host registered', () => {
  it.each([
    ['shop.nl', 'shop.nl shop.nl. SHOP.NL www.shop.nl a.b.c.shop.nl.'],
    ['shop.co.uk', 'shop.co.uk www.shop.co.uk'],
    ['shop.com.au', 'shop.com.au a.shop.com.au'],
    ['localhost', 'localhost 127.0.0.1 [::1]'],
  ])('is %s for %s', (name, hosts) => {
    expect(new Set(hosts.split(' ').map(registrableName))).toEqual(new Set([name]))
  })
})
