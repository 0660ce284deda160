import * as fc from 'fast-check'
import { around } from '../support/openapi/interesting.ts'

/** Texts similar to good ones, made of their parts, and any other text. */
export function textsAround(...good: string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: around(good).map(String) },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.constantFrom(...good.flatMap((text) => text.split(/(?=[^\w])|(?<=[^\w])/))), {
          maxLength: 20,
        })
        .map((parts) => parts.join('')),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', ' ', '%', '\u0000', '\ud800', '9'.repeat(400), ','.repeat(4000)),
    },
  )
}

/** Values that a header can have: those that `Headers` accepts. */
export function headersAround(...good: string[]): fc.Arbitrary<string> {
  return textsAround(...good).filter((text) => /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text))
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
  fc.constantFrom<Json[]>(
    null,
    '',
    '\ud800',
    '\u0000',
    -1,
    1e308,
    1e-7,
    2 ** 53,
    '9'.repeat(40),
    [],
    {},
    '__proto__',
  ),
)

function changedAt(value: Json, put: Json, place: number): Json {
  if (place === 0 || value === null || typeof value !== 'object') return put
  const names = Object.keys(value)
  const name = names[place % names.length]
  if (name === undefined) return put
  const rest = Math.floor(place / names.length)
  if (Array.isArray(value))
    return value.map((one, at) => (String(at) === name ? changedAt(one, put, rest) : one))
  return { ...value, [name]: changedAt(value[name] ?? null, put, rest) }
}

/** A good value with up to three of its members, at any depth, replaced by anything. */
export function valuesAround(...good: Json[]): fc.Arbitrary<Json> {
  return fc
    .tuple(fc.constantFrom(...good), fc.array(fc.tuple(odd, fc.nat(100_000)), { maxLength: 3 }))
    .map(([value, changes]) => changes.reduce((now, [put, place]) => changedAt(now, put, place), value))
}
