import { describe, expect, it } from 'vitest'
import { checkWords } from '../../src/tools/check-words.ts'
import type { Command } from '../../src/tools/command.ts'
import { commandNames, findCommand } from '../../src/tools/find-command.ts'
import { HUB } from '../../src/tools/operator/commands.ts'
import { runHub } from './run-hub.ts'

const COMMANDS = commandNames(HUB)
const GROUPS = Object.keys(HUB.commands).filter((name) => HUB.commands[name]?.run === null)

function commandOf(name: string): Command {
  return findCommand(HUB, name.split(' ')).command
}

/** The words of an example, as a shell gives them to the program. */
function wordsOf(example: string): string[] {
  return (
    (/^npx hub (.*?)( \| jq .*)?$/.exec(example)?.[1] ?? '')
      .match(/"[^"]*"|'[^']*'|\S+/g)
      ?.map((word) => word.replaceAll(/^["']|["']$/g, '')) ?? []
  )
}

describe.each(COMMANDS)('hub %s --help', (name) => {
  const { does, example, args } = commandOf(name)

  it('shows usage, every argument and flag, and an example, and asks no hub', async () => {
    const { code, out, err } = await runHub([...name.split(' '), '--help'])
    expect([code, err]).toEqual([0, []])
    const text = out.join('\n')
    expect(out[0]).toBe(`${does} (npx hub ${name})`)
    expect(text).toContain(`USAGE npx hub ${name} [OPTIONS]`)
    for (const [arg, { type, description }] of Object.entries(args)) {
      expect(text).toContain(type === 'positional' ? arg.toUpperCase() : `--${arg}`)
      expect(description).toBeTruthy()
      expect(text).toContain(description)
    }
    expect(out.at(-1)).toBe(`EXAMPLE ${example}`)
  })

  it('gives an example that the command takes', () => {
    const { command, words } = findCommand(HUB, wordsOf(example))
    expect(command.name).toBe(`npx hub ${name}`)
    expect(() => checkWords(command, words)).not.toThrow()
  })

  it('offers --json', () => {
    expect(args['json']).toMatchObject({ type: 'boolean' })
  })
})

describe('help', () => {
  it.each(GROUPS)('of the group %s lists its commands', async (name) => {
    const { code, out, err } = await runHub([name, '--help'])
    expect([code, err]).toEqual([0, []])
    for (const [word, { does }] of Object.entries(commandOf(name).commands)) {
      expect(out.join('\n')).toMatch(new RegExp(`^ +${word} +${does.replaceAll(/[*()]/g, '\\$&')}$`, 'm'))
    }
    expect(out.at(-1)).toBe(`EXAMPLE ${commandOf(name).example}`)
    expect(() => findCommand(HUB, wordsOf(commandOf(name).example))).not.toThrow()
  })

  it('of the program names every command', async () => {
    const text = (await runHub(['--help'])).out.join('\n')
    for (const name of COMMANDS) {
      const [group = '', word = ''] = name.split(' ')
      const line = word === '' ? `^ +${group} +\\S` : `^ +${group} .*[ :,] ${word}(,|$)`
      expect(text).toMatch(new RegExp(line, 'm'))
    }
  })

  it.each([[[]], [['-h']], [['help']]])('of the program comes for %j too', async (words) => {
    expect(await runHub(words)).toEqual(await runHub(['--help']))
  })

  it.each([
    [['help', 'pos', 'create']],
    [['pos', 'create', '-h']],
    [['pos', '--help', 'create']],
    [['--help', 'pos', 'create']],
    [['pos', 'create', '--nonsense', '--help', 'more']],
  ])('of a command comes for %j too', async (words) => {
    expect(await runHub(words)).toEqual(await runHub(['pos', 'create', '--help']))
  })

  it('has no colours and no spaces at the end of a line', async () => {
    const { out } = await runHub(['psp', 'add', '--help'])
    // oxlint-disable-next-line no-control-regex
    expect(out.filter((line) => /\u001B| $/.test(line))).toEqual([])
  })
})
