import { describe, expect, it } from 'vitest'
import { EVENTS } from '../../src/psp/adyen/notification.ts'
import { HUB } from '../../src/cli/commands.ts'
import { KIT } from '../../src/kit/commands.ts'
import { type Command, commandNames } from '../../src/programs/program.ts'
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
  expect(found(/\bnpx (\w+)(?![\w:])/g).filter((name) => !known.has(name))).toEqual([])
})

it('the documents name every command of the kit, and no other', () => {
  const named = found(/\bnode package\/kit\.js (\w+)/g)
  expect(named.toSorted()).toEqual(Object.keys(KIT.commands).toSorted())
})

/** The folders of programs for Node. */
const PROGRAMS = 'cli deploy kit local programs rehearsal build'.split(' ').map((room) => `src/${room}`)

it('every variable and secret that the documents name exists', () => {
  /**
   * Not the hub's own: variables of shops' programs, one that the changelog calls removed, and Adyen's
   * events.
   */
  const others = new Set([
    'API_KEY',
    'SIGNING_SECRET',
    'WEATHER_PAGE',
    'OFFER_CLOSED',
    'CANCEL_OR_REFUND',
    ...EVENTS.keys(),
  ])
  const known = [read('wrangler.toml'), ...PROGRAMS.map(sourceOf)].join('\n')
  const named = found(/\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/g)
  expect(named).toContain('OPERATOR_TOKEN')
  expect(named.filter((name) => !others.has(name) && !new RegExp(`\\b${name}\\b`).test(known))).toEqual([])
})

/** Returns the flags of a command and of its subcommands: most come from the contract. */
function flagsOf({ args, commands }: Command): string[] {
  return [...Object.keys(args), ...Object.values(commands).flatMap(flagsOf)]
}

it('some program has every flag that the documents name', () => {
  const programs = [...PROGRAMS, 'test/bench', 'test/simulation', 'test/mutation']
    .map(sourceOf)
    .concat(flagsOf(HUB), flagsOf(KIT))
    .join('\n')
  const ofNpm = new Set(['omit'])
  const named = found(/(?:^| )--([a-z][a-z-]+)/g).filter((flag) => !ofNpm.has(flag))
  expect(named).toContain('sign-return')
  expect(named.filter((flag) => !new RegExp(`\\b${flag}\\b`).test(programs))).toEqual([])
})

describe('the CLI', () => {
  const commands = commandNames(HUB)
  const groups = Object.keys(HUB.commands).filter((word) => HUB.commands[word]?.run === null)
  const named = found(new RegExp(`(?:^|npm run hub -- |npx hub )((?:${groups.join('|')}) [a-z-]+)\\b`, 'g'))

  it('has every command that the documents name', () => {
    expect(named.length).toBeGreaterThan(groups.length)
    expect(named.filter((command) => !commands.includes(command))).toEqual([])
  })

  it('has no command of two words that the pages for operators omit', () => {
    const documented = commandsOf(read('docs/operating'))
    const isDocumented = (command: string) =>
      documented.some((code) => code === command || code.startsWith(`${command} `))
    expect(commands.filter((command) => command.includes(' ') && !isDocumented(command))).toEqual([])
  })
})
