/**
 * What a browser may do with a page of the site or of the console: load from the hub alone, run no script that stands in the page, and
 * show it in no page of others.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
