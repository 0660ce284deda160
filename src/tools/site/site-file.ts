/**
 * Files of the site, by their path below its root: `docs/guide.html` is served at `/docs/guide`.
 * Where a text names the hub itself, it has HUB (src/site/placeholder.ts) for its origin.
 */
export type SiteFiles = ReadonlyMap<string, string | Uint8Array>
