import { describe, expect, it } from 'vitest'
import { inOrder } from '../../../src/tools/site/docs-order.ts'
import { renderMarkdown } from '../../../src/tools/site/markdown.ts'

function render(text: string) {
  return renderMarkdown(`# Title\n\n${text}`)
}

describe('a document', () => {
  it('has its title, and the anchors that GitHub gives its headings', () => {
    const { title, headings, html } = render(
      "## What's `new` in <b>2</b>?\n\n### Retries and Idempotency-Key",
    )
    expect(title).toBe('Title')
    expect(headings.map(({ id }) => id)).toEqual(['whats-new-in-b2b', 'retries-and-idempotency-key'])
    expect(html).toContain('<h3 id="retries-and-idempotency-key">')
  })

  it.each([
    ['[a](webhooks.md)', 'href="/docs/webhooks"'],
    ['[a](webhooks.md#verify-a-report)', 'href="/docs/webhooks#verify-a-report"'],
    ['[a](index.md)', 'href="/docs"'],
    ['[a](#here)', 'href="#here"'],
    ['[a](https://example.org/x.md)', 'href="https://example.org/x.md"'],
    ['[a](https://hub.example.com/till)', 'href="https://hub.invalid/till"'],
  ])('has the link %s as %s', (text, link) => {
    expect(render(text).html).toContain(link)
  })

  it('keeps the words of a link to a file that is not on the site', () => {
    expect(render('[the operator](../operating.md)').html).toContain('<p>the operator</p>')
  })

  it('shows samples under tabs, one for each language, the first of them chosen', () => {
    const { html } = render('[curl](samples/token.sh) · [PHP](samples/token.php)')
    expect(html.match(/<input type="radio"/g)).toHaveLength(2)
    expect(html.match(/ checked>/g)).toHaveLength(1)
    expect(html.match(/<pre/g)).toHaveLength(2)
    expect(html).not.toContain('samples/token')
  })

  it('leaves links to samples that stand in a sentence as words', () => {
    expect(render('See [curl](samples/token.sh) for it.').html).not.toContain('<input')
  })

  it('escapes what code has for marks', () => {
    expect(render('```sh\necho "<b>" && x\n```').html).not.toContain('<b>')
    expect(render('```unknown\n<b>&"\n```').html).toContain('&lt;b&gt;&amp;&quot;')
  })
})

it('every page is in the navigation, also one that no section names', () => {
  const names = ['guide', 'index', 'zebra', 'aardvark', 'errors']
  const order = inOrder(names)
  expect(order.flatMap(([, pages]) => pages).toSorted()).toEqual(names.toSorted())
  expect(order.at(0)?.[1]).toEqual(['index', 'guide'])
  expect(order.at(-1)?.[1]).toEqual(['aardvark', 'zebra'])
  expect(order.every(([, pages]) => pages.length > 0)).toBe(true)
})
