import { readFileSync, readdirSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * The rooms of src from top to bottom, each with the rooms that it imports. Imports run down this
 * list only. Every edge of the sources stands here, and every edge here is one of the sources.
 */
const EDGES: Readonly<Record<string, string>> = {
  // Programs for Node, by who uses them: operators, and whoever runs the hub on their own machine.
  local: 'build cli client kit programs',
  deploy: 'cli contract programs rehearsal',
  cli: 'backup client contract job kit platform programs psp rehearsal',
  rehearsal: 'backup contract job programs',
  // The files that the site serves: the documents, the clients, the scripts of pages.
  build: 'contract platform programs psp site',
  // Three tables: paths, queues, schedules.
  'index.ts':
    'audit backup books checkout console job job-index monitoring notifications operator-api platform pos-api psp registry reports sandbox site',
  // Entrances.
  'pos-api': 'audit contract job job-index platform psp registry reports',
  'operator-api': 'audit backup books contract job job-index monitoring platform psp registry',
  console: 'contract platform',
  checkout: 'contract job platform registry',
  notifications: 'contract job platform psp registry',
  sandbox: 'contract platform psp',
  site: 'contract platform',
  // The cashier's page, which runs in a browser.
  till: 'client contract platform',
  // Programs for developers of shops.
  kit: 'client contract platform programs',
  // How the hub is, and what the operator is told of it.
  monitoring: 'backup contract job job-index platform psp registry reports',
  backup: 'audit books contract job job-index platform programs registry',
  // What PSPs paid out, and what is in it.
  books: 'contract job job-index platform psp registry',
  // What becomes of a job besides.
  reports: 'contract job platform registry',
  'job-index': 'contract job platform registry',
  audit: 'contract platform',
  // The heart, and what it stands on.
  job: 'contract platform psp registry',
  psp: 'contract platform registry',
  registry: 'contract platform',
  platform: 'contract',
  // What every program for Node stands on.
  programs: 'client contract',
  client: 'contract',
  contract: '',
}

const ENTRANCES = 'pos-api operator-api console checkout notifications sandbox site'.split(' ')
/** What the contract is written with, so that any program may read it. */
const PACKAGES_OF_CONTRACT = new Set(['valibot', 'ipaddr.js'])

const SRC = join(import.meta.dirname, '..', 'src')
const ROOMS = Object.keys(EDGES)

function roomOf(path: string): string {
  return path.split('/')[0] ?? ''
}

/** The files that a source text names in imports: static, dynamic, of types, re-exported. */
function importsOf(source: string): string[] {
  const found = source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*(['"`])([^'"`\s]+)\1/g)
  return Array.from(found, ([, , specifier = '']) => specifier)
}

type Source = { file: string; packages: string[]; files: string[] }

const SOURCES: readonly Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
  .map((file) => {
    const specifiers = importsOf(readFileSync(join(SRC, file), 'utf8'))
    const isPath = (specifier: string) => specifier.startsWith('.')
    return {
      file,
      packages: specifiers.filter((specifier) => !isPath(specifier)),
      files: specifiers.filter(isPath).map((path) => posix.join(posix.dirname(file), path)),
    }
  })

/** The rooms that files of a room import. */
function edgesOf(room: string): string[] {
  const imported = SOURCES.filter(({ file }) => roomOf(file) === room).flatMap(({ files }) =>
    files.map(roomOf),
  )
  return [...new Set(imported)].filter((other) => other !== room).toSorted()
}

describe('the rooms of src', () => {
  it('are those of the list', () => {
    expect([...new Set(SOURCES.map(({ file }) => roomOf(file)))].toSorted()).toEqual(ROOMS.toSorted())
  })

  it.each(ROOMS)('%s imports the rooms that its line names', (room) => {
    expect(edgesOf(room).join(' ')).toBe((EDGES[room] ?? '').split(' ').filter(Boolean).toSorted().join(' '))
  })

  it.each(ROOMS)('%s imports rooms below it alone', (room) => {
    const below = ROOMS.slice(ROOMS.indexOf(room) + 1)
    expect(below).toEqual(expect.arrayContaining(edgesOf(room)))
  })

  it('keep entrances apart', () => {
    const crossing = ENTRANCES.flatMap((room) => edgesOf(room)).filter((other) => ENTRANCES.includes(other))
    expect(crossing).toEqual([])
  })
})

describe('imports', () => {
  it('name a file of src, or a package', () => {
    const files = new Set(SOURCES.map(({ file }) => file))
    const isKnown = (path: string) => files.has(path) || /\.(json|css)$/.test(path)
    expect(SOURCES.flatMap((source) => source.files.filter((path) => !isKnown(path)))).toEqual([])
  })

  it('of the contract name no package but those that say what a value is', () => {
    const own = SOURCES.filter(({ file }) => roomOf(file) === 'contract')
    const named = own.flatMap(({ packages }) => packages)
    expect(named.filter((name) => !PACKAGES_OF_CONTRACT.has(name))).toEqual([])
  })

  it('make no circle, not even of types within a room', () => {
    expect(circlesIn(new Map(SOURCES.map(({ file, files }) => [file, files])))).toEqual([])
  })

  it('are found whatever their form', () => {
    const forms = `import { a } from './a.ts'\nimport type { B } from './b.ts'\nimport './c.ts'\nexport * from './d.ts'
      import e, {\n  f,\n} from './e.ts'\nconst g = await import('./g.ts')\ntype H = typeof import('./h.ts')`
    expect(importsOf(forms)).toEqual('abcdegh'.split('').map((name) => `./${name}.ts`))
  })

  it('that make a circle are found', () => {
    const files = new Map(Object.entries({ a: ['b'], b: ['c'], c: ['b'], d: ['a'] }))
    expect(circlesIn(files)).toEqual([['b', 'c']])
  })
})

it('an object is reached by platform/named-object.ts alone, so that none is left outside the jurisdiction', () => {
  const reaching = SOURCES.map(({ file }) => file).filter((file) =>
    /\.(getByName|idFromName|idFromString|newUniqueId)\(/.test(readFileSync(join(SRC, file), 'utf8')),
  )
  expect(reaching).toEqual(['platform/named-object.ts'])
})

/**
 * Files that import each other, directly or through others (Tarjan's strongly connected
 * components).
 */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    const number = order.size
    order.set(file, number)
    path.push(file)
    let low = number
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (path.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? low)
    }
    lowest.set(file, low)
    if (low === number) {
      const circle = path.splice(path.indexOf(file))
      if (circle.length > 1) circles.push(circle.toSorted())
    }
    return low
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return circles
}

/** These run in Node or in a browser, and read answers. */
const READS_ANSWERS = [
  'checkout/browser',
  'cli',
  'client',
  'console/browser',
  'deploy',
  'kit',
  'local',
  'programs',
  'rehearsal',
  'till',
]

it('one file reads the bodies of requests, up to its limit', () => {
  const readers = SOURCES.map(({ file }) => file)
    .filter((file) => !READS_ANSWERS.some((part) => file.startsWith(`${part}/`)))
    .filter((file) => /\brequest\.(formData|json|text|arrayBuffer|blob|bytes)\(/.test(read(file)))
  expect(readers).toEqual(['platform/http/body.ts'])
})

function read(file: string): string {
  return readFileSync(join(SRC, file), 'utf8')
}
