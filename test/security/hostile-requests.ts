import * as fc from 'fast-check'
import { type Body, bodies } from './hostile-bodies.ts'
import { ROUTES, addressOf } from './routes.ts'

function words(text: string): string[] {
  return text.split(' ')
}

/** Parts of a path: the hub's own, and some that are hard to decode, match or look up. */
const segments = fc.oneof(
  fc.constantFrom(...words('v1 v2 api guardian paymentjobs pay return notifications operator pos')),
  fc.constantFrom('sandbox', 'checkout', 'payments', 'jobs', 'index', 'reports', 'resend', 'tr_aaaaaaaaaaaa'),
  fc.constantFrom(
    '',
    '.',
    '..',
    '%2e%2e',
    '%',
    '%zz',
    '%00',
    '%c0%af',
    '%ed%a0%80',
    '%2f',
    '%5c',
    'é',
    '👍',
    ';a=1',
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '*',
    ':id',
    '(a+)+$',
    "' or 1=1 --",
  ),
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constant('a'.repeat(4000)),
)

const routes = ROUTES.map((route) => addressOf(route, 'X'))

/** Addresses: the hub's own with something else for each id, and others made of the same parts. */
const paths = fc.oneof(
  fc.tuple(fc.constantFrom(...routes), segments).map(([route, part]) => route.replaceAll('X', () => part)),
  fc
    .tuple(fc.constantFrom(...routes), fc.constantFrom('/', '//', '/x', '?', '#x', '%20'))
    .map((parts) => parts.join('')),
  fc.array(segments, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
)

const queries = fc.oneof(
  fc.constantFrom(
    '',
    '',
    '?',
    '?look=-1',
    '?look=1e400',
    '?after=',
    '?after=%ff',
    '?__proto__=1&constructor=2',
  ),
  fc.constantFrom('?from=2026-02-31T00:00:00Z&to=9999-12-31T23:59:59Z', '?from=0000-01-01T00:00Z&to=x&to=y'),
  fc
    .tuple(fc.constantFrom('look', 'after', 'from', 'to', 'order_number', 'pos', 'limit'), fc.string())
    .map(([name, value]) => `?${name}=${value}`),
)

export type Tokens = { pos: string; operator: string }

export type Hostile = {
  method: string
  path: string
  bearer: 'none' | keyof Tokens | 'nonsense'
  headers: Record<string, string>
  body: Body
}

const headerValues = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 200 }),
  fc.constantFrom('', 'x'.repeat(8000), '%', 'application/json; charset="', 'NaN', '-1', '9'.repeat(30)),
)

export const hostileRequests: fc.Arbitrary<Hostile> = fc.record({
  method: fc.constantFrom(...words('GET GET POST POST HEAD PUT PATCH DELETE OPTIONS PROPFIND get')),
  path: fc.tuple(paths, queries).map((parts) => parts.join('')),
  bearer: fc.constantFrom('none', 'pos', 'operator', 'operator', 'nonsense'),
  headers: fc.dictionary(
    fc.constantFrom(
      ...words('content-type accept-language idempotency-key accept x-forwarded-host range origin'),
    ),
    headerValues,
    { maxKeys: 3 },
  ),
  body: bodies,
})
