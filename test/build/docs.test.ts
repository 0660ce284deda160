import { beforeAll, describe, expect, it } from 'vitest'
import { PAYMENT_METHODS } from '../../src/contract/payment-methods.ts'
import { PROBLEMS } from '../../src/contract/problems.ts'
import { METHODS } from '../../src/psp/stripe/tables.ts'
import { HUB } from '../../src/contract/placeholder.ts'
import { inOrder } from '../../src/build/docs/order.ts'
import { docsPages, overview, prepared } from '../../src/build/docs/pages.ts'
import { strictPage } from '../../src/build/docs/build-docs.ts'
import { openApiDocument } from '../../src/build/openapi/document.ts'
import { operationsOf } from '../../src/build/openapi/openapi.ts'
import { TEST_METHODS } from '../../src/psp/adapters.ts'
import { read } from '../docs/documents.ts'

let pages: Awaited<ReturnType<typeof docsPages>>['paged']
let plain: typeof pages
beforeAll(async () => {
  ;({ paged: pages, plain } = await docsPages())
})

function textOf(name: string): string {
  const page = pages.get(name)
  if (page === undefined) throw new Error(`the docs have no ${name}`)
  return page
}

/** The text under a heading of the second or third level. */
function sectionOf(page: string, heading: RegExp): string {
  return page.split(/^(?=#{2,3} )/m).find((part) => heading.test(part.split('\n', 1)[0] ?? '')) ?? ''
}

describe('a document', () => {
  it.each([
    ['[a](webhooks.md#verify-a-report)', '[a](/webhooks#verify-a-report)'],
    ['[a](index.md)', '[a](/)'],
    ['[a](#here)', '[a](#here)'],
    ['[a](https://hub.example.com/docs/reference)', '[a](/reference)'],
    ['[a](https://hub.example.com/till)', `[a](${HUB}/till)`],
    ['[the operator](../operating.md)', 'the operator'],
    ['See [curl](samples/token.sh) for it.', 'See curl for it.'],
    ['```sh\n[a](../b.md) https://hub.example.com\n```', `\`\`\`sh\n[a](../b.md) ${HUB}\n\`\`\``],
  ])('has %s as %s', async (text, shown) => {
    expect(await prepared(text, 'page')).toBe(shown)
  })

  it('shows samples under tabs, one for each language', async () => {
    const tabs = await prepared('[curl](samples/token.sh) · [PHP](samples/token.php)', 'page')
    expect(tabs).toMatch(/^::: code-group\n\n```sh \[curl\]\n[^]+\n```\n\n```php \[PHP\]\n[^]+\n```\n\n:::$/)
    expect(tabs).toContain(HUB)
  })
})

it('the guide builds the sample shop: the pieces that it shows are the whole file', () => {
  const pieces = Array.from(
    textOf('guide').matchAll(/^```ts\n(\/\/ Step [^]*?)^```$/gm),
    ([, piece]) => piece,
  )
  const [, ...steps] = read('docs/pos/samples/shop/shop.ts').split(/^(?=\/\/ Step )/m)
  expect(steps.length).toBeGreaterThan(5)
  expect(pieces).toEqual(steps.map((step) => `${step.trimEnd()}\n`))
})

it('is there as Markdown too: with its samples, and links to others in Markdown, all listed in llms.txt', () => {
  const guide = plain.get('guide') ?? ''
  expect(guide).toContain('```php\n<?php')
  expect(guide).toContain('(webhooks.md)')
  for (const text of plain.values()) expect(text).not.toMatch(/^:::|^---\ndesc| \{#/m)
  const list = overview(plain)
  for (const name of plain.keys()) expect(list).toMatch(new RegExp(`\\(${HUB}/docs/${name}\\.md\\): .{10}`))
})

it('no page has a part that was not filled in, nor the example address of the hub', () => {
  expect(pages.size).toBeGreaterThan(20)
  for (const [name, text] of pages) {
    expect(text, name).not.toContain('<!-- made')
    expect(text, name).not.toContain('https://hub.example.com')
  }
})

it.each(Object.entries(PROBLEMS))('the page of errors says what to do about %s', (code, [status, title]) => {
  const paragraph = sectionOf(textOf('errors'), new RegExp(`^### ${code}$`))
  expect(paragraph).toContain(`${status} ${title}`)
  expect(paragraph).toContain('Do:')
})

describe('the reference', () => {
  const operations = (['shops', 'operators'] as const).flatMap((audience) => {
    const document = openApiDocument(audience)
    return operationsOf(document, document.paths).map(({ path, operation: { operationId } }) => ({
      path,
      operationId,
      isOperators: audience === 'operators',
    }))
  })

  it('has every operation of the OpenAPI document once, those of operators on pages of their own', () => {
    expect(operations.length).toBeGreaterThan(20)
    for (const { path, operationId, isOperators } of operations) {
      const heading = new RegExp(`\\{#${operationId}\\}$`)
      const found = [...pages].filter(
        ([page, text]) => (page !== 'reference') === isOperators && sectionOf(text, heading) !== '',
      )
      expect(found, operationId).toHaveLength(1)
      const [name, text] = found[0] ?? ['', '']
      expect(sectionOf(text, heading), operationId).toContain(`${path}\``)
      if (isOperators) expect(textOf('operator-reference')).toContain(`(${name}.md#${operationId})`)
    }
  })

  it('has every field of an order, a request that can be copied, and what to do when it is refused', () => {
    const section = sectionOf(textOf('reference'), /\{#createPaymentJob\}$/)
    for (const kind of ['NewPaymentJob', 'NewTerminalJob']) {
      expect(section).toContain(`(#${kind})`)
      const fields = sectionOf(textOf('reference'), new RegExp(`\\{#${kind}\\}$`))
      for (const field of ['timestamp', 'order_id', 'ip_address']) expect(fields).toContain(`| \`${field}\``)
    }
    expect(section).toContain(`curl -s "${HUB}/v2/paymentjobs"`)
    expect(section).toContain("-H 'Idempotency-Key: ")
    expect(section).toContain('(errors.md#idempotency-key-reused)')
  })
})

it('the page of payment methods has the names that test mode takes, and what each is at a PSP', () => {
  const page = textOf('payment-methods')
  const table = sectionOf(page, /Names at each PSP/)
  const named = Array.from(table.matchAll(/^\| `([^`]+)` \|/gm), ([, name]) => name)
  expect(named.filter((name) => name !== 'payment_method')).toEqual(TEST_METHODS)
  expect(named).toEqual(expect.arrayContaining([...PAYMENT_METHODS, ...METHODS.keys()]))
  expect(table).toContain(`| \`${String(METHODS.get('sepa'))}\` |`)
})

it('every page is in the sidebar, also one that no section names', () => {
  const names = ['guide', 'index', 'zebra', 'aardvark', 'errors']
  const order = inOrder(names)
  expect(order.flatMap(([, sorted]) => sorted).toSorted()).toEqual(names.toSorted())
  expect(order.at(-1)?.[1]).toEqual(['aardvark', 'zebra'])
})

it('a page keeps its scripts in files and has no styles, as the policy asks', () => {
  const { html, scripts } = strictPage(
    '<head><script id="a">run(1)</script><script type="module" src="/docs/assets/app.js"></script></head><p class="x" style="color:red">style="y"</p>',
  )
  expect([...scripts.values()]).toEqual(['run(1)'])
  const [path = ''] = scripts.keys()
  expect(html).toBe(
    `<head><script id="a" src="/docs/${path}"></script><script type="module" src="/docs/assets/app.js"></script></head><p class="x">style="y"</p>`,
  )
})
