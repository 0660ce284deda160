import { readFileSync, readdirSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The folders of src from top to bottom. One may import from itself and from those below it, not from its neighbours. */
const LAYERS: readonly (readonly string[])[] = [
  ['index.ts'],
  ['api', 'checkout', 'notifications', 'console', 'reports'],
  ['payment-job'],
  ['psp'],
  ['tokens'],
  ['registry'],
  ['pages'],
  ['http'],
  ['crypto'],
  ['domain'],
]

/** Programs for Node, apart from all the rest. */
const CLI = 'cli'

/** The packages that the pure rules may use. */
const DOMAIN_PACKAGES: ReadonlySet<string> = new Set(['valibot'])

const SRC = join(import.meta.dirname, '..', 'src')
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => /\.[cm]?[jt]sx?$/.test(file) && !file.endsWith('.d.ts'))

/** The first part of a path under src: a folder, or a file at the top. */
const folderOf = (path: string): string => path.split('/')[0] ?? ''
const layerOf = (folder: string): number => LAYERS.findIndex((layer) => layer.includes(folder))

/** Every import of a source text: static, of types, for its effect, re-exported, dynamic, required. */
const importsOf = (source: string): string[] =>
  [...source.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"`])([^'"`\n]+)\1/g)].map(
    (match) => match[2] ?? '',
  )

/** What is wrong with an import of a file (its path under src), or null. */
const wrongWith = (file: string, specifier: string): string | null => {
  const from = folderOf(file)
  if (specifier.startsWith('/')) return 'leaves src'
  return /^\.{1,2}(\/|$)/.test(specifier)
    ? wrongWithPath(from, posix.join(posix.dirname(file), specifier))
    : wrongWithPackage(from, specifier)
}

const wrongWithPath = (from: string, path: string): string | null => {
  const to = folderOf(path)
  if (to === '..') return 'leaves src'
  if (!/\.tsx?$/.test(path)) return 'names no file'
  if (/(^|\/)index\.tsx?$/.test(path)) return 'is a barrel'
  if (from === to) return null
  if (from === CLI || to === CLI) return 'crosses the border of cli'
  if (layerOf(from) < 0 || layerOf(to) < 0) return 'has no layer'
  if (layerOf(from) === layerOf(to)) return 'goes sideways'
  return layerOf(from) > layerOf(to) ? 'goes up' : null
}

const wrongWithPackage = (from: string, specifier: string): string | null => {
  if (/^(src\/|#|~|@\/)/.test(specifier)) return 'is an alias of a path'
  return from === 'domain' && !DOMAIN_PACKAGES.has(specifier) ? 'is no package for domain' : null
}

const violationsOf = (file: string, source: string): string[] =>
  importsOf(source).flatMap((specifier) => {
    const wrong = wrongWith(file, specifier)
    return wrong === null ? [] : [`${file} imports ${specifier}, which ${wrong}`]
  })

describe('the arrows of src', () => {
  it.each(FILES)('hold in %s', (file) => {
    expect(violationsOf(file, readFileSync(join(SRC, file), 'utf8'))).toEqual([])
  })

  it('start and end in folders that have a layer', () => {
    const folders = new Set(FILES.map(folderOf).filter((folder) => folder !== CLI))
    expect([...folders].filter((folder) => layerOf(folder) < 0)).toEqual([])
    expect(FILES).toContain('index.ts')
  })

  it('are all found: at least one for each line that begins as an import does', () => {
    for (const file of FILES) {
      const source = readFileSync(join(SRC, file), 'utf8')
      const lines = source
        .split('\n')
        .filter((line) => /^(import\b.*|export\b.*|\}) from '|^import '/.test(line))
      expect(importsOf(source).length, file).toBeGreaterThanOrEqual(lines.length)
    }
  })
})

describe('an import is found', () => {
  it.each([
    [`import { a } from './a.ts'`],
    [`import type { A } from "./a.ts"`],
    [`import './a.ts'`],
    [`import a, {\n  b,\n} from './a.ts'`],
    [`export * from './a.ts'`],
    [`export { a } from './a.ts'`],
    [`const a = await import('./a.ts')`],
    [`type A = typeof import('./a.ts')`],
    [`const a = require('./a.ts')`],
    ['const a = import(\n  `./a.ts`,\n)'],
  ])('%j', (source) => {
    expect(importsOf(source)).toEqual(['./a.ts'])
  })
})

describe('an import is refused', () => {
  it.each([
    ['domain/job.ts', '../crypto/hash.ts', 'goes up'],
    ['crypto/hash.ts', '../http/body.ts', 'goes up'],
    ['http/body.ts', '../pages/page.tsx', 'goes up'],
    ['http/body.ts', '../registry/schema.ts', 'goes up'],
    ['pages/page.tsx', '../registry/schema.ts', 'goes up'],
    ['registry/accounts.ts', '../tokens/profiles.ts', 'goes up'],
    ['tokens/profiles.ts', '../psp/port.ts', 'goes up'],
    ['psp/mollie.ts', '../payment-job/charge.ts', 'goes up'],
    ['psp/sandbox/api.ts', '../../payment-job/jobs.ts', 'goes up'],
    ['payment-job/outbox.ts', '../reports/deliver.ts', 'goes up'],
    ['api/door.ts', '../checkout/door.ts', 'goes sideways'],
    ['console/door.ts', '../notifications/door.ts', 'goes sideways'],
    ['api/signed.ts', '../reports/deliver.ts', 'goes sideways'],
    ['reports/consume.ts', '../api/signed.ts', 'goes sideways'],
    ['api/door.ts', '../index.ts', 'is a barrel'],
    ['api/door.ts', '../domain/index.ts', 'is a barrel'],
    ['psp/mollie.ts', './sandbox/index.ts', 'is a barrel'],
    ['api/door.ts', '../domain', 'names no file'],
    ['api/door.ts', '..', 'names no file'],
    ['api/door.ts', '../domain/job', 'names no file'],
    ['api/door.ts', '../cli/hub.ts', 'crosses the border of cli'],
    ['index.ts', './cli/hub.ts', 'crosses the border of cli'],
    ['cli/hub.ts', '../domain/money.ts', 'crosses the border of cli'],
    ['cli/hub.ts', '../../test/kit/hub.ts', 'leaves src'],
    ['domain/job.ts', '../../test/domain/sample.ts', 'leaves src'],
    ['api/door.ts', '../utils/text.ts', 'has no layer'],
    ['utils/text.ts', '../domain/money.ts', 'has no layer'],
    ['api/door.ts', '/work/src/domain/job.ts', 'leaves src'],
    ['api/door.ts', 'src/domain/job.ts', 'is an alias of a path'],
    ['api/door.ts', '#domain/job.ts', 'is an alias of a path'],
    ['domain/job.ts', 'itty-router', 'is no package for domain'],
    ['domain/job.ts', 'cloudflare:workers', 'is no package for domain'],
    ['domain/job.ts', 'valibot-extra', 'is no package for domain'],
    ['domain/job.ts', 'node:fs', 'is no package for domain'],
  ])('of %s from %s: it %s', (file, specifier, wrong) => {
    expect(violationsOf(file, `import { a } from '${specifier}'`)).toEqual([
      `${file} imports ${specifier}, which ${wrong}`,
    ])
  })
})

describe('an import is allowed', () => {
  it.each([
    ['index.ts', './api/door.ts'],
    ['index.ts', './registry/consume-job-index.ts'],
    ['api/door.ts', './authenticate.ts'],
    ['api/door.ts', '../domain/job.ts'],
    ['reports/consume.ts', '../payment-job/jobs.ts'],
    ['payment-job/open-psp.ts', '../psp/connect.ts'],
    ['psp/sandbox/api.ts', '../port.ts'],
    ['psp/connect.ts', './sandbox/connect.ts'],
    ['psp/connect.ts', '../tokens/profiles.ts'],
    ['tokens/profiles.ts', '../registry/accounts.ts'],
    ['registry/accounts.ts', '../http/refusal.ts'],
    ['pages/page.tsx', '../http/redirect.ts'],
    ['http/body.ts', '../crypto/hash.ts'],
    ['crypto/seal.ts', '../domain/money.ts'],
    ['domain/job.ts', 'valibot'],
    ['domain/job.ts', './money.ts'],
    ['http/door.ts', 'itty-router'],
    ['cli/hub.ts', 'node:fs'],
    ['cli/hub.ts', 'valibot'],
    ['cli/hub.ts', './table.ts'],
  ])('of %s from %s', (file, specifier) => {
    expect(violationsOf(file, `import { a } from '${specifier}'`)).toEqual([])
  })
})
