import { readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../src/cli/wrangler.ts'
import { Status } from '../../src/domain/job.ts'
import { CAUSES } from '../../src/domain/why/causes.ts'
import { PROBLEMS } from '../../src/http/problem-codes.ts'
import { codesOf, read, rowsUnder, sourceOf } from './documents.ts'

/** The first cells of a table, as code. */
const firstOf = (page: string, heading: string): string[] =>
  rowsUnder(read(page), heading).flatMap(([first = '']) => codesOf(first))

const foldersIn = (path: string): string[] =>
  readdirSync(join(PROJECT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${posix.join(path, name)}/`)

it('every folder of src, and every file beside them, has its line in docs/architecture.md', () => {
  const files = readdirSync(join(PROJECT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.d.ts'))
    .map(({ name }) => `src/${name}`)
  const folders = foldersIn('src').flatMap((folder) =>
    folder === 'src/storage/' ? foldersIn('src/storage') : [folder],
  )
  const told = firstOf('docs/architecture.md', '## Folders').filter((path) => path.startsWith('src/'))
  expect(told.toSorted()).toEqual([...files, ...folders].toSorted())
})

it('every queue of wrangler.toml has its line in docs/architecture.md', () => {
  const queues = Array.from(read('wrangler.toml').matchAll(/^queue = "([\w-]+)"/gm), ([, name = '']) => name)
  expect(firstOf('docs/architecture.md', '## The shape').toSorted()).toEqual([...new Set(queues)].toSorted())
})

it('every log event of the Worker has its line in docs/operating.md, and every line its event', () => {
  // What is logged is named by the first argument, or by one of two there.
  const logged = sourceOf('src').matchAll(/(?:\blog\.(?:info|warn|error|fault)\(|\bevent: )([^,;{}]*)/g)
  const events = new Set(
    Array.from(logged).flatMap(([, named = '']) =>
      Array.from(named.matchAll(/'([a-z]+\.[a-z-]+)'/g), ([, event = '']) => event),
    ),
  )
  expect(events.size).toBeGreaterThan(10)
  expect(firstOf('docs/operating.md', '## Log events').toSorted()).toEqual([...events].toSorted())
})

it('every variable and secret of wrangler.toml is in docs/operating.md', () => {
  const toml = read('wrangler.toml')
  const [, variables = ''] = /\n\[vars\]\n([^]*?)\n\[/.exec(toml) ?? []
  const [, secrets = ''] = /required = \[([^\]]*)\]/.exec(toml) ?? []
  const named = Array.from(`${variables}\n${secrets}`.matchAll(/^([A-Z_]+) = |"([A-Z_]{5,})"/gm)).map(
    ([, variable, secret]) => variable ?? secret ?? '',
  )
  const told = [
    ...firstOf('docs/operating.md', '### Secrets'),
    ...firstOf('docs/operating.md', '### Settings in `wrangler.toml`'),
  ]
  expect(told.toSorted()).toEqual(named.toSorted())
})

it('docs/pos/orders.md tells what to do in each status of a job', () => {
  expect(firstOf('docs/pos/orders.md', '### Status')).toEqual([...Status.options])
})

it('docs/pos/errors.md tells what to do at each status code of a refusal or a fault', () => {
  const codes = new Set(Object.values(PROBLEMS).map(([status]) => String(status)))
  const told = rowsUnder(read('docs/pos/errors.md'), '## By status').map(([code = '']) => code)
  expect(told).toEqual([...codes].toSorted())
})

it('docs/operating.md tells of each cause whose move it is, and what to do', () => {
  const rows = rowsUnder(read('docs/operating.md'), '## Why is a payment pending?')
  const told = rows.map(([cause = '', , move = '']) => [codesOf(cause)[0], move.toLowerCase()])
  expect(told).toEqual(Object.entries(CAUSES))
  for (const [, happened, , todo] of rows) expect([happened, todo]).not.toContain('')
})
