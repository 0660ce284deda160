import { HEALTH_OPERATIONS, POS_OPERATIONS } from '../../src/contract/pos-operations.ts'
import { OPERATOR_OPERATIONS } from '../../src/contract/operator-operations.ts'
import { FILES } from '../../src/site/routes.ts'

export type Route = { method: string; pattern: string }

const entrances = await Promise.all([
  import('../../src/checkout/routes.ts?raw'),
  import('../../src/notifications/notifications.ts?raw'),
  import('../../src/pos-api/v1-routes.ts?raw'),
  import('../../src/sandbox/routes.ts?raw'),
  import('../../src/site/routes.ts?raw'),
])

const operations = Object.values({ ...POS_OPERATIONS, ...OPERATOR_OPERATIONS, ...HEALTH_OPERATIONS })

/** Every operation, and every route of the other entrances: the tests include new ones. */
export const ROUTES: readonly Route[] = [
  ...operations.map(({ method, path }) => ({ method, pattern: path })),
  ...Object.keys(FILES).map((address) => ({ method: 'GET', pattern: `/${address}` })),
  ...entrances.flatMap(({ default: source }) =>
    Array.from(
      source.matchAll(/\.(get|post|put|patch|delete)\(\s*'(\/[^']*)'/g),
      ([, method = '', pattern = '']): Route => ({ method: method.toUpperCase(), pattern }),
    ),
  ),
]

/** Returns a route's address with a value for each parameter. */
export function addressOf({ pattern }: Route, value: string): string {
  return pattern.replaceAll(/:\w+\??/g, () => value)
}
