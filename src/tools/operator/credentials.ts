import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { Writable } from 'node:stream'
import * as v from 'valibot'
import type { CredentialField } from '../../contract/accounts.ts'

/**
 * The credentials of an account. At a terminal each is asked for, without showing what is typed; otherwise standard
 * input holds a JSON object, or the bare key where there is but one.
 */
export async function askCredentials(fields: readonly CredentialField[]): Promise<Record<string, string>> {
  return process.stdin.isTTY ? prompted(fields) : read(await text(process.stdin), fields)
}

const Credentials = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()))

function read(input: string, fields: readonly CredentialField[]): Record<string, string> {
  const trimmed = input.trim()
  const wanted = fields
    .map(({ name, optional }) => `"${name}": "…"${optional ? ' (optional)' : ''}`)
    .join(', ')
  if (trimmed === '') throw new Error(`Give the credentials on standard input: { ${wanted} }`)
  const [only, ...others] = fields.filter(({ optional }) => !optional)
  if (only && others.length === 0 && !trimmed.startsWith('{')) return { [only.name]: trimmed }
  const parsed = v.safeParse(Credentials, trimmed)
  if (!parsed.success) {
    throw new Error(`The credentials must be a JSON object of texts: { ${wanted} }`)
  }
  return parsed.output
}

async function prompted(fields: readonly CredentialField[]): Promise<Record<string, string>> {
  const given: Record<string, string> = {}
  for (const { name, description, optional } of fields) {
    const value = await secretly(`${description || name}${optional ? ' (may be left empty)' : ''}: `)
    if (value !== '') given[name] = value
  }
  return given
}

/** Asks for one line at the terminal. What is typed is not shown. */
function secretly(question: string): Promise<string> {
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
    // Ctrl-C, or the end of input.
    terminal.once('close', () => answered || reject(new Error('\nNothing was changed.')))
  })
}
