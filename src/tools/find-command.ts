import type { Command } from './command.ts'
import { nearest } from '../platform/nearest.ts'
import { UsageError, quoted } from './usage-error.ts'

/** A command, and what is left of the words for it. */
type Found = { command: Command; words: string[] }

/**
 * Goes down to the command that the words name. Flags may stand before its name. Stops at a group when there are no more
 * names. Throws a UsageError when there is no such command.
 */
export function findCommand(program: Command, words: readonly string[]): Found {
  const left = [...words]
  let command = program
  while (command.run === null) {
    const at = left.findIndex((word) => !word.startsWith('-'))
    const [name] = at === -1 ? [] : left.splice(at, 1)
    if (name === undefined) break
    const next = Object.hasOwn(command.commands, name) ? command.commands[name] : undefined
    if (!next) throw new UsageError(noCommand(program, words))
    command = next
  }
  return { command, words: left }
}

/** A command is two words at most: the first two were meant to be one. */
function noCommand(program: Command, words: readonly string[]): string {
  const [first = '', second] = words.filter((word) => !word.startsWith('-'))
  const asked = second === undefined ? first : `${first} ${second}`
  const group = Object.hasOwn(program.commands, first) ? program.commands[first] : undefined
  const near =
    nearest(asked, commandNames(program)) ?? (group ? null : nearest(first, Object.keys(program.commands)))
  const known = Object.keys((group ?? program).commands).join(', ')
  const instead = near === null ? `There are ${known}.` : `Did you mean ${quoted(near)}?`
  return `There is no command ${quoted(asked)}. ${instead}`
}

/** The names of all commands of a program or a group: "pos create". */
export function commandNames({ commands }: Command): string[] {
  return Object.entries(commands).flatMap(([name, command]) =>
    command.run === null ? commandNames(command).map((below) => `${name} ${below}`) : [name],
  )
}
