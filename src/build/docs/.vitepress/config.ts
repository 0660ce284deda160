import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type MarkdownOptions, defineConfig } from 'vitepress'
import { HUB } from '../../../contract/placeholder.ts'
import { SOURCES, inOrder } from '../order.ts'

type Theme = Exclude<NonNullable<MarkdownOptions['theme']>, string | { light: unknown; dark: unknown }>
type Transformer = NonNullable<MarkdownOptions['codeTransformers']>[number]

/** The classes that theme/style.css colours, each with the TextMate scopes of its code. */
const WORDS: readonly (readonly [name: string, scopes: string[]])[] = [
  ['note', ['comment', 'punctuation.definition.comment']],
  ['word', ['keyword', 'storage', 'constant.language', 'variable.language', 'punctuation.section.embedded']],
  ['text', ['string', 'punctuation.definition.string', 'string.regexp']],
  ['number', ['constant.numeric', 'constant.character.escape']],
  ['name', ['entity.name', 'support', 'variable.other.property', 'meta.object-literal.key']],
]

const INK = '#000000'

/** A colour only marks a class: the policy of the hub's pages refuses styles in a page. */
const theme: Theme = {
  name: 'marks',
  type: 'light',
  fg: INK,
  bg: '#ffffff',
  settings: [
    { settings: { foreground: INK, background: '#ffffff' } },
    ...WORDS.map(([, scope], at) => ({ scope, settings: { foreground: colourOf(at) } })),
  ],
}

function colourOf(at: number): string {
  return `#00000${at + 1}`
}

/** Gives each word a class instead of the style that Shiki writes. */
const classes: Transformer = {
  name: 'classes',
  span(node) {
    const style = node.properties['style']?.toString().toLowerCase() ?? ''
    const found = WORDS.find((_, at) => style.includes(colourOf(at)))
    node.properties = found ? { class: found[0] } : {}
  },
}

/** Returns the anchor of a heading as GitHub makes it, because links in documents rely on it. */
function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

const names = readdirSync(SOURCES)
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -'.md'.length))

function titleOf(name: string): string {
  const [, title = name] = /^# (.+)$/m.exec(readFileSync(join(SOURCES, `${name}.md`), 'utf8')) ?? []
  return title
}

/** The settings with which VitePress builds the docs from SOURCES. */
export default defineConfig({
  srcDir: SOURCES,
  base: '/docs/',
  cleanUrls: true,
  lang: 'en',
  title: 'Payment Hub',
  // Browsers of the last four years: this esbuild rewrites nothing for older ones.
  vite: { build: { target: 'es2022', cssTarget: 'chrome105' } },
  // VitePress would write the style against transitions into the page, which the policy refuses.
  appearance: { disableTransition: false },
  head: [['link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }]],
  markdown: { theme, codeTransformers: [classes], anchor: { slugify }, headers: { slugify } },
  themeConfig: {
    siteTitle: 'Payment Hub',
    logo: { src: `${HUB}/favicon.svg`, alt: '' },
    logoLink: { link: `${HUB}/`, target: '_self' },
    nav: [
      { text: 'Guide', link: '/guide' },
      { text: 'Reference', link: '/reference' },
      { text: 'Till', link: `${HUB}/till`, target: '_self', noIcon: true },
    ],
    sidebar: inOrder(names).map(([text, pages]) => ({
      text,
      items: pages.map((name) => ({ text: titleOf(name), link: name === 'index' ? '/' : `/${name}` })),
    })),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        miniSearch: { searchOptions: { combineWith: 'AND' } },
        // Leaves out the placeholder of the hub's name, which nobody searches for.
        _render: (source, env, markdown) => markdown.render(source, env).replaceAll(HUB, ''),
      },
    },
  },
})
