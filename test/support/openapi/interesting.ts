import fc from 'fast-check'

/** JSON values that no field expects, and texts of odd characters. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(
    null,
    true,
    false,
    [],
    {},
    '',
    ' ',
    '0',
    '-1',
    '1e3',
    '\u0000',
    '\u0085',
    '\ud800',
    'é',
    '😀',
    '‮',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
)

/** A text with one character inserted, removed, doubled or in the other case. */
function changed(text: string): fc.Arbitrary<string> {
  return fc
    .record({
      at: fc.nat({ max: text.length }),
      put: fc.oneof(
        fc.constantFrom('', ' ', '-', '_', '.', ':', '/', '@', '0', '9', 'a', '\n', '\\'),
        fc.string({ unit: 'binary', maxLength: 1 }),
      ),
      taken: fc.nat({ max: 2 }),
      isUpper: fc.boolean(),
    })
    .map(({ at, put, taken, isUpper }) => {
      const next = text.slice(0, at) + put + text.slice(at + taken)
      return isUpper ? next.toUpperCase() : next
    })
}

/** Good values, almost good values, lengths around a limit, and odd values. */
export function around(good: readonly unknown[], longest?: number): fc.Arbitrary<unknown> {
  const words = good.filter((value): value is string => typeof value === 'string')
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...good) },
    ...(words.length > 0 ? [{ weight: 3, arbitrary: fc.constantFrom(...words).chain(changed) }] : []),
    ...(longest === undefined
      ? []
      : [
          {
            weight: 1,
            arbitrary: fc
              .tuple(fc.constantFrom(...(words.length > 0 ? words : ['7'])), fc.integer({ min: -1, max: 1 }))
              .map(
                ([word, off]) => word + (word.at(-1) ?? 'x').repeat(Math.max(longest + off - word.length, 0)),
              ),
          },
        ]),
    { weight: 1, arbitrary: odd },
  )
}

/** A good body with some members changed and a few left out, after a round trip through JSON. */
export function near(
  good: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(fields)
  return fc
    .record({
      changed: fc.subarray(names, { maxLength: Math.min(names.length, 3) }),
      values: fc.record(fields),
      out: fc.oneof(
        { weight: 9, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constantFrom(...names) },
      ),
    })
    .map(({ changed: some, values, out }) => {
      const body = { ...good, ...Object.fromEntries(some.map((name) => [name, values[name]])) }
      return JSON.parse(
        JSON.stringify(body, (key, value: unknown) => (key === out ? undefined : value)),
      ) as Record<string, unknown>
    })
}
