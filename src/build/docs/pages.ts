import { readFile, readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { HUB } from '../../contract/placeholder.ts'
import { PROJECT } from '../../programs/wrangler.ts'
import { openApiDocument } from '../openapi/document.ts'
import { OF_OPERATORS_ALONE } from '../openapi/problems.ts'
import { inOrder } from './order.ts'
import { referencePages } from './reference.ts'
import { PROBLEMS } from '../../contract/problems.ts'
import { PAYMENT_METHODS } from '../../contract/payment-methods.ts'
import { ADAPTERS } from '../../psp/adapters.ts'
import type { Adapter } from '../../psp/port.ts'
import { table } from './fields.ts'

const FOLDER = join(PROJECT, 'docs', 'pos')

const EXAMPLE_HUB = 'https://hub.example.com'

/** Markdown pages by name: `guide` is at /docs/guide, `index` at /docs. */
export type Pages = ReadonlyMap<string, string>

/** Returns every page of the docs: `paged` for VitePress, `plain` as Markdown for programs. */
export async function docsPages(): Promise<{ paged: Pages; plain: Pages }> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.md'))
  const sources = await Promise.all(
    files.map(async (file) => {
      const source = withMadeParts(await readFile(join(FOLDER, file), 'utf8'))
      return [file.slice(0, -'.md'.length), source] as const
    }),
  )
  const reference = referencePages(openApiDocument('shops'), openApiDocument('operators'))
  const written = async (form: Form, finish: (page: string) => string): Promise<Pages> => {
    const texts = await Promise.all(
      sources.map(async ([name, text]) => [name, await prepared(text, form)] as const),
    )
    return new Map([...texts, ...reference].map(([name, text]) => [name, finish(text)]))
  }
  const [paged, plain] = await Promise.all([
    written('page', withDescription),
    written('plain', (page) => page.replaceAll(/ \{#[\w-]+\}$/gm, '')),
  ])
  return { paged, plain }
}

type Form = 'page' | 'plain'

/** Prepares a document for serving. In fenced code, only the hub's address changes. */
export async function prepared(source: string, form: Form): Promise<string> {
  const parts = source.split(/^(```[^]*?^```$)/m)
  const made = await Promise.all(
    parts.map(async (part) => (part.startsWith('```') ? part : withSamples(withLinks(part, form), form))),
  )
  return made.join('').replaceAll(EXAMPLE_HUB, HUB)
}

const PAGE = new RegExp(`^(?:${EXAMPLE_HUB}/docs/)?([a-z][a-z0-9-]*)(?:\\.md)?(#.*)?$`)

/**
 * Makes links between VitePress pages begin at the root of the docs, because browsers would resolve
 * relative ones next to /docs, which has no slash at its end. Plain pages link to plain pages. Links
 * to files that the hub does not serve become plain words.
 */
function withLinks(text: string, form: Form): string {
  return text.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, href: string) => {
    const [, name, anchor = ''] = PAGE.exec(href) ?? []
    if (name !== undefined && form === 'plain') return `[${words}](${name}.md${anchor})`
    if (name !== undefined) return `[${words}](/${name === 'index' ? '' : name}${anchor})`
    return /^([a-z]+:|#|samples\/)/.test(href) ? link : words
  })
}

const LINKS_TO_SAMPLES = /^\[[^\]]+\]\(samples\/[^)]+\)(?: · \[[^\]]+\]\(samples\/[^)]+\))*$/gm

/** Replaces a line of links to samples by the samples, which tests run; VitePress shows several in tabs. */
async function withSamples(text: string, form: Form): Promise<string> {
  let filled = text
  for (const [line] of text.matchAll(LINKS_TO_SAMPLES)) {
    const links = [...line.matchAll(/\[([^\]]+)\]\((samples\/[^)]+)\)/g)]
    const blocks = await Promise.all(
      links.map(async ([, name = '', path = '']) => {
        const { code, language } = await sampleAt(path)
        if (form === 'plain') return `${name}:\n\n\`\`\`${language}\n${code}\n\`\`\``
        const tab = links.length > 1 ? ` [${name}]` : ''
        return `\`\`\`${language}${tab}\n${code}\n\`\`\``
      }),
    )
    const all = blocks.join('\n\n')
    const isTabs = form === 'page' && links.length > 1
    filled = filled.replace(line, () => (isTabs ? `::: code-group\n\n${all}\n\n:::` : all))
  }
  return filled.replaceAll(/\[([^\]]+)\]\(samples\/[^)]+\)/g, '$1')
}

/** Reads a sample, or with `#step-N` the part of it that begins with the comment `// Step N`. */
async function sampleAt(path: string): Promise<{ code: string; language: string }> {
  const [file = '', anchor] = path.split('#')
  const whole = await readFile(join(FOLDER, file), 'utf8')
  const step = anchor?.replace('step-', '// Step ')
  const piece = whole.split(/^(?=\/\/ Step )/m).find((part) => part.startsWith(`${step}:`))
  if (step !== undefined && piece === undefined) throw new Error(`${file} has no ${anchor}`)
  return { code: (piece ?? whole).trimEnd(), language: extname(file).slice(1) }
}

/** Returns the first paragraph of a page, as plain text. */
function summaryOf(page: string): string {
  const [, first = ''] = /^# .+\n+([^]*?)\n\n/.exec(page) ?? []
  return first
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]/g, '')
    .replaceAll(/\s+/g, ' ')
}

/** Makes `/llms.txt` (https://llmstxt.org): every page as Markdown, with a line about it. */
export function overview(pages: Pages): string {
  const sections = inOrder([...pages.keys()]).map(([title, names]) => {
    const lines = names.map((name) => {
      const page = pages.get(name) ?? ''
      const [, heading = name] = /^# (.+)$/m.exec(page) ?? []
      return `- [${heading}](${HUB}/docs/${name}.md): ${summaryOf(page)}`
    })
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  const about =
    'One API for tills and web shops to take payments, over several payment service providers (PSPs).'
  return `# Payment Hub\n\n> ${about} OpenAPI: ${HUB}/openapi.json\n\n${sections.join('\n')}`
}

/** Adds the first paragraph as the description for search engines. */
function withDescription(page: string): string {
  const text = summaryOf(page)
  const short = text.length <= 160 ? text : `${text.slice(0, 157).replace(/\s\S*$/, '')} …`
  return `---\ndescription: ${JSON.stringify(short)}\n---\n\n${page}`
}

/** The parts of documents that the code writes, instead of `<!-- made: NAME -->`. */
const PARTS: Readonly<Record<string, () => string>> = {
  'operator-problems': () => OF_OPERATORS_ALONE,
  'payment-methods': methodsTable,
  problems: problemTable,
}

/** Fills in the parts that the code writes. Throws for an unknown name. */
function withMadeParts(source: string): string {
  return source.replaceAll(/<!-- made: ([\w-]+) -->/g, (_, name: string) => {
    const make = PARTS[name]
    if (!make) throw new Error(`no part of a document is called ${name}`)
    return make()
  })
}

function methodsTable(): string {
  const psps = Object.values(ADAPTERS)
  const known = new Set([
    ...PAYMENT_METHODS,
    ...psps.flatMap(({ methods }) => [...methods.keys()]).toSorted(),
  ])
  const cellOf = (name: string, { methods, unsupported }: Adapter): string => {
    if (unsupported?.has(name)) return 'refused'
    const types = [methods.get(name) ?? []].flat()
    return types.length === 0 ? '–' : types.map((type) => `\`${type}\``).join(', ')
  }
  return table(
    ['`payment_method`', ...psps.map(({ name }) => name)],
    [...known].map((method) => [`\`${method}\``].concat(psps.map((psp) => cellOf(method, psp)))),
  )
}

function problemTable(): string {
  const rows = Object.entries(PROBLEMS).map(([code, [status, title]]) => [
    String(status),
    `[${code}](#${code})`,
    title,
  ])
  const byStatus = rows.toSorted(([one], [other]) => Number(one) - Number(other))
  return table(['status', 'code', 'what it says'], byStatus)
}
