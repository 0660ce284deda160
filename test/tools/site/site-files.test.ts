import { beforeAll, describe, expect, it } from 'vitest'
import { siteFiles } from '../../../src/tools/site/site-files.ts'
import { PROBLEMS } from '../../../src/platform/http/problem-codes.ts'
import { PROBLEM_HELP } from '../../../src/platform/http/problem-help.ts'
import { openApiDocument } from '../../../src/tools/site/openapi/document.ts'
import { PAYMENT_METHODS } from '../../../src/contract/payment-methods.ts'
import { TEST_METHODS } from '../../../src/job/test-methods.ts'
import { METHODS } from '../../../src/psp/stripe/tables.ts'
import { HUB } from '../../../src/site/placeholder.ts'

let files: Awaited<ReturnType<typeof siteFiles>>
beforeAll(async () => {
  files = await siteFiles()
})

function textOf(path: string): string {
  const content = files.get(path)
  if (content === undefined) throw new Error(`the site has no ${path}`)
  return typeof content === 'string' ? content : new TextDecoder().decode(content)
}

/** What stands between two anchors of a page. */
function paragraphOf(html: string, id: string): string {
  const [, after = ''] = html.split(`id="${id}"`)
  return after.split(/<h[23] id=/)[0] ?? ''
}

describe('the page of errors', () => {
  it.each(Object.entries(PROBLEMS))('has a paragraph for %s', (code, [status, title]) => {
    const paragraph = paragraphOf(textOf('docs/errors.html'), code)
    expect(paragraph).toContain(`${status} ${title}`)
    expect(paragraph).toContain('What to do:')
    // An answer as the hub writes it.
    expect(paragraph.replaceAll(/<[^>]+>/g, '')).toContain(
      `&quot;type&quot;: &quot;${HUB}/docs/errors#${code}&quot;`,
    )
    expect(PROBLEM_HELP).toHaveProperty(code)
  })

  it.each([
    ['idempotency-key-malformed', 'Idempotency-Key', 'must have 1 to 255 visible ASCII characters.'],
    ['refund-too-much', 'amount', 'must be at most 12.50'],
  ])('names the field of %s', (code, field, error) => {
    const paragraph = paragraphOf(textOf('docs/errors.html'), code).replaceAll(/<[^>]+>/g, '')
    expect(paragraph).toContain(`&quot;field&quot;: &quot;${field}&quot;`)
    expect(paragraph).toContain(`&quot;error&quot;: &quot;${error}&quot;`)
  })
})

describe('the reference', () => {
  const operations = Object.entries(
    openApiDocument()['paths'] as Record<string, Record<string, { operationId?: string; tags?: string[] }>>,
  ).flatMap(([path, item]) =>
    Object.values(item).flatMap(({ operationId, tags }) =>
      operationId === undefined ? [] : [{ path, operationId, tags }],
    ),
  )

  it('has every operation of the OpenAPI document, those of operators on a page of their own', () => {
    expect(operations.length).toBeGreaterThan(20)
    for (const { path, operationId, tags } of operations) {
      const page = textOf(tags?.includes('Operator') ? 'docs/operator-reference.html' : 'docs/reference.html')
      expect(paragraphOf(page, operationId), operationId).toContain(path)
    }
  })

  it('has every field of an order, and a request that can be copied', () => {
    const paragraph = paragraphOf(textOf('docs/reference.html'), 'createPaymentJob')
    for (const field of ['timestamp', 'order_id', 'ip_address'])
      expect(paragraph).toContain(`<code>${field}</code>`)
    expect(paragraph.replaceAll(/<[^>]+>/g, '')).toContain(`curl -s &quot;${HUB}/v2/paymentjobs&quot;`)
    expect(paragraph).toContain('Idempotency-Key')
  })

  it('leads from what can go wrong to what to do', () => {
    expect(paragraphOf(textOf('docs/reference.html'), 'createPaymentJob')).toContain(
      '<a href="/docs/errors#idempotency-key-reused">',
    )
  })
})

it('the page of payment methods has every name, and what it is at a PSP', () => {
  const page = textOf('docs/payment-methods.html')
  for (const name of [...PAYMENT_METHODS, ...METHODS.keys()])
    expect(page, name).toContain(`<td><code>${name}</code></td>`)
  expect(page).toContain(`<td><code>${METHODS.get('sepa')}</code></td>`)
})

it('the page of payment methods has the names that test mode takes, and no others', () => {
  const page = textOf('docs/payment-methods.html')
  const [, table = ''] = page.split('id="names-at-each-psp"')
  const named = Array.from(table.matchAll(/<tr>\s*<td><code>([^<]+)/g), ([, name]) => name)
  expect(named).toEqual(TEST_METHODS)
})

it('no page has a part that was not filled in, nor the example address of the hub', () => {
  for (const path of [...files.keys()].filter((name) => name.endsWith('.html'))) {
    const text = textOf(path)
    expect(text, path).not.toContain('<!-- made')
    expect(text, path).not.toContain('https://hub.example.com')
  }
})

it('no page runs script or style that stands in it, which the policy would refuse', () => {
  const pages = [...files.keys()].filter((path) => path.endsWith('.html'))
  expect(pages.length).toBeGreaterThan(12)
  for (const path of pages)
    expect(textOf(path), path).not.toMatch(
      /<style|<script(?! type="module" src="\/assets\/)|\sstyle=|\son[a-z]+=/,
    )
})
