import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { DOCUMENTS, proseOf, read, rowsUnder, sourceOf } from './documents.ts'

/**
 * Words that stand nowhere in their other meaning, the word of docs/glossary.md for each, and what
 * of the code has them all the same: public names, and those of the platform and of standards.
 */
const OTHERS: readonly (readonly [word: RegExp, ours: string, names?: RegExp])[] = [
  [/\bin[ -]flight\b/i, 'duty'],
  [/\bweather\b/i, 'breaker'],
  [/\bcharge-backs?\b/i, 'chargeback'],
  [
    /\bundelivered\b/i,
    'failing, given up',
    /reports\/undelivered|[{(!.] ?undelivered\b|\bundelivered( \?\?|[.:,])/g,
  ],
  [/\bdead\b/i, 'given up', /reports-dead|dead.letter|_queue: dead|rename\(dead\)|dead === undefined/g],
  [
    /\bpull(s|ed|ing)?\b/i,
    'ask',
    /job[. ]pull|pull[(:]|(const|[{/.]|^) ?pull\b|^ +pull,|, pull,|'pull(ed)?'|pulled:|-pulls\b/gm,
  ],
]

function othersIn(text: string, path: string, isCode: boolean): string[] {
  return OTHERS.flatMap(([word, ours, names]) => {
    const rest = isCode && names ? text.replaceAll(names, '') : text
    return rest
      .split('\n')
      .filter((line) => word.test(line))
      .map((line) => `${path}: ${line.trim()} (say: ${ours})`)
  })
}

/** The pages about a PSP's own settings use the PSP's words, and the changelog those of its time. */
const PAGES_OF_OTHERS = /^docs\/psps|^CHANGELOG/

describe('one word for a thing, as docs/glossary.md has it', () => {
  it('in the documents', () => {
    const ours = DOCUMENTS.filter(({ path }) => !PAGES_OF_OTHERS.test(path))
    expect(ours.flatMap(({ path, text }) => othersIn(proseOf(text), path, false))).toEqual([])
  })

  it('in the pages for shops: what they get is a report, and only PSPs and a standard speak of webhooks', () => {
    const pages = DOCUMENTS.filter(({ path }) => path.startsWith('docs/pos/'))
    const names = /Standard Webhooks|key of the PSP's webhook/g
    expect(pages.filter(({ text }) => /webhook/i.test(proseOf(text).replaceAll(names, '')))).toEqual([])
  })

  it('in the code, in its comments and in what the APIs, the CLI and the console say', () => {
    const files = globSync('src/**/*.{ts,tsx}', { cwd: PROJECT }).filter(
      (path) => !path.startsWith('src/psp/'),
    )
    expect(files.length).toBeGreaterThan(200)
    expect(files.flatMap((path) => othersIn(readFileSync(join(PROJECT, path), 'utf8'), path, true))).toEqual(
      [],
    )
  })
})

it('the glossary explains words that the code uses', () => {
  const source = sourceOf('src').toLowerCase()
  const words = rowsUnder(
    `\n${read('docs/glossary.md')}`.replace('\n# Glossary\n', '\n## Glossary\n'),
    '## Glossary',
  )
    .flatMap(([cell = '']) => cell.split(', '))
    .map((word) => word.replace(/ \(.*/, '').toLowerCase())
  expect(words.length).toBeGreaterThan(25)
  expect(words.filter((word) => !source.includes(word))).toEqual([])
})
