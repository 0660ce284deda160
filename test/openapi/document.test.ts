import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openApiDocument } from '../../src/tools/site/openapi/document.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const LINTER = join(ROOT, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js')

it('the document is valid OpenAPI 3.1, and the recommended rules find nothing in it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'))
  try {
    const file = join(folder, 'openapi.json')
    await writeFile(file, JSON.stringify(openApiDocument()))
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const options = { cwd: folder, env }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [LINTER, 'lint', file, '--extends=recommended', '--format=json'],
      options,
    ).catch((error: { stdout: string }) => error)
    const { totals, problems } = JSON.parse(stdout) as { totals: object; problems: { message: string }[] }
    expect(problems.map(({ message }) => message)).toEqual([])
    expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
  } finally {
    await rm(folder, { recursive: true })
  }
})

/** The routes of an entrance, as its table says them. */
async function routesOf(entrance: string): Promise<string[]> {
  const source = await readFile(join(ROOT, 'src', entrance, 'routes.ts'), 'utf8')
  return Array.from(
    source.matchAll(/\.(get|post|put|patch|delete)\(\s*'([^']+)'/g),
    ([, method = '', pattern = '']) => `${method} ${pattern.replaceAll(/:(\w+)/g, '{$1}')}`,
  )
}

/** Routes that the document cannot tell of, each with its reason. */
const NOT_IN_OPENAPI: readonly string[] = [
  // A WebSocket: OpenAPI tells of requests and answers alone. `npx hub listen` speaks it.
  'get /v2/reports/listen',
]

it('every operation for points of sale, operators and monitors is in the document, and the document has no other', async () => {
  const routes = [
    ...(await routesOf('pos-api')),
    ...(await routesOf('operator-api')),
    ...(await routesOf('health')),
  ]
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, unknown>> }
  const documented = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => method !== 'parameters')
      .map((method) => `${method} ${path}`),
  )
  expect(routes.length).toBeGreaterThan(30)
  expect([...documented, ...NOT_IN_OPENAPI].toSorted()).toEqual(routes.toSorted())
})
