import { describe, expect, it } from 'vitest'
import { type Command, commandNames } from '../../src/programs/program.ts'
import { HUB } from '../../src/cli/commands.ts'
import { runHub } from './run-hub.ts'

const COMMANDS = commandNames(HUB)

function commandOf(name: string): Command {
  return name.split(' ').reduce((group, word) => group.commands[word] ?? group, HUB)
}

describe.each(COMMANDS)('hub %s --help', (name) => {
  it('shows what it does, every argument and flag, and an example, and asks no hub', async () => {
    const { does, example, args } = commandOf(name)
    const { code, out, err } = await runHub([...name.split(' '), '--help'])
    expect([code, err]).toEqual([0, []])
    const text = out.join(' ').replaceAll(/\s+/g, ' ')
    expect(text).toContain(`Usage: npx hub ${name}`)
    expect(text).toContain(does)
    for (const [arg, { type, description }] of Object.entries(args)) {
      expect(text).toContain(type === 'positional' ? arg : `--${arg}`)
      expect(text).toContain(description)
    }
    expect(out.at(-1)).toBe(`Example: npx hub ${name} ${example}`.trimEnd())
  })

  it('offers --json', () => {
    expect(commandOf(name).args['json']).toMatchObject({ type: 'boolean' })
  })
})

describe('help', () => {
  it('of the program names every command', async () => {
    const text = (await runHub(['--help'])).out.join(' ')
    for (const name of COMMANDS) expect(text).toContain(name.split(' ').at(-1))
  })

  it('of a command comes for "help" and its name too', async () => {
    expect(await runHub(['help', 'pos', 'create'])).toEqual(await runHub(['pos', 'create', '--help']))
  })

  it.each([[[]], [['-h']], [['help']]])('of the program comes for %j too', async (words) => {
    expect(await runHub(words)).toEqual(await runHub(['--help']))
  })
})
