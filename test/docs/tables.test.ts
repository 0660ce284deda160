import { Status } from '../../src/contract/values.ts'
import { readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { CAUSES } from '../../src/job/core/causes.ts'
import { codesOf, read, rowsUnder, sourceOf } from './documents.ts'

/** The first cells of a table, as code. */
function firstOf(page: string, heading: string): string[] {
  return rowsUnder(read(page), heading).flatMap(([first = '']) => codesOf(first))
}

function foldersIn(path: string): string[] {
  return readdirSync(join(PROJECT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${posix.join(path, name)}/`)
}

it('every room of src, and every file beside them, has its line in docs/architecture.md', () => {
  const files = readdirSync(join(PROJECT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.d.ts'))
    .map(({ name }) => `src/${name}`)
  const folders = foldersIn('src')
  const told = firstOf('docs/architecture.md', '## Rooms').filter((path) => path.startsWith('src/'))
  expect(told.toSorted()).toEqual([...files, ...folders].toSorted())
})

it('every queue of wrangler.toml has its line in docs/architecture.md', () => {
  const queues = Array.from(read('wrangler.toml').matchAll(/^queue = "([\w-]+)"/gm), ([, name = '']) => name)
  expect(firstOf('docs/architecture.md', '## The shape').toSorted()).toEqual([...new Set(queues)].toSorted())
})

/** The fields of a group of types that src/platform/log.ts shares. */
const SHARED = { OfJob: ['job', 'pos'], OfPayment: ['job', 'pos', 'account'] }
const LEVELS = { Info: 'info', Warn: 'warn', Failure: 'error', Fault: 'error' }

/** The log events as their types have them: name, level, fields. */
function loggedEvents() {
  return Array.from(
    read('src/platform/log.ts').matchAll(
      /^  '([a-z]+\.[a-z-]+)': (Info|Warn|Failure|Fault)(?:<([^>]*)>)?$/gm,
    ),
    ([, name = '', kind = '', fields = '']) => {
      const shared = Object.entries(SHARED).flatMap(([type, names]) =>
        new RegExp(`\\b${type}\\b`).test(fields) ? names : [],
      )
      const own = Array.from(fields.matchAll(/(\w+)\??:/g), ([, field = '']) => field)
      const level = LEVELS[kind as keyof typeof LEVELS]
      return [name, level, [...shared, ...own, ...(kind === 'Fault' ? ['error'] : [])]]
    },
  )
}

it('every log event of the Worker has its line in docs/operating, with its level and its fields', () => {
  const events = loggedEvents()
  // Each member of the type is a line that was read.
  expect(events.length).toBe(read('src/platform/log.ts').match(/^  '/gm)?.length)
  const told = ['## Events of the hub', '## Events of payments']
    .flatMap((heading) => rowsUnder(read('docs/operating'), heading))
    .map(([name = '', level, fields = '']) => [codesOf(name)[0], level, codesOf(fields)])
  expect(told).toHaveLength(events.length)
  expect(told).toEqual(expect.arrayContaining(events))
})

it('every log event is logged somewhere', () => {
  const source = sourceOf('src')
  const unused = loggedEvents().filter(([name]) => source.split(`'${String(name)}'`).length < 3)
  expect(unused).toEqual([])
})

it('nothing of the Worker is logged but through the types', () => {
  const others = new Set(
    'cli client deploy kit local programs rehearsal site'.split(' ').map((room) => `src/${room}/`),
  )
  const folders = foldersIn('src').filter((folder) => !others.has(folder))
  expect(folders.length).toBeGreaterThan(10)
  // Not a path such as /assets/console.css, nor the word at the end of a sentence.
  const log = read('src/platform/log.ts')
  for (const folder of folders)
    expect(sourceOf(folder).replace(log, ''), folder).not.toMatch(/(?<![/\w])console(\.\w|\[)/)
})

it('every variable and secret of wrangler.toml is in docs/operating', () => {
  const toml = read('wrangler.toml')
  const [, variables = ''] = /\n\[vars\]\n([^]*?)\n\[/.exec(toml) ?? []
  const [, secrets = ''] = /required = \[([^\]]*)\]/.exec(toml) ?? []
  const named = Array.from(`${variables}\n${secrets}`.matchAll(/^([A-Z_]+) = |"([A-Z_]{5,})"/gm)).map(
    ([, variable, secret]) => variable ?? secret ?? '',
  )
  const told = [
    ...firstOf('docs/operating', '### Secrets'),
    ...firstOf('docs/operating', '### Settings in `wrangler.toml`'),
  ]
  expect(told.toSorted()).toEqual(named.toSorted())
})

it('docs/pos/orders.md tells what to do in each status of a job', () => {
  expect(firstOf('docs/pos/orders.md', '### Status')).toEqual([...Status.options])
})

it('docs/operating tells of each cause whose move it is, and what to do', () => {
  const rows = rowsUnder(read('docs/operating'), '## Why is a payment pending?')
  const told = rows.map(([cause = '', , move = '']) => [codesOf(cause)[0], move.toLowerCase()])
  expect(told).toEqual(Object.entries(CAUSES))
  for (const [, happened, , todo] of rows) expect([happened, todo]).not.toContain('')
})
