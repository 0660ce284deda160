import { glob, readFile } from 'node:fs/promises'
import { ts } from '@ts-morph/common'
import { expect, it } from 'vitest'

/**
 * With 64 KiB, a regular expression of quadratic time blocks all requests of an isolate for seconds. Bodies,
 * headers and files may be that long.
 */
const LENGTH = 64 * 1024

/** The most CPU time (ms) of one: linear ones take a hundredth of it, quadratic ones ten times as much. */
const MOST = 250

type Found = { file: string; source: string; pattern: RegExp }

/** Returns the regular expressions in a source, as written. */
function patternsIn(file: string, text: string): Found[] {
  const found: Found[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, body = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? []
      found.push({ file, source: node.text, pattern: new RegExp(body, flags) })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX))
  return found
}

/** Programs for Node read only what their own user gives them. */
const OF_PROGRAMS = /^src\/(backup\/folder|build|cli|deploy|kit|local|programs|rehearsal)\b/

/** The sources of the Worker and of its pages. */
async function allPatterns(): Promise<Found[]> {
  const all: Found[] = []
  for await (const file of glob('src/**/*.{ts,tsx}'))
    if (!OF_PROGRAMS.test(file)) all.push(...patternsIn(file, await readFile(file, 'utf8')))
  return all
}

/** Texts that make an expression backtrack: each of its characters, and common ones, repeated. */
function hostileTo(source: string): string[] {
  const own = source.match(/[a-z0-9"'.,:;=/@ {}[\]()-]/gi) ?? []
  const characters = new Set([
    ...own,
    ' ',
    '\t',
    '\n',
    'a',
    '0',
    '"',
    '-',
    '.',
    '/',
    '{',
    '\\',
    'é',
    '\u200b',
  ])
  return [...characters].flatMap((one) => {
    const many = one.repeat(LENGTH)
    return [many, `${many}\u0001`, `x${many}`, `${one}a`.repeat(LENGTH / 2), `{${many}x`]
  })
}

it('no regular expression of the Worker takes long on any 64 KiB', async () => {
  const found = await allPatterns()
  expect(found.length).toBeGreaterThan(150)
  const slow: string[] = []
  for (const { file, source, pattern } of found) {
    for (const text of hostileTo(source)) {
      // CPU time, because others use the processor too.
      const began = process.threadCpuUsage()
      if (pattern.flags.includes('g')) text.replace(pattern, '')
      else pattern.exec(text)
      pattern.lastIndex = 0
      const { user, system } = process.threadCpuUsage(began)
      const took = (user + system) / 1000
      if (took > MOST) {
        slow.push(`${file}: ${source} took ${took.toFixed(0)} ms on ${JSON.stringify(text.slice(0, 5))}…`)
        break
      }
    }
  }
  expect(slow).toEqual([])
}, 120_000)
