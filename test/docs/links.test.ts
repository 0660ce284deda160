import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { DOCUMENTS, type Document, codesOf, read } from './documents.ts'

/** Returns the addresses of a document's links that lead to a place in this project. */
function linksOf({ text }: Document): string[] {
  return Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link).filter(
    (link) => !/^[a-z]+:/.test(link),
  )
}

/** Returns the anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  return Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Returns the files and folders that a document names; `NAME` stands for a future one. */
function pathsOf({ text }: Document): string[] {
  return codesOf(text).filter(
    (code) => /^(src|test|docs|migrations|\.ci)\/[\w./-]*$/.test(code) && !code.includes('NAME'),
  )
}

describe.each(DOCUMENTS)('in $path', (document) => {
  it('no page is above 12 KB: readers find what they need without a search', () => {
    if (document.path.startsWith('docs/')) expect(document.text.length).toBeLessThan(12 * 1024)
  })

  it('every link leads somewhere', () => {
    const dead = linksOf(document).filter((link) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? document.path : posix.join(posix.dirname(document.path), path)
      if (!existsSync(join(PROJECT, target))) return true
      // The build of the site fails if a piece of a sample is missing.
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(read(target)).includes(anchor)
    })
    expect(dead).toEqual([])
  })

  it('every file and folder that a document names exists', () => {
    expect(pathsOf(document).filter((path) => !existsSync(join(PROJECT, path)))).toEqual([])
  })
})

/** Returns the documents that a reader reaches from one document by links. */
function reachedFrom(path: string, reached = new Set<string>()): Set<string> {
  const document = DOCUMENTS.find((one) => one.path === path)
  if (!document || reached.has(path)) return reached
  reached.add(path)
  for (const link of linksOf(document))
    reachedFrom(posix.join(posix.dirname(path), link.split('#', 1)[0] ?? ''), reached)
  return reached
}

// The hub's site at /docs leads to the pages of docs/pos/.
it('links lead from the README to every other document', () => {
  const reached = reachedFrom('README.md')
  const lost = DOCUMENTS.filter(({ path }) => !path.startsWith('docs/pos/') && !reached.has(path))
  expect(lost.map(({ path }) => path)).toEqual([])
  expect(reached).toContain('docs/pos/guide.md')
})
