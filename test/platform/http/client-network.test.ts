import { expect, it } from 'vitest'
import { networksOf } from '../../../src/platform/http/rate-limit.ts'

function networks(address: string): string[] {
  return networksOf(new Request('https://hub.nl/', { headers: { 'cf-connecting-ip': address } }))
}

it.each([
  ['an IPv4 address for itself', '203.0.113.7', ['203.0.113.7']],
  ['an IPv4 address that is written as IPv6 for itself', '::ffff:203.0.113.7', ['203.0.113.7']],
  [
    'an IPv6 address for its /64, and for a part of its /56 and /48',
    '2001:db8:a0:1206:2:3:4:5',
    ['2001:db8:a0:1206::/64', '2001:db8:a0:1200::/56 2', '2001:db8:a0:0::/48 6'],
  ],
  ['a text that is not an address, as that text', 'somewhere', ['somewhere']],
])('counts %s', (_, address, expected) => {
  expect(networks(address)).toEqual(expected)
})

it('a /56 may make as many requests as four addresses, and a /48 as many as sixteen', () => {
  const subnets = Array.from({ length: 2048 }, (_, at) => networks(`2001:db8:7:${at.toString(16)}::1`))
  const [ones, homes, sites] = [0, 1, 2].map((width) => new Set(subnets.map((all) => all[width])).size)
  expect([ones, homes, sites]).toEqual([2048, 8 * 4, 16])
})
