import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { toBase64, utf8 } from '../crypto/bytes.ts'
import { STYLE } from './style.ts'

/** The languages pages are written in. */
export const LANGUAGES = ['en', 'nl', 'de', 'fr'] as const
export type PageLanguage = (typeof LANGUAGES)[number]

/** The page language nearest to a language tag (`nl_BE` → `nl`), or undefined. */
export const pageLanguage = (tag: string): PageLanguage | undefined =>
  LANGUAGES.find((language) => tag.slice(0, 2).toLowerCase() === language && !/^[a-z]/i.test(tag.slice(2)))

/** The page language a browser asks for first (RFC 9110, section 12.5.4); its list comes in order of preference. */
export const preferredLanguage = (request: Request): PageLanguage =>
  (request.headers.get('accept-language') ?? '')
    .split(',')
    .map((tag) => pageLanguage(tag.trim().replace(/;.*$/, '')))
    .find((language) => language !== undefined) ?? 'en'

type Frame = {
  title: string
  language: PageLanguage
  status?: number
  /** Where the browser goes by itself, and after how many seconds. */
  refresh?: { after: number; url: string }
}

/** A whole page, rendered on the server, without scripts. Everything in it is escaped by the renderer. */
export const page = async (
  { title, language, status = 200, refresh }: Frame,
  content: VNode,
): Promise<Response> => {
  const html = renderToString(
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {refresh && <meta http-equiv="refresh" content={`${refresh.after}; url=${refresh.url}`} />}
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <main>{content}</main>
      </body>
    </html>,
  )
  return new Response(`<!doctype html>${html}`, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': await policy(),
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    },
  })
}

let styleHash: Promise<string> | undefined

/**
 * Nothing but the page's own style may load. `form-action` cannot be narrower: browsers apply it to the redirects
 * after a form too, and those end at the shop.
 */
const policy = async (): Promise<string> => {
  styleHash ??= crypto.subtle.digest('SHA-256', utf8(STYLE)).then(toBase64)
  return `default-src 'none'; style-src 'sha256-${await styleHash}'; form-action http: https:; frame-ancestors 'none'; base-uri 'none'`
}
