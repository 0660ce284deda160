/**
 * Whether a request comes ahead of the customer, or without one: a prefetch or prerender, which browsers mark with
 * `Sec-Purpose` (https://wicg.github.io/nav-speculation/prefetch.html), older ones with `Purpose` or `X-Moz`.
 */
export function isPrefetch({ headers }: Request): boolean {
  return ['sec-purpose', 'purpose', 'x-moz'].some((name) => /^\s*prefetch\b/i.test(headers.get(name) ?? ''))
}
