import { styleText } from 'node:util'
import { Argument, CommanderError, InvalidArgumentError, Option, Command as Program } from 'commander'
import { UsageError, notAmong } from './usage-error.ts'
import { printableJson, printableOutput } from './view.ts'

/** An argument of a command: a flag (`--name`), or a word at its position (`positional`). */
export type Arg = {
  type: 'string' | 'boolean' | 'enum' | 'positional'
  description: string
  required?: boolean
  /** The last word may come several times. */
  repeats?: true
  default?: string
  /** The value's placeholder in the help. */
  valueHint?: string
  /** The values of an `enum`, or the words for a position. */
  options?: readonly string[]
  /** Turns the text into the command's value. Throws a UsageError for an unreadable one. */
  read?: (text: string, name: string) => unknown
  /** A value for the example of a command. */
  example?: string
  /** Asks the hub for the id of what the text names. */
  find?: (named: string) => Promise<string>
}
export type Args = Readonly<Record<string, Arg>>

/** A boolean for a flag without a value; else the read text, or one of the options. */
type ValueOf<One extends Arg> = One['type'] extends 'boolean'
  ? boolean | undefined
  : TextOf<One> | (One extends { required: true } | { default: string } ? never : undefined)
type TextOf<One extends Arg> = One extends { read: (text: string, name: string) => infer Read }
  ? Awaited<Read>
  : One extends { options: readonly (infer Option)[] }
    ? Option
    : string

export function flag(description: string) {
  return { type: 'boolean', description } as const
}

export function option(valueHint: string, description: string) {
  return { type: 'string', valueHint, description } as const
}

export function word(description: string) {
  return { type: 'positional', required: true, description } as const
}

/** The values of a command's arguments; `_` has all positional ones. */
export type Values<All extends Args> = Readonly<{ _: string[] } & { [Name in keyof All]: ValueOf<All[Name]> }>
/** The values of any command. */
export type AnyValues = Readonly<Record<string, unknown>> & { _: string[] }

/** A program, a command, or a group of commands. */
export type Command = {
  /** How to call a program. The words that choose a command name it. */
  name: string
  does: string
  /** A call of a program; of a command, only the part after its name. */
  example: string
  args: Args
  /** The commands of a group, by the word that chooses each. */
  commands: Readonly<Record<string, Command>>
  /** The text of a program's `--version`. */
  version?: string
  /** Runs with the values, and resolves with the exit code; null for a group. */
  run: ((values: AnyValues) => Promise<number>) | null
}

type Definition<All extends Args> = {
  name?: string
  does: string
  example?: string
  args: All
  run: (values: Values<All>) => Promise<number>
}

/** Makes a command, or a program without commands. Only its last words are optional. */
export function command<const All extends Args>({ run, ...given }: Definition<All>): Command {
  return {
    name: '',
    example: '',
    ...given,
    commands: {},
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser reads the values by these arguments
    run: async (values) => run((await readValues(given.args, values)) as Values<All>),
  }
}

/** Reads the typed texts into a command's values. */
export async function readValues(args: Args, typed: AnyValues): Promise<AnyValues> {
  const values: Record<string, unknown> & { _: string[] } = { ...typed }
  for (const [name, { type, read }] of Object.entries(args)) {
    const text = values[name]
    const shown = type === 'positional' ? name.toUpperCase() : `--${name}`
    if (read && typeof text === 'string') values[name] = await read(text, shown)
  }
  return values
}

/**
 * Makes a group of commands on one subject. `does` lists them, so that the program's help shows
 * all.
 */
export function group(subject: string, example: string, commands: Command['commands']): Command {
  const does = `${subject}: ${Object.keys(commands).join(', ')}`
  return { name: '', does, example, args: {}, commands, run: null }
}

export function commandNames({ commands }: Command): string[] {
  return Object.entries(commands).flatMap(([name, next]) =>
    next.run === null ? commandNames(next).map((after) => `${name} ${after}`) : [name],
  )
}

export function runProgram(program: Command): Promise<number> {
  for (const stream of [process.stdout, process.stderr]) {
    printSafely(stream)
    endWithReader(stream)
  }
  return runWords(program, process.argv.slice(2))
}

/**
 * Runs a program, and returns its exit code: 0 after help, and 2 for unknown words, with one line
 * on standard error. Throws all else that a command throws.
 */
export async function runWords(program: Command, typed: readonly string[]): Promise<number> {
  let code = 0
  const parser = parserOf(program, program.name, (ended) => (code = ended))
  try {
    await parser.parseAsync(meant(program, typed), { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return 0
    if (!(error instanceof UsageError)) throw error
    // A caller with `--json` reads standard output, also after wrong words.
    if (typed.includes('--json')) console.log(printableJson({ error: error.message }))
    console.error(error.message)
    return 2
  }
}

/**
 * Treats a bare `hub` and `hub help pos create` as calls for help. Removes the call for help on an
 * unknown command, so that the parser refuses the wrong word.
 */
function meant(program: Command, typed: readonly string[]): readonly string[] {
  const [first = 'help', ...others] = typed
  const words = program.run === null && first === 'help' ? [...others, '--help'] : typed
  const named = words.filter((one) => !one.startsWith('-'))
  return chooses(program, named) ? words : words.filter((one) => !['--help', '-h'].includes(one))
}

function chooses({ commands, run }: Command, [first, ...others]: readonly string[]): boolean {
  if (run !== null || first === undefined) return true
  const next = Object.hasOwn(commands, first) ? commands[first] : undefined
  return next !== undefined && chooses(next, others)
}

/** Makes Commander's parser of a command and its subcommands. `end` gets the exit code. */
function parserOf(parsed: Command, typed: string, end: (code: number) => void): Program {
  const { does, example, args, commands, version, run } = parsed
  const parser = new Program(typed)
    .description(does)
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', `\nExample: ${example}`)
    .configureOutput({ writeOut: (text) => console.log(text.trimEnd()), writeErr: () => {} })
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : new UsageError(sentenceOf(parsed, error))
    })
  if (version !== undefined) parser.version(version, '-V, --version', 'show the release')
  for (const [name, arg] of Object.entries(args)) {
    if (arg.type === 'positional') parser.addArgument(argumentOf(name, arg))
    else parser.addOption(optionOf(name, arg))
  }
  for (const [chosen, { example: rest, ...next }] of Object.entries(commands)) {
    const name = `${parsed.name} ${chosen}`
    parser.addCommand(parserOf({ ...next, name, example: `${name} ${rest}`.trimEnd() }, chosen, end))
  }
  if (run) return parser.action(async () => end(await run(valuesOf(args, parser))))
  // These flags may also come before the name of a command.
  return parser.addOption(new Option('--json').hideHelp()).addOption(new Option('--utc').hideHelp())
}

function optionOf(name: string, arg: Arg): Option {
  if (arg.type === 'boolean') return new Option(`--${name}`, arg.description)
  const hint = arg.valueHint ?? arg.options?.join('|') ?? 'VALUE'
  const valued = new Option(`--${name} <${hint}>`, arg.description).makeOptionMandatory(arg.required ?? false)
  if (arg.default !== undefined) valued.default(arg.default)
  return valued.argParser((value, before: string | undefined) => {
    // A value that begins with two dashes is a flag whose own value is missing.
    if (value.startsWith('--')) throw new InvalidArgumentError('Its value is missing.')
    if (before !== undefined && before !== arg.default) throw new InvalidArgumentError('It is given twice.')
    return chosenOf(arg, value)
  })
}

function argumentOf(name: string, arg: Arg): Argument {
  const shown = `${name}${arg.repeats ? '...' : ''}`
  const argument = new Argument(arg.required ? `<${shown}>` : `[${shown}]`, arg.description)
  return arg.options ? argument.argParser((value: string) => chosenOf(arg, value)) : argument
}

function chosenOf({ options = [] }: Arg, value: string): string {
  if (options.length === 0 || options.includes(value)) return value
  throw new InvalidArgumentError(notAmong(options, value))
}

function valuesOf(args: Args, parser: Program): AnyValues {
  const given = parser.optsWithGlobals<Record<string, string | boolean | undefined>>()
  const words = parser.args
  let at = 0
  const values = Object.entries(args).map(([name, { type, required, default: usual }]) => {
    if (type !== 'positional') return [name, given[new Option(`--${name}`).attributeName()]] as const
    const value = words[at++] ?? usual
    if (required && value === '') throw new UsageError(`${name.toUpperCase()} must not be empty.`)
    return [name, value] as const
  })
  return { ...Object.fromEntries(values), _: words }
}

function sentenceOf({ name, commands }: Command, { code, message }: CommanderError): string {
  const known = Object.keys(commands).join(', ')
  if (code === 'commander.help') return `${name} needs one more word: ${known}`
  const text = message
    .replace(/^error: /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/[^.?)]$/, '$&.')
  const there =
    code === 'commander.unknownCommand' && !text.includes('Did you mean') ? ` There are ${known}.` : ''
  return `${name.replace(/ --$/, '')}: ${text}${there} See ${name} --help`
}

/**
 * Makes whatever the program prints safe at a terminal, because texts of hubs, shops and files are among
 * it. Bytes are the content of a file: they pass unchanged, except to a terminal.
 */
function printSafely(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream)
  const hasColours = styleText('dim', 'x', { stream }) !== 'x'
  const decoder = new TextDecoder()
  stream.write = (
    chunk: Uint8Array | string,
    encoding?: BufferEncoding | ((error?: Error | null) => void),
    done?: (error?: Error | null) => void,
  ) => {
    const isText = typeof chunk === 'string' || stream.isTTY
    const text = () => (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))
    const safe = isText ? printableOutput(text(), hasColours) : chunk
    return typeof encoding === 'function' ? write(safe, encoding) : write(safe, encoding, done)
  }
}

/** Ends the program without an error when the reader of its output stops, as `head` does. */
function endWithReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    console.error(error.message)
    process.exit(1)
  })
}
