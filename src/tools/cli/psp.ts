import * as v from 'valibot'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { CredentialField } from '../../contract/accounts.ts'
import { hubCommand } from './hub-command.ts'
import { ask } from './operator-api.ts'

const ACCOUNT = { id: { type: 'positional', required: true, description: 'the account' } } as const
const ENDPOINT = {
  endpoint: { type: 'string', valueHint: 'URL', description: "in place of the PSP's own; local run only" },
} as const

/**
 * Reads the credentials that a PSP wants, from standard input or a prompt: arguments are seen by
 * others.
 */
async function newCredentials(psp: string, endpoint: string | undefined) {
  const { psps } = await ask('listPsps')
  const found = psps.find((candidate) => candidate.psp === psp)
  if (!found) throw new Error(`There is no PSP ${psp}: ${psps.map((one) => one.psp).join(', ')}`)
  return { credentials: await askCredentials(found.credentials), ...(endpoint ? { endpoint } : {}) }
}

export const pspAdd = hubCommand({
  name: 'psp add',
  does: 'adds an account; its credentials come by stdin or a prompt',
  example: 'psp add shop-mollie --psp mollie --mode live',
  args: {
    id: { type: 'positional', required: true, description: 'a name for the account: a-z, 0-9 and hyphens' },
    psp: { type: 'string', required: true, valueHint: 'PSP', description: 'where it is: mollie, stripe …' },
    mode: { type: 'enum', required: true, options: ['live', 'test'], description: 'whether money moves' },
    ...ENDPOINT,
  },
  run: async ({ id, psp, mode, endpoint }) =>
    ask('addAccount', { body: { id, psp, mode, ...(await newCredentials(psp, endpoint)) } }),
  show: ({ id, psp, mode }) =>
    `Account ${id} at ${psp} (${mode} mode) is added. Try its credentials: npm run hub -- psp check ${id}`,
})

export const pspRekey = hubCommand({
  name: 'psp rekey',
  does: "replaces an account's credentials, by stdin or a prompt",
  example: 'psp rekey shop-mollie',
  args: { ...ACCOUNT, ...ENDPOINT },
  run: async ({ id, endpoint }) => {
    const { accounts } = await ask('listAccounts')
    const account = accounts.find((candidate) => candidate.id === id)
    if (!account) throw new Error(`There is no account ${id}.`)
    const body = await newCredentials(account.psp, endpoint)
    return ask('replaceCredentials', { params: { id }, body })
  },
  show: ({ id }) => `Account ${id} has new credentials. They are used everywhere within two minutes.`,
})

export const pspList = hubCommand({
  name: 'psp list',
  does: 'lists the accounts at PSPs',
  example: 'psp list',
  args: {},
  run: () => ask('listAccounts'),
  json: ({ accounts }) => accounts,
  show: ({ accounts }, view) =>
    view.list(
      'There is no account yet.',
      ['id', 'psp', 'mode', 'sealing key', 'created'],
      accounts.map(({ id, psp, mode, sealingKey, created }) => [
        id,
        psp,
        mode,
        sealingKey,
        view.time(created),
      ]),
    ),
})

export const pspRemove = hubCommand({
  name: 'psp remove',
  does: 'removes an account that no route leads to',
  example: 'psp remove shop-mollie',
  args: { ...ACCOUNT, force: { type: 'boolean', description: 'even with open payments, which are lost' } },
  asks: ({ id }) => `Remove account ${id}, and its credentials with it?`,
  run: ({ id, force }) => ask('removeAccount', { params: { id }, query: { force: force ? '1' : undefined } }),
  show: ({ id }) => `Account ${id} is removed, and its credentials with it.`,
})

export const pspCheck = hubCommand({
  name: 'psp check',
  does: "tells whether an account's credentials work",
  example: 'psp check shop-mollie',
  args: ACCOUNT,
  run: ({ id }) => ask('checkAccount', { params: { id } }),
  show: ({ id, result, message }) =>
    result === 'working' ? `The credentials of ${id} work.` : `${id}: ${result}. ${message}`,
  succeeds: ({ result }) => result === 'working',
})

/**
 * The credentials of an account. At a terminal each is asked for, without showing what is typed;
 * otherwise standard input holds a JSON object, or the bare key where there is but one.
 */
async function askCredentials(fields: readonly CredentialField[]): Promise<Record<string, string>> {
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
