import { Marked, type Tokens } from 'marked'
import { atThisHub } from './at-this-hub.ts'
import { highlight } from './highlight.ts'
import { isSamples, samplesOf, tabs } from './samples.ts'

/** A heading of a page, for its table of contents. */
export type Heading = { depth: number; id: string; text: string }

/** A Markdown text as HTML, its title (the first heading) and its other headings. */
export type Rendered = { title: string; html: string; headings: Heading[] }

/** Renders a document. A paragraph of nothing but links to samples becomes the samples themselves, with a tab for each. */
export function renderMarkdown(source: string): Rendered {
  const headings: Heading[] = []
  let groups = 0
  const marked = new Marked({
    renderer: {
      heading({ depth, tokens, text }) {
        const id = anchorOf(text)
        const html = this.parser.parseInline(tokens)
        headings.push({ depth, id, text: plain(html) })
        if (depth === 1) return `<h1>${html}</h1>\n`
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${html}</a></h${depth}>\n`
      },
      code: ({ text, lang }) => codeBlock(text, lang ?? ''),
      table(token) {
        return `<div class="table" tabindex="0">${tableOf(this, token)}</div>\n`
      },
      link({ href, title, tokens }) {
        const html = this.parser.parseInline(tokens)
        const target = linkOf(href)
        if (target === null) return html
        return `<a href="${target}"${title ? ` title="${title}"` : ''}>${html}</a>`
      },
      paragraph({ tokens }) {
        if (!isSamples(tokens)) return `<p>${this.parser.parseInline(tokens)}</p>\n`
        return tabs(`sample-${++groups}`, samplesOf(tokens))
      },
    },
  })
  const html = marked.parse(atThisHub(source), { async: false })
  const [first, ...others] = headings
  if (first?.depth !== 1) throw new Error('a document begins with its title')
  return { title: first.text, html, headings: others }
}

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

function codeBlock(text: string, language: string): string {
  return `<pre tabindex="0"><code>${highlight(text, language)}</code></pre>\n`
}

/** The address of a link on the site: `webhooks.md#verify` is /docs/webhooks#verify. Null for a file that is not on it. */
function linkOf(href: string): string | null {
  if (/^([a-z]+:|#|\/)/.test(href)) return href
  const [, name, anchor = ''] = /^([a-z][a-z0-9-]*)\.md(#.*)?$/.exec(href) ?? []
  if (name === undefined) return null
  return `${name === 'index' ? '/docs' : `/docs/${name}`}${anchor}`
}

type Parsing = { parser: { parseInline: (tokens: Tokens.TableCell['tokens']) => string } }

function tableOf({ parser }: Parsing, { header, rows }: Tokens.Table): string {
  const cells = (row: Tokens.TableCell[], tag: string) =>
    row.map(({ tokens }) => `<${tag}>${parser.parseInline(tokens)}</${tag}>`).join('')
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
  return `<table><thead><tr>${cells(header, 'th scope="col"').replaceAll('</th scope="col">', '</th>')}</tr></thead><tbody>${body}</tbody></table>`
}

function plain(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
