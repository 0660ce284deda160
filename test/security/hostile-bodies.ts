import * as fc from 'fast-check'
import { utf8 } from '../../src/platform/crypto/hash.ts'
import { order } from '../support/hub/hub.ts'

/** A body as it may arrive: at once, in tiny pieces, or broken off with an error. */
export type Body = { bytes: Uint8Array<ArrayBuffer>; arrives: 'whole' | 'in pieces' | 'broken' }

export function bodyInit({ bytes, arrives }: Body): BodyInit {
  if (arrives === 'whole') return bytes
  let at = 0
  const size = Math.max(1, Math.ceil(bytes.length / 20))
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < bytes.length) return controller.enqueue(bytes.slice(at, (at += size)))
      if (arrives === 'broken') return controller.error(new Error('connection lost'))
      controller.close()
    },
  })
}

/** Difficult values of every JSON type: long, deep, huge, half a character. */
export const jsonValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom('\ud800', '\udfff', 'a', '\u0000', '\u202e', '👍'), minLength: 1 }),
  fc.constantFrom(1e308, -0, 1e21, 0.1 + 0.2, 2 ** 53 + 1, -1, 1e-7, '9'.repeat(400), 'x'.repeat(60_000)),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '',
    ' ',
    '12.50 ',
    '+1',
    '0x10',
    '１２',
    'NaN',
    'null',
  ),
  fc.constantFrom(
    'https://shop.nl/é',
    'https://shop.nl:443/',
    '//shop.nl',
    'https://shop.nl\\@x.nl',
    'HTTPS://SHOP.NL',
  ),
  fc.constantFrom(
    'nl',
    'EUR',
    'JPY',
    '::1',
    '1.2.3.4',
    '1e1',
    7,
    '7',
    'i-klingon',
    'x-private',
    'zh-Hant-TW',
  ),
)

function nested(open: string, close: string, depth: number) {
  return open.repeat(depth) + close.repeat(depth)
}

/** Texts that are JSON, or nearly, or a damaged order. */
const jsonTexts: fc.Arbitrary<string> = fc.oneof(
  fc.json(),
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '7',
    '"x"',
    '{}',
    '{"a":1}{}',
    '\ufeff{}',
    "{'a':1}",
    '{"amount":1e400}',
  ),
  fc.constantFrom(
    nested('[', ']', 32_000),
    nested('{"a":', '}', 10_000),
    '['.repeat(65_536),
    '{"a":'.repeat(13_000),
  ),
  fc.constantFrom(
    '{"__proto__":{"currency":"EUR"}}',
    '{"constructor":{"prototype":{"refused":1}}}',
    '{"refused":"x"}',
  ),
  fc
    .dictionary(fc.constantFrom(...Object.keys(order), '__proto__', 'x'), jsonValues)
    .map((v) => JSON.stringify(v)),
  fc.nat(400).map((end) => JSON.stringify(order).slice(0, end)),
  jsonValues.map((value) => `${JSON.stringify(order).slice(0, -1)},"amount":${JSON.stringify(value)}}`),
  fc.string({ unit: 'binary', maxLength: 500 }),
)

export const bodies: fc.Arbitrary<Body> = fc.record({
  bytes: fc.oneof(
    { weight: 4, arbitrary: jsonTexts.map(utf8) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => new Uint8Array(bytes)) },
    { weight: 1, arbitrary: fc.nat(300).map((at) => cut(utf8(JSON.stringify(order)), at)) },
  ),
  arrives: fc.constantFrom('whole', 'whole', 'in pieces', 'broken'),
})

/** Inserts a byte that is invalid in UTF-8. */
function cut(bytes: Uint8Array<ArrayBuffer>, at: number): Uint8Array<ArrayBuffer> {
  return bytes.with(at % bytes.length, 0xff)
}
