import type { ArgDef } from 'citty'
import type { Command } from './command.ts'
import { nearest } from '../platform/nearest.ts'
import { UsageError, quoted } from './usage-error.ts'

/** Whether one of these flags is among the words. What follows `--` is no flag. */
export function hasFlag(words: readonly string[], ...flags: string[]): boolean {
  return words.slice(0, endOfFlags(words)).some((word) => flags.includes(word))
}

/** Whether the words ask for help. */
export function asksForHelp(words: readonly string[]): boolean {
  return hasFlag(words, '--help', '-h')
}

function endOfFlags(words: readonly string[]): number {
  const at = words.indexOf('--')
  return at === -1 ? words.length : at
}

/**
 * Reads a command's words as citty does, but takes none that it does not know, where citty lets them pass: a flag, a
 * positional argument too many, a flag twice, a flag without its value. Gives them back in the one form that leaves
 * nothing to guess: `--name=value` for each flag, then `--` and the positional arguments. Throws a UsageError.
 */
export function checkWords(command: Command, words: readonly string[]): string[] {
  const flags = new Map<string, string>()
  const positionals: string[] = []
  const end = endOfFlags(words)
  for (let at = 0; at < end; at++) {
    const word = words[at] ?? ''
    if (!/^-./.test(word)) {
      positionals.push(word)
      continue
    }
    const [flag, inline] = split(word)
    const arg = flagsOf(command)[flag]
    if (!arg) throw new UsageError(noFlag(command, flag))
    if (flags.has(flag)) throw wrong(command, `takes ${flag} only once`)
    if (arg.type === 'boolean') {
      if (inline !== undefined) throw wrong(command, `takes ${flag} without a value`)
      flags.set(flag, flag)
    } else {
      const value = inline ?? words.slice(0, end)[++at]
      flags.set(flag, `${flag}=${valueOf(command, flag, arg, inline === undefined, value)}`)
    }
  }
  positionals.push(...words.slice(end + 1))
  checkPositionals(command, positionals)
  for (const [flag, arg] of Object.entries(flagsOf(command))) {
    if (arg.required && !flags.has(flag)) throw missing(command, withHint(flag, arg))
  }
  return [...flags.values(), '--', ...positionals]
}

/** A value may begin with one dash, as a negative number does. One that begins with two is a flag whose turn it is not. */
function valueOf(
  command: Command,
  flag: string,
  arg: ArgDef,
  isNextWord: boolean,
  value: string | undefined,
): string {
  if (value === undefined || (isNextWord && value.startsWith('--'))) {
    throw wrong(command, `needs a value after ${flag}: ${withHint(flag, arg)}`)
  }
  if (arg.type === 'enum' && !(arg.options ?? []).includes(value)) {
    const near = nearest(value, arg.options ?? [])
    const instead = near === null ? '' : ` Did you mean ${quoted(near)}?`
    throw new UsageError(`${flag} is ${(arg.options ?? []).join(' or ')}, not ${quoted(value)}.${instead}`)
  }
  return value
}

function checkPositionals(command: Command, given: readonly string[]): void {
  const wanted = Object.entries(command.args).filter(([, { type }]) => type === 'positional')
  for (const [at, [name, arg]] of wanted.entries()) {
    if (arg.required && !given[at]) throw missing(command, name.toUpperCase())
  }
  const extra = command.repeats ? undefined : given[wanted.length]
  if (extra === undefined) return
  const near = nearest(`--${extra}`, Object.keys(flagsOf(command)))
  const instead = near === null ? seeHelp(command) : `Did you mean ${quoted(near)}?`
  throw new UsageError(`${nameOf(command)} takes no word ${quoted(extra)}. ${instead}`)
}

/** The flags of a command, as they are typed. */
function flagsOf({ args }: Command): Record<string, ArgDef> {
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, arg]) => (arg.type === 'positional' ? [] : [[`--${name}`, arg]])),
  )
}

function split(word: string): [flag: string, value?: string] {
  const at = word.indexOf('=')
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}

function noFlag(command: Command, flag: string): string {
  const near = nearest(`--${flag.replace(/^-+/, '')}`, [...Object.keys(flagsOf(command)), '--help'])
  const takesWords = Object.values(command.args).some(({ type }) => type === 'positional')
  const otherwise = takesWords ? 'Words that begin with a dash come after "--".' : seeHelp(command)
  const instead = near === null ? otherwise : `Did you mean ${quoted(near)}?`
  return `${nameOf(command)} has no flag ${quoted(flag)}. ${instead}`
}

function withHint(flag: string, arg: ArgDef): string {
  return `${flag} ${arg.type === 'enum' ? (arg.options ?? []).join('|') : (arg.valueHint ?? '')}`
}

function seeHelp({ name }: Command): string {
  return `See ${name} --help`
}

/** npm takes flags for its own unless they come after `--`; a sentence needs no such sign. */
function nameOf({ name }: Command): string {
  return name.replace(/ --$/, '')
}

function missing(command: Command, what: string): UsageError {
  return new UsageError(`${nameOf(command)} needs ${what}. For example: ${command.example}`)
}

function wrong(command: Command, what: string): UsageError {
  return new UsageError(`${nameOf(command)} ${what}`)
}
