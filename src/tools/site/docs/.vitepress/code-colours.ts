import type { MarkdownOptions } from 'vitepress'

type Theme = Exclude<NonNullable<MarkdownOptions['theme']>, string | { light: unknown; dark: unknown }>
type Transformer = NonNullable<MarkdownOptions['codeTransformers']>[number]

/**
 * Words of code by what they are: the class that theme/style.css colours, and TextMate's scopes for
 * it.
 */
const WORDS: readonly (readonly [name: string, scopes: string[]])[] = [
  ['note', ['comment', 'punctuation.definition.comment']],
  ['word', ['keyword', 'storage', 'constant.language', 'variable.language', 'punctuation.section.embedded']],
  ['text', ['string', 'punctuation.definition.string', 'string.regexp']],
  ['number', ['constant.numeric', 'constant.character.escape']],
  ['name', ['entity.name', 'support', 'variable.other.property', 'meta.object-literal.key']],
]

const INK = '#000000'

/**
 * The policy of the hub's pages refuses styles that stand in a page, so each colour here only marks
 * what a word is.
 */
export const theme: Theme = {
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

/**
 * Gives each word its class in place of the style that Shiki writes. Neighbours of one kind become
 * one word.
 */
export const classes: Transformer = {
  name: 'classes',
  span(node) {
    const style = node.properties['style']?.toString().toLowerCase() ?? ''
    const found = WORDS.find((_, at) => style.includes(colourOf(at)))
    node.properties = found ? { class: found[0] } : {}
  },
  line(node) {
    const words: typeof node.children = []
    for (const word of node.children) {
      const before = words.at(-1)
      if (word.type !== 'element') words.push(word)
      else if (!('class' in word.properties)) words.push(...word.children)
      else if (before?.type === 'element' && before.properties['class'] === word.properties['class'])
        before.children.push(...word.children)
      else words.push(word)
    }
    node.children = words
  },
}
