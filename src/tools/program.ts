import { stripVTControlCharacters } from 'node:util'
import { renderUsage } from 'citty'
import { asksForHelp, checkWords, hasFlag } from './check-words.ts'
import type { Command } from './command.ts'
import { findCommand } from './find-command.ts'
import { UsageError } from './usage-error.ts'

/** Runs the program that this process is, with the words that were typed after its name. */
export function runProgram(program: Command): Promise<number> {
  endWithReader()
  return runWords(program, process.argv.slice(2))
}

/**
 * Runs a program, and resolves with its exit code: 0 after help, 2 for words that it does not know, which one line on
 * standard error tells. What goes wrong later is the command's own to tell; what it throws is thrown.
 */
export async function runWords(program: Command, typed: readonly string[]): Promise<number> {
  try {
    const { command, words } = findCommand(program, meant(program, typed))
    if (asksForHelp(words)) {
      console.log(await helpOf(command))
      return 0
    }
    if (command.run === null) throw new UsageError(needsCommand(command))
    return await command.run(checkWords(command, words))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    // Whoever asked for JSON reads standard output, also when the words were wrong.
    if (hasFlag(typed, '--json')) console.log(JSON.stringify({ error: error.message }))
    console.error(error.message)
    return 2
  }
}

/** `hub` alone and `hub help …` ask for help too. */
function meant(program: Command, typed: readonly string[]): readonly string[] {
  const [first, ...others] = typed
  return program.run === null && (first === undefined || first === 'help') ? [...others, '--help'] : typed
}

/** What `--help` prints: citty's usage without colours, and an example. */
async function helpOf({ name, does, example, args, commands }: Command): Promise<string> {
  const below = Object.entries(commands).map(([word, command]) => [
    word,
    { meta: { description: command.does } },
  ])
  const subCommands = below.length === 0 ? {} : { subCommands: Object.fromEntries(below) }
  const usage = await renderUsage({ meta: { name, description: does }, args, ...subCommands })
  return `${stripVTControlCharacters(usage).replaceAll(/ +$/gm, '').trimEnd()}\n\nEXAMPLE ${example}`
}

function needsCommand({ name, commands }: Command): string {
  return `${name} needs one more word: ${Object.keys(commands).join(', ')}`
}

/** Whoever reads the output may stop, as `head` does: then there is nobody to tell more, and nothing is wrong. */
function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit()
      console.error(error.message)
      process.exit(1)
    })
  }
}
