import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'

type Frame = {
  title: string
  /** What the page is about, in one sentence, for search engines. */
  description: string
  /** The browser scripts that it loads: `till` is /assets/till.js. */
  scripts?: readonly string[]
  /** The styles that it has besides: `till` is /assets/till.css. */
  styles?: readonly string[]
  children: ComponentChildren
}

/**
 * A whole page of the site as HTML, with the one style of all of them. Everything in it is escaped
 * by the renderer.
 */
export function htmlPage({ title, description, scripts = [], styles = [], children }: Frame): string {
  return `<!doctype html>${renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content={description} />
        <title>{title}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/site.css" />
        {styles.map((name) => (
          <link rel="stylesheet" href={`/assets/${name}.css`} />
        ))}
        {scripts.map((name) => (
          <script type="module" src={`/assets/${name}.js`} />
        ))}
      </head>
      <body>{children}</body>
    </html>,
  )}`
}

const LINKS = [
  ['/docs', 'Docs'],
  ['/docs/reference', 'Reference'],
  ['/till', 'Till'],
] as const

/** What stands above every page: what this is, and where else one can go. */
export function SiteHeader({ here }: { here: string }) {
  return (
    <header class="site">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <a class="brand" href="/">
        <img src="/favicon.svg" alt="" width="24" height="24" />
        Payment Hub
      </a>
      <nav aria-label="Site">
        {LINKS.map(([address, name]) => (
          <a href={address} {...(address === here ? { 'aria-current': 'true' as const } : {})}>
            {name}
          </a>
        ))}
      </nav>
    </header>
  )
}
