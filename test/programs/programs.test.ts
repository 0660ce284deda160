import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../src/programs/wrangler.ts'

function run(file: string, words: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(file, words, { cwd: PROJECT, env }, (_, out, err) =>
      resolve({ code: child.exitCode ?? 1, out, err }),
    )
  })
}

const PROGRAMS = {
  dev: ['src/local/dev.ts', ['--port', '--state', '--secrets', '--pretty']],
  demo: ['src/local/demo.ts', []],
  deploy: ['src/deploy/deploy.ts', ['--env', '--secrets-file', '--location', '--dry-run']],
  bench: ['test/bench/bench.ts', ['--scale', '--live', '--against', '--quick', '--json']],
  simulate: ['test/simulation/simulate.ts', ['--seeds', '--from', '--seed']],
  cost: ['test/cost/cost.ts', []],
} as const
type Name = keyof typeof PROGRAMS

const WRONG: readonly (readonly [Name, words: readonly string[], message: string])[] = [
  ['dev', ['--port=x'], '--port must be a whole number from 1 to 65535, not "x"'],
  ['bench', ['--hlep'], 'See npm run bench -- --help'],
  ['deploy', ['--location', 'mars'], 'Allowed choices are weur'],
  ['simulate', ['--seed=-1'], '--seed must be a whole number from 0 to'],
]

type Ended = { code: number; out: string; err: string }
const NOTHING: Ended = { code: -1, out: '', err: '' }

/** Runs programs one after another: Node and the libraries take longest to start. */
const RUN_ALL = `
  const ended = []
  process.exit = (code) => void (process.exitCode = code)
  for (const [file, words] of JSON.parse(process.argv[1])) {
    const printed = { out: '', err: '' }
    console.log = (text) => (printed.out += text + '\\n')
    console.error = (text) => (printed.err += text + '\\n')
    process.exitCode = 0
    process.argv = [process.execPath, file, ...words]
    await import('./' + file + '?' + ended.length)
    ended.push({ code: process.exitCode, ...printed })
  }
  process.exitCode = 0
  process.stdout.write(JSON.stringify(ended))`

async function runAll(calls: readonly (readonly [Name, readonly string[]])[]): Promise<Ended[]> {
  const files = JSON.stringify(calls.map(([name, words]) => [PROGRAMS[name][0], words]))
  const { code, out, err } = await run(process.execPath, ['--input-type=module', '-e', RUN_ALL, files])
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out) as Ended[]
}

it('npm run … -- --help shows its usage, its flags and an example, and does nothing else', async () => {
  const names = Object.keys(PROGRAMS) as Name[]
  const ended = await runAll(names.map((name) => [name, ['--help']]))
  for (const [place, name] of names.entries()) {
    const { code, out, err } = ended[place] ?? NOTHING
    expect([name, code, err]).toEqual([name, 0, ''])
    expect(out).toMatch(new RegExp(`^Usage: npm run ${name} --`, 'm'))
    expect(out).toMatch(new RegExp(`^Example: npm run ${name}`, 'm'))
    for (const flag of PROGRAMS[name][1]) expect(out).toContain(` ${flag}`)
  }
})

it('npm run … with wrong words ends with 2 and one line', async () => {
  const ended = await runAll(WRONG.map(([name, words]) => [name, words]))
  for (const [place, [name, , message]] of WRONG.entries()) {
    const { code, out, err } = ended[place] ?? NOTHING
    expect([name, code, out, err.split('\n').length]).toEqual([name, 2, '', 2])
    expect(err).toContain(message)
  }
})

it('a program ends quietly when the reader of its output stops', async () => {
  const source = `
    import { command, runProgram } from './src/programs/program.ts'
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
