/** An argument of a command: a flag (`--name`), or a word at its place (`positional`). */
export type Arg = {
  type: 'string' | 'boolean' | 'enum' | 'positional'
  description: string
  required?: boolean
  default?: string
  /** What stands for the value in the help. */
  valueHint?: string
  /** The values of an `enum`. */
  options?: readonly string[]
}
export type Args = Readonly<Record<string, Arg>>

/**
 * `boolean` where the argument may be a flag without a value; else a text, or one of its options.
 */
type ValueOf<One extends Arg> =
  | ('boolean' extends One['type'] ? boolean | undefined : never)
  | (One['type'] extends 'boolean'
      ? never
      :
          | (One extends { options: readonly (infer Option)[] } ? Option : string)
          | (One extends { required: true } | { default: string } ? never : undefined))

/** What a command is given; `_` has all positional arguments. */
export type Values<All extends Args> = Readonly<{ _: string[] } & { [Name in keyof All]: ValueOf<All[Name]> }>

type Head = {
  /** All that one types to run it. */
  name: string
  does: string
  example: string
}

/** A program, a command of it, or a group of commands. */
export type Command = Head & {
  args: Args
  /** Whether the last positional argument may be given several times. */
  repeats: boolean
  /** The commands of a group, by the word that chooses each. */
  commands: Readonly<Record<string, Command>>
  /** Runs with what was given, and resolves with the exit code; null for a group. */
  run: ((values: Values<Args>) => Promise<number>) | null
}

type Definition<All extends Args> = Head & {
  args: All
  repeats?: boolean
  run: (values: Values<All>) => Promise<number>
}

/**
 * Makes a command, or a program that has none. Only the last positional arguments may be left out.
 */
export function command<const All extends Args>({ repeats = false, run, ...rest }: Definition<All>): Command {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- program.ts reads the values by these arguments
  return { ...rest, repeats, commands: {}, run: (values) => run(values as Values<All>) }
}

/** Makes a group of commands, or a program that has commands. */
export function group(head: Head, commands: Command['commands']): Command {
  return { ...head, args: {}, repeats: false, commands, run: null }
}

/** The names of all commands of a program or a group: "pos create". */
export function commandNames({ commands }: Command): string[] {
  return Object.entries(commands).flatMap(([name, below]) =>
    below.run === null ? commandNames(below).map((word) => `${name} ${word}`) : [name],
  )
}
