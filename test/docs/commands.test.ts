import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { PROJECT } from '../../src/tools/wrangler.ts'
import { EVENTS } from '../../src/psp/adyen/notification.ts'
import { DOCUMENTS, commandsOf, read, sourceOf } from './documents.ts'

const { scripts, bin = {} } = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>
  bin?: Record<string, string>
}
const all = DOCUMENTS.flatMap(({ text }) => commandsOf(text))
function found(pattern: RegExp): string[] {
  return [...new Set(all.flatMap((code) => Array.from(code.matchAll(pattern), ([, name = '']) => name)))]
}

it('every npm script that the documents name exists', () => {
  const named = found(/\bnpm run (?:-s )?([\w:-]+)/g)
  expect(named).toContain('dev')
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

it('every program that the documents run with npx exists', () => {
  const known = new Set(['wrangler', ...Object.keys(bin)])
  expect(found(/\bnpx (\w+)/g).filter((name) => !known.has(name))).toEqual([])
})

it('every variable and secret that the documents name exists', () => {
  /** The shell's own in the README, and Adyen's events. */
  const others = new Set(['API_KEY', 'OFFER_CLOSED', 'CANCEL_OR_REFUND', ...EVENTS.keys()])
  const known = read('wrangler.toml') + sourceOf('src/cli')
  const named = found(/\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/g)
  expect(named).toContain('OPERATOR_TOKEN')
  expect(named.filter((name) => !others.has(name) && !new RegExp(`\\b${name}\\b`).test(known))).toEqual([])
})

it('every flag that the documents name is one of a program', () => {
  const programs = ['src/cli', 'test/bench', 'test/simulation', 'test/soak'].map(sourceOf).join('\n')
  const named = found(/(?:^| )--([a-z][a-z-]+)/g)
  expect(named).toContain('sign-return')
  expect(named.filter((flag) => !new RegExp(`\\b${flag}\\b`).test(programs))).toEqual([])
})

/** A command of the CLI is two words, of which the first is one of these; but those for developers, which are one. */
const ONE_WORD = ['status', 'stats', 'listen', 'trigger', 'whoami']
const GROUPS = [
  'pos',
  'psp',
  'keys',
  'job',
  'report',
  'index',
  'audit',
  'retention',
  'alert',
  'settings',
  'token',
]

describe('the CLI', () => {
  let commands: string[]
  beforeAll(async () => {
    commands = (await Promise.all(GROUPS.map(commandsIn))).flat()
  })

  const named = found(new RegExp(`(?:^|npm run hub -- |npx hub )((?:${GROUPS.join('|')}) [a-z]+)\\b`, 'g'))

  it('has every command that the documents name', () => {
    expect(named.length).toBeGreaterThan(GROUPS.length)
    expect(named.filter((command) => !commands.includes(command))).toEqual([])
  })

  it('has no command that the page for operators leaves out', () => {
    const told = commandsOf(read('docs/operating.md'))
    const isTold = (command: string) =>
      told.some((code) => code === command || code.startsWith(`${command} `))
    expect(commands.length).toBeGreaterThan(GROUPS.length)
    expect(commands.filter((command) => !isTold(command))).toEqual([])
  })

  it('has no group of commands but those that are looked at here', async () => {
    expect(namesIn(await helpOf()).toSorted()).toEqual([...GROUPS, ...ONE_WORD].toSorted())
  })
})

function helpOf(...words: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(PROJECT, 'src/tools/cli/hub.ts'), ...words, '--help'],
      { cwd: PROJECT, env: { ...process.env, NO_COLOR: '1' } },
      (_, out) => resolve(stripVTControlCharacters(out)),
    )
  })
}

/** The names under "Commands:" as the help has them: a name, its arguments, spaces, and what it does. */
function namesIn(help: string): string[] {
  return Array.from(
    (help.split(/^Commands:$/m)[1] ?? '').matchAll(/^ {2}([a-z]+)\b(?! \[command\])/gm),
    ([, name = '']) => name,
  )
}

async function commandsIn(group: string): Promise<string[]> {
  return namesIn(await helpOf(group)).map((verb) => `${group} ${verb}`)
}
