import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROJECT } from '../../../src/programs/wrangler.ts'

describe('npm run new:psp', () => {
  let copy: string
  /** Runs a program of the project in the copy, and returns its exit code and all that it printed. */
  const run = (file: string, ...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(copy, file), ...words], {
      cwd: copy,
      encoding: 'utf8',
    })
    return { status, printed: stdout + stderr }
  }

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'new-psp-'))
    for (const name of [
      'src',
      'test',
      'docs',
      'package.json',
      'tsconfig.json',
      'tsconfig.node.json',
      'tsconfig.worker.json',
      'wrangler.toml',
    ])
      cpSync(join(PROJECT, name), join(copy, name), { recursive: true })
    symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'))
    writeFileSync(
      join(copy, 'vitest.config.ts'),
      `export default { test: { include: ['test/psp/{every-adapter,contract,requests}.test.ts'], reporters: ['json'], outputFile: 'told.json' } }`,
    )
  })
  afterAll(() => rmSync(copy, { recursive: true }))

  it('refuses a name that cannot be that of a folder and of a variable', () => {
    expect(run('test/psp/new-psp/new-psp.ts', 'Pay-Pal').status).toBe(2)
  })

  it(
    'makes an adapter that compiles and is registered, and whose tests say what it lacks',
    { timeout: 300_000 },
    () => {
      expect(run('test/psp/new-psp/new-psp.ts', 'paypal', 'PayPal')).toMatchObject({ status: 0 })
      expect(readFileSync(join(copy, 'docs/psps/paypal.md'), 'utf8')).toContain('# PayPal')
      const compiled = run('node_modules/typescript/bin/tsc', '--project', 'tsconfig.worker.json')
      expect(compiled).toEqual({ status: 0, printed: '' })
      run('node_modules/vitest/vitest.mjs', 'run')
      const told = JSON.parse(readFileSync(join(copy, 'told.json'), 'utf8')) as Told
      const tests = told.testResults.flatMap(({ assertionResults }) => assertionResults)
      const failed = tests.filter(({ status }) => status === 'failed')
      // The tests of no other PSP fail.
      expect(
        failed.filter(({ fullName }) => !fullName.includes('paypal')).map(({ fullName }) => fullName),
      ).toEqual([])
      const messages = failed.flatMap(({ failureMessages }) => failureMessages).join('\n')
      for (const part of ['announce', 'ask', 'stop', 'refund', 'check'])
        expect(messages).toContain(`src/psp/paypal/adapter.ts lacks ${part}`)
      expect(messages).toContain('unbelievable')
    },
  )
})

type Told = {
  testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[]
}
