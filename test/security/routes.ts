export type Route = { method: string; pattern: string }

const entrances = await Promise.all([
  import('../../src/pos-api/routes.ts?raw'),
  import('../../src/checkout/routes.ts?raw'),
  import('../../src/operator-api/routes.ts?raw'),
  import('../../src/notifications/routes.ts?raw'),
  import('../../src/sandbox/routes.ts?raw'),
  import('../../src/psp/sandbox/routes.ts?raw'),
  import('../../src/site/routes.ts?raw'),
  import('../../src/monitoring/routes.ts?raw'),
])

/** Every route of every entrance, as its table says: one that is added is tested from then on. */
export const ROUTES: readonly Route[] = entrances.flatMap(({ default: source }) =>
  Array.from(
    source.matchAll(/\.(get|post|put|patch|delete)\(\s*'(\/[^']*)'/g),
    ([, method = '', pattern = '']): Route => ({ method: method.toUpperCase(), pattern }),
  ),
)

/** A route's address with something in place of each parameter. */
export function addressOf({ pattern }: Route, value: string): string {
  return pattern.replaceAll(/:\w+\??/g, () => value)
}
