import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { toBase64, utf8 } from '../crypto/hash.ts'
import type { CustomerLanguage } from '../http/headers.ts'
import { PAGE_HEADERS } from '../http/respond.ts'

/** The style of all pages for customers: for phones first, light and dark, and for paper. */
const STYLE = `
:root{color-scheme:light dark;--ink:#16202e;--soft:#566273;--paper:#fff;--ground:#eef1f5;--line:#dde2e9;--edge:#76818f;--accent:#1f5fd0}
@media screen and (prefers-color-scheme:dark){:root{--ink:#eef2f7;--soft:#a5b0bf;--paper:#1b2430;--ground:#10161e;--line:#323d4c;--edge:#8b97a6;--accent:#8ab4ff}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1rem;background:var(--ground);color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;padding:1.75rem;background:var(--paper);border:1px solid var(--line);border-radius:1rem;box-shadow:0 .5rem 2rem rgb(16 22 30/6%);overflow-wrap:anywhere}
h1{margin:0 0 .5rem;font-size:1.375rem;line-height:1.25;text-wrap:balance}
h1:last-child{margin-bottom:1rem}
:lang(ja){word-break:auto-phrase}
p{margin:0 0 1rem}
main>:last-child,.ways>:last-child{margin-bottom:0}
.test{margin-bottom:1rem;padding:.25rem .75rem;border:2px dashed var(--edge);border-radius:.5rem}
.shop{margin-bottom:1.5rem;padding-bottom:1rem;border-bottom:1px solid var(--line);font-weight:650}
.sign{display:grid;place-items:center;width:3rem;height:3rem;margin:0 0 1rem;border-radius:50%;background:#5a6675;print-color-adjust:exact}
.sign.good{background:#1b7f4b}
.sign.bad{background:#b3261e}
.sign.busy{background:none;border:.25rem solid var(--line);border-top-color:var(--accent);animation:turn 1s linear infinite}
svg{fill:none;stroke:#fff;stroke-width:2.25;stroke-linecap:round;stroke-linejoin:round}
@keyframes turn{to{transform:rotate(1turn)}}
@media(prefers-reduced-motion:reduce){.busy{animation-duration:4s}}
.kind{margin-bottom:1.5rem;font-size:1.375rem;font-weight:650;line-height:1.25}
.soft,.when{color:var(--soft);font-size:.9375rem}
.amount{font-size:2rem;font-weight:650;line-height:1.2;font-variant-numeric:tabular-nums}
dl{margin:0 0 1.5rem;border-top:1px solid var(--line)}
dl>div{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 1rem;padding:.5rem 0;border-bottom:1px solid var(--line)}
dt{color:var(--soft)}
dd{max-width:100%;margin:0;margin-inline-start:auto;text-align:end}
.sum{font-weight:650}
.when{flex:0 0 100%}
.screen{margin-bottom:1rem;padding:1.25rem;border:1px solid var(--edge);border-radius:.5rem;background:#16202e;color:#eef2f7;text-align:center;text-wrap:balance}
.screen>:last-child{margin-bottom:0}
.number{font-size:.8125rem}
[dir=rtl] .turns svg{transform:scaleX(-1)}
form,.ways{display:grid;gap:.625rem}
button,.button{display:block;width:100%;min-height:3rem;padding:.75rem 1rem;font:inherit;font-weight:600;text-align:center;text-wrap:balance;text-decoration:none;cursor:pointer;border:1px solid var(--edge);border-radius:.5rem;background:transparent;color:var(--ink)}
button.first,.button:not(.second){background:var(--accent);border-color:var(--accent);color:var(--paper)}
.link{justify-self:center;padding:.25rem .5rem;color:var(--accent);text-underline-offset:.2em}
:is(button,a):focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.5rem}
@media print{:root{color-scheme:light;--ink:#000;--soft:#333;--paper:#fff;--ground:#fff;--line:#999}body{display:block;padding:0}main{max-width:36rem;border:0;box-shadow:none;padding:0}.ways{display:none}}
`

export type Frame = {
  title: string
  language: CustomerLanguage
  status?: number
  /** A sentence, on screen and on paper, that says that this is a test. */
  test?: string | undefined
  /** Redirects after this many seconds; if there is a `script`, only browsers without scripts. */
  refresh?: { after: number; url: string }
  /** The address of a script of the hub. The page must work without it. */
  script?: string
  /** Attributes of `main` that the script reads. */
  data?: Readonly<Record<`data-${string}`, string>>
}

/** Renders a page on the server. The renderer escapes all content. */
export async function page(frame: Frame, content: VNode): Promise<Response> {
  const { title, language, status = 200, test, refresh, script, data } = frame
  const moving = refresh && <meta http-equiv="refresh" content={`${refresh.after}; url=${refresh.url}`} />
  const html = renderToString(
    <html lang={language} dir={language === 'ar' ? 'rtl' : undefined}>
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
        <main {...data}>
          {test !== undefined && (
            <p class="test">
              <strong>TEST</strong> {test}
            </p>
          )}
          {content}
        </main>
      </body>
    </html>,
  )
  return new Response(`<!doctype html>${html}`, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': await policy(script !== undefined),
      'referrer-policy': 'no-referrer',
      ...PAGE_HEADERS,
      // A shop may open payUrl in a window, and its own page there must find its opener again.
      'cross-origin-opener-policy': 'unsafe-none',
      'cache-control': 'no-store',
    },
  })
}

let styleHash: Promise<string> | undefined

/**
 * Returns the policy: only the page's own style may load, and the hub's script if the page has one.
 * `form-action` cannot be narrower: browsers also apply it to the redirects after a form, which lead
 * to other sites.
 */
async function policy(hasScript: boolean): Promise<string> {
  styleHash ??= crypto.subtle.digest('SHA-256', utf8(STYLE)).then(toBase64)
  const scripts = hasScript ? "script-src 'self'; connect-src 'self'; " : ''
  return `default-src 'none'; style-src 'sha256-${await styleHash}'; ${scripts}form-action http: https:; frame-ancestors 'none'; base-uri 'none'`
}
