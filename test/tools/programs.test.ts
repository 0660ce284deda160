import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../src/tools/wrangler.ts'

function run(file: string, words: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(file, words, { cwd: PROJECT, env }, (_, out, err) =>
      resolve({ code: child.exitCode ?? 1, out, err }),
    )
  })
}

const PROGRAMS = {
  dev: ['src/tools/local/dev.ts', ['--port', '--state', '--secrets', '--pretty']],
  demo: ['src/tools/local/demo.ts', []],
  deploy: ['src/tools/deploy/deploy.ts', ['--env', '--secrets-file', '--location', '--dry-run']],
  bench: ['test/bench/bench.ts', ['--scale', '--live', '--quick', '--json']],
  simulate: ['test/simulation/simulate.ts', ['--seeds', '--from', '--seed']],
  cost: ['test/cost/cost.ts', []],
} as const

it.each(Object.entries(PROGRAMS))(
  'npm run %s -- --help shows its usage, its flags and an example, and does nothing else',
  async (name, [file, flags]) => {
    const { code, out, err } = await run(process.execPath, [file, '--help'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(new RegExp(`^Usage: npm run ${name} --`, 'm'))
    expect(out).toMatch(new RegExp(`^Example: npm run ${name}`, 'm'))
    for (const flag of flags) expect(out).toContain(` ${flag}`)
  },
)

it.each([
  ['dev', ['--port=x'], '--port must be a whole number from 1 to 65535, not "x"'],
  ['bench', ['--hlep'], 'See npm run bench -- --help'],
  ['deploy', ['--location', 'mars'], '--location must be one of weur'],
  ['simulate', ['--seed=-1'], '--seed must be a whole number from 0 to'],
] as const)('npm run %s -- %j ends with 2 and one line', async (name, words, message) => {
  const { code, out, err } = await run(process.execPath, [PROGRAMS[name][0], ...words])
  expect([code, out, err.split('\n').length]).toEqual([2, '', 2])
  expect(err).toContain(message)
})

it('a program ends quietly when nobody reads what it prints any more', async () => {
  const source = `
    import { command, runProgram } from './src/tools/program.ts'
    const run = async () => {
      for (let line = 0; line < 20; line++) {
        console.log(line)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      return 1
    }
    process.exitCode = await runProgram(command({ name: '', does: '', example: '', args: {}, run }))`
  const ended = await run('sh', ['-c', '"$0" --input-type=module -e "$1" | true', process.execPath, source])
  expect(ended).toEqual({ code: 0, out: '', err: '' })
})

it('npx hub runs with the Node of the project, whatever that of the machine is', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'payment-hub-npx-'))
  const own = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
  const env = { ...process.env, PATH: own.join(delimiter), npm_config_cache: cache }
  try {
    const wrong = await run('npx', ['hub', 'pos', 'creat', '--json'], env)
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean create?') as string })
    expect(JSON.parse(wrong.out)).toEqual({
      error: expect.stringContaining('Did you mean create?') as string,
    })
  } finally {
    await rm(cache, { recursive: true, force: true })
  }
})
