import { describe, expect, it } from 'vitest'
import { refusedUrl } from '../../../src/platform/http/public-url.ts'

const OWN = 'hub.shop-payments.com'
/** Another name of the hub, as HUB_HOSTS has it. */
const ALSO_OWN = 'pay.shop-payments.nl'

function judge(host: string): string | null {
  return refusedUrl(`https://${host}/report`, { own: [`${OWN.toUpperCase()}.`, ALSO_OWN], loopback: false })
}

function judgeAll(hosts: string) {
  return hosts.split(' ').map((host) => [host, judge(host)])
}
function all(hosts: string, reason: string | null) {
  return hosts.split(' ').map((host) => [host, reason])
}

describe('a host lies outside', () => {
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
  const ABSOLUTE = 'must be an absolute https URL'

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
    ['unreadable', '[::1 [::g] a.1 1.2.3.4.5 256.0.0.1 %zz shop.nl:99999', ABSOLUTE],
    ['empty, and the path taken for it', '/shop.nl //shop.nl /path', ABSOLUTE],
  ])('%s', (_, hosts, reason) => {
    expect(judgeAll(hosts)).toEqual(all(hosts, reason))
  })
})
