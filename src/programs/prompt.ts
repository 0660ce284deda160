import { createInterface } from 'node:readline'
import { createInterface as createAsyncInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { flag } from './program.ts'
import { UsageError } from './usage-error.ts'

/** The flag of commands that ask before a change. */
export const YES = { yes: flag('do not ask at the terminal') }

const UNCHANGED = 'Nothing was changed.'

/**
 * Asks at a terminal before a change that cannot be undone, and throws unless the answer is yes.
 * Never asks a script, which has no terminal.
 */
export async function confirm(question: string, isSure = false): Promise<void> {
  if (isSure || !process.stdin.isTTY || (await isYes(question))) return
  throw new Error(UNCHANGED)
}

/** Asks a question at the terminal; returns true for yes. */
export async function isYes(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await answerTo(`${question} (yes/no)`))
}

/** Asks a question at the terminal, and returns the answer. */
export async function answerTo(question: string): Promise<string> {
  // Without `terminal` the system edits the line, and Node sends no control characters of its own.
  const terminal = createAsyncInterface({ input: process.stdin, output: process.stderr, terminal: false })
  try {
    return (await terminal.question(`${question} `)).trim()
  } finally {
    terminal.close()
  }
}

/**
 * Reads a secret from standard input, or typed unseen at a terminal. Never from arguments, which
 * others on the machine can read.
 */
export async function readSecret(name: string): Promise<string> {
  return process.stdin.isTTY ? secretly(`${name}: `) : (await text(process.stdin)).trim()
}

/**
 * Returns the secret of an environment variable or, after `--FLAG -`, of standard input; undefined without one.
 * Throws a UsageError for a secret among the arguments.
 */
export async function givenSecret(
  name: string,
  { flag: named, given, variable }: { flag: string; given: string | undefined; variable: string },
): Promise<string | undefined> {
  if (given === undefined) return process.env[variable]
  if (given === '-') return readSecret(name)
  throw new UsageError(
    `Others on this machine can read a ${named} among the arguments. Set ${variable}, or pass it by standard ` +
      `input: --${named} - < FILE`,
  )
}

/** Asks for a secret at the terminal, without showing it. */
export function secretly(question: string): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true })
  process.stderr.write(question)
  return new Promise((resolve, reject) => {
    let answered = false
    terminal.question('', (answer) => {
      answered = true
      process.stderr.write('\n')
      terminal.close()
      resolve(answer.trim())
    })
    // Ctrl-C, or the end of the input.
    terminal.once('close', () => answered || reject(new Error(`\n${UNCHANGED}`)))
  })
}
