import { readFile, readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { HUB } from '../../../site/placeholder.ts'
import { PROJECT } from '../../wrangler.ts'
import { openApiDocument } from '../openapi/document.ts'
import { referencePages } from './reference.ts'
import { PROBLEMS } from '../../../contract/problems.ts'
import { PAYMENT_METHODS } from '../../../contract/payment-methods.ts'
import { METHODS as ADYEN } from '../../../psp/adyen/tables.ts'
import { METHODS as MOLLIE, UNSUPPORTED as MOLLIE_UNSUPPORTED } from '../../../psp/mollie/tables.ts'
import { METHODS as MULTISAFEPAY } from '../../../psp/multisafepay/tables.ts'
import { METHODS as STRIPE } from '../../../psp/stripe/tables.ts'
import { table } from './fields.ts'

const FOLDER = join(PROJECT, 'docs', 'pos')

const EXAMPLE_HUB = 'https://hub.example.com'

/** A page in VitePress's Markdown, by its name: `guide` is at /docs/guide, `index` at /docs. */
export type Pages = ReadonlyMap<string, string>

/**
 * Every page of the docs: the files of docs/pos, and the reference that the OpenAPI document gives.
 */
export async function docsPages(): Promise<Pages> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.md'))
  const written = await Promise.all(
    files.map(async (file) => {
      const source = withMadeParts(await readFile(join(FOLDER, file), 'utf8'))
      return [file.slice(0, -'.md'.length), await forVitePress(source)] as const
    }),
  )
  const pages = new Map([
    ...written,
    ...referencePages(openApiDocument('shops'), openApiDocument('operators')),
  ])
  return new Map([...pages].map(([name, text]) => [name, withDescription(text)]))
}

/**
 * A document as VitePress takes it. It changes nothing between the fences of code but the hub's
 * address.
 */
export async function forVitePress(source: string): Promise<string> {
  const parts = source.split(/^(```[^]*?^```$)/m)
  const prepared = await Promise.all(
    parts.map(async (part) => (part.startsWith('```') ? part : withSamples(withLinks(part)))),
  )
  return prepared.join('').replaceAll(EXAMPLE_HUB, HUB)
}

const PAGE = new RegExp(`^(?:${EXAMPLE_HUB}/docs/)?([a-z][a-z0-9-]*)(?:\\.md)?(#.*)?$`)

/**
 * Links to other pages begin at the root of the docs: /docs has no slash at its end, so that
 * browsers would look for a relative one beside it. Links to files that the hub does not serve
 * become plain words.
 */
function withLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, href: string) => {
    const [, name, anchor = ''] = PAGE.exec(href) ?? []
    if (name !== undefined) return `[${words}](/${name === 'index' ? '' : name}${anchor})`
    return /^([a-z]+:|#|samples\/)/.test(href) ? link : words
  })
}

const LINKS_TO_SAMPLES = /^\[[^\]]+\]\(samples\/[^)]+\)(?: · \[[^\]]+\]\(samples\/[^)]+\))*$/gm

/**
 * A line of nothing but links to samples becomes the samples themselves, under a tab each. Tests
 * run these files.
 */
async function withSamples(text: string): Promise<string> {
  let filled = text
  for (const [line] of text.matchAll(LINKS_TO_SAMPLES)) {
    const links = [...line.matchAll(/\[([^\]]+)\]\((samples\/[^)]+)\)/g)]
    const blocks = await Promise.all(
      links.map(async ([, name = '', path = '']) => {
        const code = (await readFile(join(FOLDER, path), 'utf8')).trimEnd()
        return `\`\`\`${extname(path).slice(1)} [${name}]\n${code}\n\`\`\``
      }),
    )
    filled = filled.replace(line, () => `::: code-group\n\n${blocks.join('\n\n')}\n\n:::`)
  }
  return filled.replaceAll(/\[([^\]]+)\]\(samples\/[^)]+\)/g, '$1')
}

/** Adds the first paragraph, without its marks, as what search engines show of the page. */
function withDescription(page: string): string {
  const [, first = ''] = /^# .+\n+([^]*?)\n\n/.exec(page) ?? []
  const text = first
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]/g, '')
    .replaceAll(/\s+/g, ' ')
  const short = text.length <= 160 ? text : `${text.slice(0, 157).replace(/\s\S*$/, '')} …`
  return `---\ndescription: ${JSON.stringify(short)}\n---\n\n${page}`
}

/**
 * Parts of documents that the code gives, in Markdown. `<!-- made: NAME -->` in a document is where
 * one goes.
 */
const PARTS: Readonly<Record<string, () => string>> = {
  'payment-methods': methodsTable,
  problems: problemTable,
}

/** Fills in the parts of a document that the code gives. Throws when nothing has the name. */
function withMadeParts(source: string): string {
  return source.replaceAll(/<!-- made: ([\w-]+) -->/g, (_, name: string) => {
    const make = PARTS[name]
    if (!make) throw new Error(`no part of a document is called ${name}`)
    return make()
  })
}

type Methods = ReadonlyMap<string, string | readonly string[]>

const PSPS: readonly (readonly [
  name: string,
  methods: Methods,
  unsupported?: ReadonlyMap<string, string>,
])[] = [
  ['Adyen', ADYEN],
  ['Mollie', MOLLIE, MOLLIE_UNSUPPORTED],
  ['MultiSafepay', MULTISAFEPAY],
  ['Stripe', STRIPE],
]

function methodsTable(): string {
  const known = new Set([
    ...PAYMENT_METHODS,
    ...PSPS.flatMap(([, methods]) => [...methods.keys()]).toSorted(),
  ])
  const cellOf = (name: string, [, methods, unsupported]: (typeof PSPS)[number]): string => {
    if (unsupported?.has(name)) return 'refused'
    const types = [methods.get(name) ?? []].flat()
    return types.length === 0 ? '–' : types.map((type) => `\`${type}\``).join(', ')
  }
  return table(
    ['`payment_method`', ...PSPS.map(([name]) => name)],
    [...known].map((name) => [`\`${name}\``].concat(PSPS.map((psp) => cellOf(name, psp)))),
  )
}

/** A table of the codes of problems. */
function problemTable(): string {
  const rows = Object.entries(PROBLEMS).map(([code, [status, title]]) => [
    String(status),
    `[${code}](#${code})`,
    title,
  ])
  const byStatus = rows.toSorted(([one], [other]) => Number(one) - Number(other))
  return table(['status', 'code', 'what it says'], byStatus)
}
