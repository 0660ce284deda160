import * as fc from 'fast-check'
import { expect } from 'vitest'
import { formatAmount, parseAmount } from '../../../src/contract/money.ts'
import { isJobId, parseJobId } from '../../../src/contract/ids.ts'
import { canonicalLanguage } from '../../../src/contract/language-tag.ts'
import { plainIpAddress } from '../../../src/contract/ip-address.ts'
import { formatMicros, parseMicros } from '../../../src/contract/timestamp.ts'
import { refusedUrl } from '../../../src/platform/http/public-url.ts'
import { readPosition, readSentTime, writePosition } from '../../../src/contract/queries.ts'
import { textsAround } from '../inputs.ts'
import { parser } from '../parser.ts'

const RULES = { own: ['hub.example.nl'], loopback: false }
const CURRENCIES = ['EUR', 'JPY', 'BHD', 'CLF'] as const
const micros = fc.integer({ min: 0, max: Date.UTC(2099, 11, 31) * 1000 })

/** Expects a redirect or a POST to go to a name in public DNS, over https, on the default port. */
function expectPublic(text: string): void {
  const url = new URL(text)
  expect([url.protocol, url.port, url.username, url.password]).toEqual(['https:', '', '', ''])
  expect(url.hostname).not.toMatch(/^\[|^[\d.]+$|(^|\.)(localhost|local|internal|hub\.example\.nl)\.?$/)
  expect(url.hostname).toContain('.')
}

export const ADDRESSES = [
  parser(
    'public-url',
    textsAround(
      'https://shop.example.nl/thanks?order=1#top',
      'https://user:pw@shop.nl:8443/',
      'http://127.0.0.1:80/',
      'https://[::ffff:7f00:1]/',
      'https://0x7f.1/',
      'https://hub.example.nl./',
    ),
    (text) => {
      if (refusedUrl(text, RULES) === null) expectPublic(text)
    },
  ),
  parser(
    'ip-address',
    textsAround('203.0.113.7:443, 10.0.0.1', '[2001:db8::1]:80', '::ffff:1.2.3.4', 'fe80::1%eth0'),
    (text) => {
      const found = plainIpAddress(text)
      // A plain address stays as it is.
      if (found !== null) expect(plainIpAddress(found)).toBe(found)
    },
  ),
  parser(
    'ip-address-printed',
    fc.record({ ip: fc.oneof(fc.ipV4(), fc.ipV6()), port: fc.nat(65_535) }),
    ({ ip, port }) => {
      expect(plainIpAddress(ip)).toBe(ip)
      expect(plainIpAddress(ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)).toBe(ip)
    },
  ),
  parser(
    'sent-time',
    textsAround('2026-01-31T10:00:00.123456Z', '2024-02-29', '2026-01-31 10:00:00+02:00'),
    (text) => {
      for (const bound of ['from', 'to'] as const) {
        const time = readSentTime(text, bound)
        expect(time === null || Number.isInteger(time)).toBe(true)
      }
    },
  ),
  parser('sent-time-printed', micros, (time) => {
    expect(readSentTime(formatMicros(time), 'from')).toBe(time)
    expect(parseMicros(formatMicros(time))).toBe(time)
  }),
  parser(
    'after',
    textsAround(
      writePosition({ created: 1_790_000_000_000_000, id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' }),
    ),
    (text) => {
      const place = readPosition(text)
      if (place === null) return
      expect(Number.isSafeInteger(place.created) && isJobId(place.id)).toBe(true)
      // A place that is written and read again is the same.
      expect(readPosition(writePosition(place))).toEqual(place)
    },
  ),
  parser('after-printed', fc.record({ created: micros, id: fc.uuid({ version: 4 }) }), (place) => {
    expect(readPosition(writePosition(place))).toEqual(place)
  }),
  parser(
    'job-id',
    textsAround('6f9619ff-8b86-4d01-b42d-00cf4fc964ff', '6F9619FF-8B86-8D01-B42D-00CF4FC964FF'),
    (text) => {
      const id = parseJobId(text)
      if (id !== null) expect([isJobId(id), parseJobId(id), text.toLowerCase()]).toEqual([true, id, id])
    },
  ),
  parser(
    'amount',
    fc.record({
      text: textsAround('12.50', '0.001', '99999999999.9999', '1e3'),
      currency: fc.constantFrom(...CURRENCIES),
    }),
    (sent) => {
      const amount = parseAmount(sent.text, sent.currency)
      if (!amount.ok) return expect(amount.error.length).toBeGreaterThan(0)
      expect(Number.isSafeInteger(amount.value) && amount.value >= 0).toBe(true)
      expect(parseAmount(formatAmount(amount.value, sent.currency), sent.currency)).toEqual(amount)
    },
  ),
  parser('language', textsAround('nl-NL', 'zh-Hant-TW', 'de-DE-1996', 'x-private', 'i-klingon'), (text) => {
    const language = canonicalLanguage(text)
    if (language !== undefined) expect(canonicalLanguage(language)).toBe(language)
  }),
]
