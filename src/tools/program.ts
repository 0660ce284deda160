import { Argument, CommanderError, InvalidArgumentError, Option, Command as Program } from 'commander'
import type { Arg, Args, Command, Values } from './command.ts'
import { UsageError } from './usage-error.ts'

/** Runs the program that this process is, with the words that were typed after its name. */
export function runProgram(program: Command): Promise<number> {
  endWithReader()
  return runWords(program, process.argv.slice(2))
}

/**
 * Runs a program, and resolves with its exit code: 0 after help, 2 for words that it does not know,
 * with one line on standard error. What a command throws besides is thrown.
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
    // Whoever asked for JSON reads standard output, also when the words were wrong.
    if (typed.includes('--json')) console.log(JSON.stringify({ error: error.message }))
    console.error(error.message)
    return 2
  }
}

/** `hub` alone and `hub help pos create` ask for help too. */
function meant(program: Command, typed: readonly string[]): readonly string[] {
  const [first = 'help', ...others] = typed
  return program.run === null && first === 'help' ? [...others, '--help'] : typed
}

/** Commander's parser of a command and those below it. `end` is told the exit code. */
function parserOf(command: Command, word: string, end: (code: number) => void): Program {
  const { does, example, args, commands, run } = command
  const parser = new Program(word)
    .description(does)
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', `\nExample: ${example}`)
    .configureOutput({ writeOut: (text) => console.log(text.trimEnd()), writeErr: () => {} })
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : new UsageError(sentenceOf(command, error))
    })
  for (const [flag, arg] of Object.entries(args)) {
    if (arg.type !== 'positional') parser.addOption(optionOf(flag, arg))
  }
  const words = Object.entries(args).filter(([, { type }]) => type === 'positional')
  for (const [at, [argument, arg]] of words.entries()) {
    parser.addArgument(argumentOf(argument, arg, command.repeats && at === words.length - 1))
  }
  for (const [below, next] of Object.entries(commands)) parser.addCommand(parserOf(next, below, end))
  if (run) return parser.action(async () => end(await run(valuesOf(args, parser))))
  // These may stand before the name of a command, too.
  return parser.addOption(new Option('--json').hideHelp()).addOption(new Option('--utc').hideHelp())
}

function optionOf(flag: string, arg: Arg): Option {
  if (arg.type === 'boolean') return new Option(`--${flag}`, arg.description)
  const hint = arg.valueHint ?? arg.options?.join('|') ?? 'VALUE'
  const option = new Option(`--${flag} <${hint}>`, arg.description).makeOptionMandatory(arg.required ?? false)
  if (arg.default !== undefined) option.default(arg.default)
  return arg.options ? option.choices(arg.options) : option.argParser(onceOf(arg))
}

/** Takes a value once. One that begins with two dashes is a flag whose own value was forgotten. */
function onceOf(arg: Arg) {
  return (value: string, before: string | undefined): string => {
    if (value.startsWith('--')) throw new InvalidArgumentError('Its value is missing.')
    if (before !== undefined && before !== arg.default) throw new InvalidArgumentError('It is given twice.')
    return value
  }
}

function argumentOf(name: string, { required, description }: Arg, repeats: boolean): Argument {
  const shown = `${name}${repeats ? '...' : ''}`
  return new Argument(required ? `<${shown}>` : `[${shown}]`, description)
}

function valuesOf(args: Args, parser: Program): Values<Args> {
  const given = parser.optsWithGlobals<Record<string, string | boolean | undefined>>()
  const words = parser.args
  let at = 0
  const values = Object.entries(args).map(([name, { type, required }]) => {
    if (type !== 'positional') return [name, given[new Option(`--${name}`).attributeName()]] as const
    const word = words[at++]
    if (required && word === '') throw new UsageError(`${name.toUpperCase()} must not be empty.`)
    return [name, word] as const
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are read by these arguments
  return { ...Object.fromEntries(values), _: words } as Values<Args>
}

/** Why the words cannot be taken, on one line. */
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
 * Whoever reads the output may stop, as `head` does: then there is nobody to tell more, and nothing
 * is wrong.
 */
function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit()
      console.error(error.message)
      process.exit(1)
    })
  }
}
