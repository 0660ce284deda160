import { htmlPage } from './html-page.tsx'
import type { Rendered } from './markdown.ts'
import { SiteHeader } from './site-header.tsx'

type Link = { name: string; title: string }
type Order = readonly (readonly [title: string, pages: readonly Link[]])[]

/** The address of a page of the documents. */
export function addressOf(name: string): string {
  return name === 'index' ? '/docs' : `/docs/${name}`
}

/** A page of the documents with all that stands around it: the way to the others, and what is on this one. */
export function docsFrame(name: string, { title, html, headings }: Rendered, order: Order): string {
  const contents = headings.filter(({ depth }) => depth === 2)
  return htmlPage({
    title: name === 'index' ? 'Payment Hub: documents' : `${title} – Payment Hub`,
    description: descriptionOf(html),
    scripts: html.includes('class="try"') ? ['docs', 'try-it'] : ['docs'],
    children: (
      <>
        <SiteHeader here="/docs" />
        <div class="docs">
          <details class="menu">
            <summary>{title}</summary>
            <Navigation here={name} order={order} />
          </details>
          <div class="aside">
            <Navigation here={name} order={order} />
          </div>
          <main id="content">
            <article dangerouslySetInnerHTML={{ __html: html }} />
            <Neighbours here={name} order={order} />
          </main>
          {contents.length > 1 && (
            <nav class="contents" aria-label="On this page">
              <p>On this page</p>
              <ul>
                {contents.map(({ id, text }) => (
                  <li>
                    <a href={`#${id}`}>{text}</a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
        </div>
      </>
    ),
  })
}

function Navigation({ here, order }: { here: string; order: Order }) {
  return (
    <nav aria-label="Documents">
      {order.map(([section, pages]) => (
        <>
          <p>{section}</p>
          <ul>
            {pages.map(({ name, title }) => (
              <li>
                <a href={addressOf(name)} {...(name === here ? { 'aria-current': 'page' as const } : {})}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
    </nav>
  )
}

function Neighbours({ here, order }: { here: string; order: Order }) {
  const all = order.flatMap(([, pages]) => pages)
  const at = all.findIndex(({ name }) => name === here)
  const [before, after] = [all[at - 1], all[at + 1]]
  return (
    <nav class="neighbours" aria-label="Before and after">
      {before && (
        <a rel="prev" href={addressOf(before.name)}>
          ← {before.title}
        </a>
      )}
      {after && (
        <a rel="next" href={addressOf(after.name)}>
          {after.title} →
        </a>
      )}
    </nav>
  )
}

/** The first paragraph, without its marks. */
function descriptionOf(html: string): string {
  const [, first = ''] = /<p>([^]*?)<\/p>/.exec(html) ?? []
  const text = first.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ')
  return text.length <= 160 ? text : `${text.slice(0, 157).replace(/\s\S*$/, '')} …`
}
