import { expect, it } from 'vitest'
import { clientNetwork } from '../../../src/platform/http/rate-limit.ts'

function networkOf(address: string): string {
  return clientNetwork(new Request('https://hub.nl/', { headers: { 'cf-connecting-ip': address } }))
}

it.each([
  ['an IPv4 address as itself', '203.0.113.7', '203.0.113.7'],
  ['an IPv4 address that is written as IPv6 as itself', '::ffff:203.0.113.7', '203.0.113.7'],
  ['an IPv6 address as its /64', '2001:db8:a0:1:2:3:4:5', '2001:db8:a0:1::/64'],
  ['what is no address as what it says', 'somewhere', 'somewhere'],
])('%s', (_, address, network) => {
  expect(networkOf(address)).toBe(network)
})

it('addresses of one /64 are one network, and those of two are two', () => {
  const [one, same, other] = ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:db8:0:2::1'].map(networkOf)
  expect(one).toBe(same)
  expect(one).not.toBe(other)
})
