import { type ArgsDef, type ParsedArgs, parseArgs } from 'citty'

/** What a command is given; `_` has all positional arguments. Citty's own type forgets that an argument may be missing. */
export type Values<Args extends ArgsDef> = Readonly<
  { _: string[] } & {
    [Name in keyof Args]:
      | ParsedArgs<Args>[Name]
      | (Args[Name] extends { required: true } | { default: string } ? never : undefined)
  }
>

/** A program, a command of it, or a group of commands. */
export type Command = {
  /** All that one types to run it. */
  name: string
  does: string
  example: string
  args: ArgsDef
  /** Whether the last positional argument may be given several times. */
  repeats: boolean
  /** The commands of a group, by the word that chooses each. */
  commands: Readonly<Record<string, Command>>
  /** Reads words that `checkWords` let pass, runs, and resolves with the exit code. */
  run: ((words: string[]) => Promise<number>) | null
}

type Definition<Args extends ArgsDef> = Pick<Command, 'name' | 'does' | 'example'> & {
  args: Args
  run: (values: Values<Args>) => Promise<number>
}

/** Makes a command, or a program that has none. What must be given is `required`; only the last positionals may not be. */
export function command<const Args extends ArgsDef>(definition: Definition<Args>): Command {
  return {
    ...definition,
    repeats: false,
    commands: {},
    run: (words) => definition.run(parseArgs<Args>(words, definition.args)),
  }
}

/** Makes a group of commands, or a program that has commands. */
export function group(
  head: Pick<Command, 'name' | 'does' | 'example'>,
  commands: Command['commands'],
): Command {
  return { ...head, args: {}, repeats: false, commands, run: null }
}
