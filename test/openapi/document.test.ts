import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
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
