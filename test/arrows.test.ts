import { readFileSync, readdirSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * The rooms of src, from top to bottom, and the rooms that each of them imports. Every edge that the code has stands here,
 * and every edge here is one that the code has. An edge leads to a room further down: so there is no cycle.
 */
const EDGES: Readonly<Record<string, string>> = {
  // The build of the site. It reads of the Worker what the documents tell: tables, codes, the words of problems.
  'cli/site':
    'cli cli/site/client cli/site/openapi domain http http/problem-codes.ts http/problem-help.ts psp request-context.ts site/placeholder.ts',
  'index.ts':
    'checkout config.ts console health http log.ts modules notifications operator-api payment-job pos-api queues report-listener reports request-context.ts sandbox schedule site storage/objects weather-page',
  // Entrances: requests and messages come in here. None of them imports another.
  health: 'health/contract http version.ts',
  // Entrances: requests and messages come in here. None of them imports another.
  checkout: 'crypto domain http modules pages pages/shown-text.ts payment-job storage/kv',
  // What operators use in a browser: a client of the operator API, which index.ts hands in.
  console:
    'console/time-text.ts crypto domain/currency.ts http modules operator-api/contract pages/shown-text.ts',
  notifications: 'domain http log.ts payment-job psp',
  // How PSPs take payments, for everybody.
  'weather-page': 'domain http modules payment-job',
  // How accounts take orders, for operators and for everybody: a module beside the Worker's own.
  'weather-report': 'domain operator-api/contract pages storage/d1 storage/kv',
  'operator-api':
    'config.ts crypto domain domain/currency.ts domain/nearest.ts http log.ts modules monitoring name-memory.ts operator-api/contract operator-api/requests.ts payment-job psp request-context.ts storage/d1 storage/kv storage/objects version.ts',
  'pos-api':
    'crypto domain domain/currency.ts http payment-job pos-api/contract report-listener report-listener/frames.ts storage/d1 storage/kv',
  queues:
    'domain log.ts modules monitoring payment-job request-context.ts storage/d1 storage/kv storage/objects',
  schedule: 'config.ts domain log.ts storage/d1 storage/objects',
  sandbox:
    'config.ts crypto domain domain/currency.ts http log.ts pages pages/shown-text.ts psp storage/objects',
  site: 'domain http site/placeholder.ts',
  // How the hub is, and what the operator is told of it.
  monitoring:
    'config.ts crypto domain http log.ts operator-api/contract payment-job psp reports request-context.ts storage/d1',
  reports:
    'config.ts crypto domain http log.ts payment-job report-listener report-listener/frames.ts request-context.ts storage/kv storage/objects',
  'report-listener': 'domain http log.ts report-listener/frames.ts storage/objects',
  'payment-job':
    'config.ts crypto domain http log.ts modules psp request-context.ts storage/kv storage/objects weather',
  // What this place remembers of accounts that do not answer, and what places tell one another of it: a module beside the Worker's own.
  weather: 'domain log.ts storage/kv',
  psp: 'config.ts crypto domain domain/currency.ts http log.ts modules storage/kv',
  'storage/objects': 'crypto domain log.ts request-context.ts storage/d1',
  'storage/kv': 'crypto domain domain/account-id.ts log.ts name-memory.ts storage/d1',
  'storage/d1': 'config.ts domain domain/account-id.ts domain/currency.ts log.ts',
  pages: 'crypto domain domain/currency.ts',
  http: 'config.ts domain http/problem-codes.ts log.ts name-memory.ts request-context.ts',
  crypto: '',
  modules: '',
  'config.ts': 'domain',
  'log.ts': 'log-events.ts request-context.ts',
  'log-events.ts': '',
  'version.ts': '',
  'name-memory.ts': '',
  'request-context.ts': '',
  domain: 'domain/currency.ts',
  // Programs for Node, apart from all the rest but a contract and a rule about words.
  'cli/demo': 'cli cli/local client operator-api/contract pos-api/contract',
  'cli/deploy': 'cli',
  'cli/local': 'cli',
  'cli/operator': 'cli cli/developer operator-api/contract operator-api/requests.ts',
  'cli/developer': 'cli report-listener/frames.ts',
  'cli/site/openapi':
    'domain/currency.ts health/contract http/problem-codes.ts http/problem-help.ts operator-api/contract operator-api/requests.ts pos-api/contract',
  'cli/site/client': 'cli http/problem-codes.ts pos-api/contract',
  cli: 'domain/nearest.ts',
  // Scripts of the site's pages, for browsers: the build of the site bundles them.
  'site/browser':
    'client console/time-text.ts pages/shown-text.ts pos-api/contract report-listener/frames.ts',
  // The client for points of sale, which runs anywhere: of the rest it imports types alone.
  client: 'http/problem-codes.ts pos-api/contract',
  // What goes over the socket of a listener: a room of its own, for the programs that listen read it too.
  'report-listener/frames.ts': '',
  // What points of sale send and get, and what the operator API answers and takes: rooms of their own, for it is all that
  // others may import of pos-api and operator-api.
  'pos-api/contract': '',
  // What a monitor gets: a room of its own, for the OpenAPI document tells it.
  'health/contract': '',
  // What the operator API answers and takes: rooms of their own, for it is all that others may import of operator-api.
  'operator-api/contract': '',
  'operator-api/requests.ts': 'domain/account-id.ts',
  // The nearest word to a mistyped one: a room of its own, for it is all that Node programs may import of the domain.
  'domain/nearest.ts': '',
  // What stands for the hub's origin in files of the site: a room of its own, for their build writes it.
  'site/placeholder.ts': '',
  // The form of an account's id: a room of its own, for requests.ts judges by it, which Node programs import.
  'domain/account-id.ts': '',
  // What problems there are, and when each comes: rooms of their own, for the OpenAPI document tells them.
  'http/problem-help.ts': 'http/problem-codes.ts',
  'http/problem-codes.ts': '',
  // The codes that amounts may be in: a room of its own, for the OpenAPI document names them.
  'domain/currency.ts': '',
  // How the console writes times: a room of its own, for its script in the browser writes them too.
  'console/time-text.ts': '',
  // What pages show of a shop's texts: a room of its own, for the till in the browser shows them too.
  'pages/shown-text.ts': '',
}

const ROOMS = Object.keys(EDGES)
function listedFrom(room: string): string[] {
  return (EDGES[room] ?? '').split(' ').filter(Boolean)
}

/** The rooms that use no package but Valibot: the pure rules, and what both the Worker and Node programs read. */
const PURE_ROOMS: ReadonlySet<string | undefined> = new Set([
  'domain',
  'pos-api/contract',
  'health/contract',
  'operator-api/contract',
  'operator-api/requests.ts',
  'report-listener/frames.ts',
])

/** What the build makes of pages, for the Worker to load when it needs them: one room alone names it. */
const BUILT = /^modules\/[a-z-]+\.mjs$/

const SRC = join(import.meta.dirname, '..', 'src')
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => /\.[cm]?[jt]sx?$/.test(file) && !/\.d\.m?ts$/.test(file) && !BUILT.test(file))

/** The room of a path under src: the longest listed folder that it is in, or a file at the top. */
function roomOf(path: string): string | undefined {
  return ROOMS.filter((room) => path === room || path.startsWith(`${room}/`)).toSorted(
    (one, other) => other.length - one.length,
  )[0]
}

/** Every import of a source text: static, of types, for its effect, re-exported, dynamic, required. */
function importsOf(source: string): string[] {
  return [...source.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"`])([^'"`\n]+)\1/g)].map(
    (match) => match[2] ?? '',
  )
}

function isPath(specifier: string): boolean {
  return /^\.{1,2}(\/|$)/.test(specifier)
}
function pathOf(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier)
}

/** What is wrong with an import of a file (its path under src), or null. */
function wrongWith(file: string, specifier: string): string | null {
  if (specifier.startsWith('/')) return 'leaves src'
  return isPath(specifier) ? wrongWithPath(file, pathOf(file, specifier)) : wrongWithPackage(file, specifier)
}

function wrongWithPath(file: string, path: string): string | null {
  if (path.startsWith('..')) return 'leaves src'
  if (!/\.(tsx?|json)$/.test(path) && !BUILT.test(path)) return 'names no file'
  if (/(^|\/)index\.tsx?$/.test(path)) return 'is a barrel'
  const [from, to] = [roomOf(file), roomOf(path)]
  if (from === undefined || to === undefined) return 'has no room'
  return from === to || listedFrom(from).includes(to) ? null : 'is no listed edge'
}

function wrongWithPackage(file: string, specifier: string): string | null {
  if (/^(src\/|#|~|@\/)/.test(specifier)) return 'is an alias of a path'
  const room = roomOf(file)
  return PURE_ROOMS.has(room) && specifier !== 'valibot' ? `is no package for ${room}` : null
}

function violationsOf(file: string, source: string): string[] {
  return importsOf(source).flatMap((specifier) => {
    const wrong = wrongWith(file, specifier)
    return wrong === null ? [] : [`${file} imports ${specifier}, which ${wrong}`]
  })
}

function sourceOf(file: string): string {
  return readFileSync(join(SRC, file), 'utf8')
}

describe('the arrows of src', () => {
  it.each(FILES)('hold in %s', (file) => {
    expect(violationsOf(file, sourceOf(file))).toEqual([])
  })

  it('are all found: at least one for each line that begins as an import does', () => {
    for (const file of FILES) {
      const source = sourceOf(file)
      const lines = source
        .split('\n')
        .filter((line) => /^(import\b.*|export\b.*|\}) from '|^import '/.test(line))
      expect(importsOf(source).length, file).toBeGreaterThanOrEqual(lines.length)
    }
  })

  it.each(ROOMS)('from %s that are listed are used', (room) => {
    const used = new Set(
      FILES.filter((file) => roomOf(file) === room).flatMap((file) =>
        importsOf(sourceOf(file))
          .filter(isPath)
          .map((specifier) => roomOf(pathOf(file, specifier))),
      ),
    )
    expect(listedFrom(room).filter((to) => !used.has(to))).toEqual([])
  })

  it.each(ROOMS)('from %s lead down the list', (room) => {
    const below = new Set(ROOMS.slice(ROOMS.indexOf(room) + 1))
    expect(listedFrom(room).filter((to) => !below.has(to))).toEqual([])
  })

  it('keep entrances apart, and Node programs apart from the Worker', () => {
    const entrances = new Set(ROOMS.slice(ROOMS.indexOf('index.ts') + 1, ROOMS.indexOf('monitoring')))
    const isProgram = (room: string) => /^cli(\/|$)/.test(room)
    for (const room of ROOMS) {
      const crossing = listedFrom(room).filter(
        (to) =>
          (entrances.has(to) && room !== 'index.ts') ||
          (isProgram(to) !== isProgram(room) && !ACROSS.has(`${room} → ${to}`)),
      )
      expect(crossing, room).toEqual([])
    }
  })
})

/** What the Node programs and the Worker share. */
const ACROSS: ReadonlySet<string> = new Set([
  'cli/demo → client',
  'cli/demo → operator-api/contract',
  'cli/demo → pos-api/contract',
  'cli/operator → operator-api/contract',
  'cli/operator → operator-api/requests.ts',
  'cli/site/openapi → domain/currency.ts',
  'cli/site/openapi → health/contract',
  'cli/site/openapi → http/problem-codes.ts',
  'cli/site/openapi → http/problem-help.ts',
  'cli/site/openapi → operator-api/contract',
  'cli/site/openapi → operator-api/requests.ts',
  'cli/site/openapi → pos-api/contract',
  'cli/site/client → http/problem-codes.ts',
  'cli/site/client → pos-api/contract',
  'cli → domain/nearest.ts',
  'cli/site → domain',
  'cli/site → http',
  'cli/site → http/problem-codes.ts',
  'cli/site → http/problem-help.ts',
  'cli/site → psp',
  'cli/site → request-context.ts',
  'cli/site → site/placeholder.ts',
  'cli/developer → report-listener/frames.ts',
])

it('an object is reached by storage/objects/named-object.ts alone, so that none is left outside the jurisdiction', () => {
  const reaching = FILES.filter((file) =>
    /\.(getByName|idFromName|idFromString|newUniqueId)\(/.test(sourceOf(file)),
  )
  expect(reaching).toEqual(['storage/objects/named-object.ts'])
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
    ['domain/job.ts', '../crypto/hash.ts', 'is no listed edge'],
    ['crypto/hash.ts', '../http/body.ts', 'is no listed edge'],
    ['http/body.ts', '../pages/page.tsx', 'is no listed edge'],
    ['http/body.ts', '../storage/d1/schema.ts', 'is no listed edge'],
    ['pages/page.tsx', '../storage/d1/schema.ts', 'is no listed edge'],
    ['storage/d1/accounts.ts', '../kv/profile-cache.ts', 'is no listed edge'],
    ['storage/kv/profile-cache.ts', '../../psp/port.ts', 'is no listed edge'],
    ['psp/mollie/adapter.ts', '../../payment-job/payment-request.ts', 'is no listed edge'],
    ['psp/sandbox.ts', '../sandbox/routes.ts', 'is no listed edge'],
    ['payment-job/outbox.ts', '../reports/deliver.ts', 'is no listed edge'],
    ['pos-api/routes.ts', '../checkout/routes.ts', 'is no listed edge'],
    ['operator-api/routes.ts', '../notifications/routes.ts', 'is no listed edge'],
    ['queues/reports.ts', '../pos-api/signed.ts', 'is no listed edge'],
    ['pos-api/routes.ts', '../index.ts', 'is a barrel'],
    ['pos-api/routes.ts', '../domain/index.ts', 'is a barrel'],
    ['psp/connect.ts', './mollie/index.ts', 'is a barrel'],
    ['pos-api/routes.ts', '../domain', 'names no file'],
    ['pos-api/routes.ts', '..', 'names no file'],
    ['pos-api/routes.ts', '../domain/job', 'names no file'],
    ['pos-api/routes.ts', '../cli/operator/hub.ts', 'is no listed edge'],
    ['index.ts', './cli/operator/hub.ts', 'is no listed edge'],
    ['cli/operator/hub.ts', '../../domain/money.ts', 'is no listed edge'],
    ['cli/operator/hub.ts', '../../operator-api/routes.ts', 'is no listed edge'],
    ['cli/local/serve.ts', '../../operator-api/contract/jobs.ts', 'is no listed edge'],
    ['operator-api/contract/jobs.ts', '../routes.ts', 'is no listed edge'],
    ['operator-api/contract/jobs.ts', '../../domain/account.ts', 'is no listed edge'],
    ['operator-api/contract/jobs.ts', 'itty-router', 'is no package for operator-api/contract'],
    ['operator-api/contract/jobs.ts', 'node:fs', 'is no package for operator-api/contract'],
    ['cli/operator/hub.ts', '../../../test/support/hub.ts', 'leaves src'],
    ['domain/job.ts', '../../test/support/sample-job.ts', 'leaves src'],
    ['pos-api/routes.ts', '../utils/text.ts', 'has no room'],
    ['utils/text.ts', '../domain/money.ts', 'has no room'],
    ['pos-api/routes.ts', '/work/src/domain/job.ts', 'leaves src'],
    ['pos-api/routes.ts', 'src/job/rules/job.ts', 'is an alias of a path'],
    ['pos-api/routes.ts', '#domain/job.ts', 'is an alias of a path'],
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
    ['index.ts', './pos-api/routes.ts'],
    ['index.ts', './queues/job-index.ts'],
    ['pos-api/routes.ts', './authenticate.ts'],
    ['pos-api/routes.ts', '../domain/job.ts'],
    ['queues/reports.ts', '../payment-job/call-job.ts'],
    ['sandbox/api.ts', '../psp/sandbox-access.ts'],
    ['psp/connect.ts', './sandbox.ts'],
    ['storage/kv/profile-cache.ts', '../d1/accounts.ts'],
    ['domain/job.ts', 'valibot'],
    ['domain/job.ts', './money.ts'],
    ['http/routes.ts', 'itty-router'],
    ['cli/operator/hub.ts', 'node:fs'],
    ['cli/operator/hub.ts', 'valibot'],
    ['cli/operator/hub.ts', '../table.ts'],
    ['cli/operator/hub.ts', '../../operator-api/contract/jobs.ts'],
    ['operator-api/contract/jobs.ts', 'valibot'],
  ])('of %s from %s', (file, specifier) => {
    expect(violationsOf(file, `import { a } from '${specifier}'`)).toEqual([])
  })
})
