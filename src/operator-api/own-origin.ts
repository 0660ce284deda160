/**
 * Whether a browser sent a request from a page of the hub itself. `Sec-Fetch-Site` says so where there is one: scripts cannot set it
 * (https://www.w3.org/TR/fetch-metadata/). Older browsers send `Origin` with each request that may change something. A request with
 * neither is from no page.
 */
export function isFromOwnOrigin({ url, headers }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  return site === null ? headers.get('origin') === new URL(url).origin : site === 'same-origin'
}
