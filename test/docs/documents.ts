import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { PROJECT } from '../../src/programs/wrangler.ts'

/** A document of the project: its path from the project's folder, and its text. */
export type Document = { path: string; text: string }

/** Returns the text of a file, or of all pages of a folder. */
export function read(path: string): string {
  const full = join(PROJECT, path)
  if (!statSync(full).isDirectory()) return readFileSync(full, 'utf8')
  return pagesIn(path)
    .map((page) => `\n${read(page)}`)
    .join('')
}

function pagesIn(folder: string): string[] {
  return readdirSync(join(PROJECT, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => posix.join(folder, file))
}

const TOP = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']
const PAGES = ['docs', 'docs/pos', 'docs/operating', 'docs/decisions'].flatMap(pagesIn)

export const DOCUMENTS: readonly Document[] = [...TOP, ...PAGES].map((path) => ({ path, text: read(path) }))

/** Returns the blocks of a language (`sh`, `json`, `js`), in order. */
export function blocksOf(text: string, language: string): string[] {
  return Array.from(text.matchAll(/^```(\w*)\n([^]*?)^```$/gm))
    .filter(([, name]) => name === language)
    .map(([, , block = '']) => block)
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```\w*\n[^]*?^```$/gm, '')
}

/** Returns the code between backticks within the text. */
export function codesOf(text: string): string[] {
  return Array.from(withoutBlocks(text).matchAll(/`([^`\n]+)`/g), ([, code = '']) => code)
}

/** Returns everything that is written as code: within the text, and each line of shell blocks. */
export function commandsOf(text: string): string[] {
  return [...codesOf(text), ...blocksOf(text, 'sh').flatMap((block) => block.split('\n'))]
}

/** Returns the prose, without code and without the addresses of links. */
export function proseOf(text: string): string {
  return withoutBlocks(text)
    .replaceAll(/`[^`\n]+`/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
}

/** Returns the rows of the tables right under a heading (`## …`) as cells, without the head. */
export function rowsUnder(text: string, heading: string): string[][] {
  const [, section = ''] = text.split(`\n${heading}\n`)
  const [own = ''] = section.split(/\n#+ /)
  return own
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((_, at, all) => !/^-+$/.test(all[at]?.[0] ?? '') && !/^-+$/.test(all[at + 1]?.[0] ?? ''))
}

/** Returns the source files of a folder as one text. */
export function sourceOf(folder: string): string {
  return readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.endsWith('.d.ts'))
    .toSorted()
    .map((file) => read(posix.join(folder, file)))
    .join('\n')
}
