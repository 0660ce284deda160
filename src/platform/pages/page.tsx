import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { toBase64, utf8 } from '../crypto/bytes.ts'
import type { CustomerLanguage } from '../customer-language.ts'
import { STYLE } from './style.ts'

type Frame = {
  title: string
  language: CustomerLanguage
  status?: number
  /** Where the browser goes by itself, and after how many seconds. With a `script`, only one that runs no scripts does. */
  refresh?: { after: number; url: string }
  /** The address of a script of the hub's own. The page has to work without it. */
  script?: string
  /** What the script has to know of the page: attributes of `main`. */
  data?: Readonly<Record<`data-${string}`, string>>
}

/** A whole page, rendered on the server. Everything in it is escaped by the renderer. */
export async function page(
  { title, language, status = 200, refresh, script, data }: Frame,
  content: VNode,
): Promise<Response> {
  const moving = refresh && <meta http-equiv="refresh" content={`${refresh.after}; url=${refresh.url}`} />
  const html = renderToString(
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {script ? moving && <noscript>{moving}</noscript> : moving}
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
        {script && <script type="module" src={script} />}
      </head>
      <body>
        <main {...data}>{content}</main>
      </body>
    </html>,
  )
  return new Response(`<!doctype html>${html}`, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': await policy(script !== undefined),
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    },
  })
}

let styleHash: Promise<string> | undefined

/**
 * Nothing but the page's own style may load, and the hub's own script where the page has one. `form-action` cannot be narrower:
 * browsers apply it to the redirects after a form too, and those end at the shop.
 */
async function policy(hasScript: boolean): Promise<string> {
  styleHash ??= crypto.subtle.digest('SHA-256', utf8(STYLE)).then(toBase64)
  const scripts = hasScript ? "script-src 'self'; connect-src 'self'; " : ''
  return `default-src 'none'; style-src 'sha256-${await styleHash}'; ${scripts}form-action http: https:; frame-ancestors 'none'; base-uri 'none'`
}
