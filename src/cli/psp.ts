import * as v from 'valibot'
import { text } from 'node:stream/consumers'
import { type CredentialField, currenciesIn } from '../contract/accounts.ts'
import { pause } from '../client/pause.ts'
import { group, option, word } from '../programs/program.ts'
import { durationOf, oneNamed } from '../programs/usage-error.ts'
import { count, hubCommand } from '../programs/hub-command.ts'
import { operationCommand } from './operation-command.ts'
import { ACCOUNT, accountNamed } from './named.ts'
import { addUp, ask, askPages } from './operator-api.ts'
import { secretly } from '../programs/prompt.ts'
import { isDeaf, notificationsIn } from './status.ts'
import { printableText } from '../programs/view.ts'

const CURRENCIES = {
  ...option('EUR,USD', 'the currencies that it takes; any: all that its PSP takes'),
  read: currenciesIn,
}
const ENDPOINT = { endpoint: option('URL', "instead of the PSP's own address; only for a local hub") }

/**
 * Reads the credentials that a PSP needs. Never from arguments, which others can read. At a
 * terminal it asks for each, without showing it; otherwise standard input has a JSON object, or the
 * bare key if there is only one.
 */
async function newCredentials(named: string, endpoint: string | undefined) {
  const { psps } = await ask('listPsps')
  const fields = oneNamed('PSP', named, psps, ({ psp }) => psp).credentials
  const credentials = process.stdin.isTTY
    ? await prompted(fields)
    : readCredentials(await text(process.stdin), fields)
  return { credentials, ...(endpoint ? { endpoint } : {}) }
}

const add = hubCommand({
  does: 'add an account; give its credentials on standard input or at the prompt',
  example: 'shop-mollie --psp mollie --mode live',
  args: {
    id: word('a name for the account: a-z, 0-9 and hyphens'),
    psp: { ...option('PSP', 'its PSP: mollie, stripe …'), required: true },
    mode: { type: 'enum', required: true, options: ['live', 'test'], description: 'whether money moves' },
    currencies: CURRENCIES,
    ...ENDPOINT,
  },
  run: async ({ id, psp, mode, currencies, endpoint }) =>
    ask('addAccount', { body: { id, psp, mode, currencies, ...(await newCredentials(psp, endpoint)) } }),
})

const rekey = hubCommand({
  does: "replace an account's credentials; give them on standard input or at the prompt",
  args: { id: ACCOUNT, ...ENDPOINT },
  run: async ({ id, endpoint }) => {
    const body = await newCredentials((await accountNamed(id)).psp, endpoint)
    return ask('replaceCredentials', { params: { id }, body })
  },
})

const list = operationCommand('listAccounts', { json: ({ accounts }) => accounts })

const currencies = operationCommand('changeCurrencies', {
  example: 'shop-mollie EUR,USD',
  body: { currencies: { ...CURRENCIES, type: 'positional' } },
})

const remove = operationCommand('removeAccount')

const check = operationCommand('checkAccount', {
  succeeds: ({ result, notifications }) => result === 'working' && !isDeaf(notifications),
})

/** How often (ms) it asks the hub whether the first notification has come. */
const LOOK_EVERY = 2000

const webhook = hubCommand({
  does: 'show the address to enter at the PSP, and wait for its first notification',
  example: 'shop-adyen --wait 10m',
  args: { id: ACCOUNT, wait: { ...option('TIME', 'how long to wait'), default: '10m', read: durationOf } },
  run: async ({ id, wait }) => {
    const deadline = Date.now() + wait
    const found = await ask('showWebhook', { params: { id } })
    console.error([...(found.address ? [found.address] : []), found.setUp].map(printableText).join('\n'))
    if (found.address === null) return found
    if (found.state !== 'working') console.error('The hub waits for the first notification; Ctrl-C stops it.')
    for (let now = found; ; now = await ask('showWebhook', { params: { id } })) {
      if (now.state === 'working' || Date.now() > deadline) return now
      await pause(LOOK_EVERY)
    }
  },
  show: ({ id, ...notifications }, view) => notificationsIn(id, notifications, view),
  succeeds: ({ state, address }) => state === 'working' || address === null,
})

const Credentials = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()))

function readCredentials(input: string, fields: readonly CredentialField[]): Record<string, string> {
  const trimmed = input.trim()
  const wanted = fields
    .map(({ name, optional }) => `"${name}": "…"${optional ? ' (optional)' : ''}`)
    .join(', ')
  if (trimmed === '') throw new Error(`Give the credentials on standard input: { ${wanted} }`)
  const [only, ...others] = fields.filter(({ optional }) => !optional)
  if (only && others.length === 0 && !trimmed.startsWith('{')) return { [only.name]: trimmed }
  const parsed = v.safeParse(Credentials, trimmed)
  if (parsed.success) return parsed.output
  throw new Error(`The credentials must be a JSON object of texts: { ${wanted} }`)
}

async function prompted(fields: readonly CredentialField[]): Promise<Record<string, string>> {
  const given: Record<string, string> = {}
  for (const { name, description, optional } of fields) {
    const value = await secretly(`${description || name}${optional ? ' (may be left empty)' : ''}: `)
    if (value !== '') given[name] = value
  }
  return given
}

export const psp = group('accounts at PSPs', 'check shop-mollie', {
  add,
  list,
  check,
  webhook,
  currencies,
  rekey,
  remove,
})

const rotate = hubCommand({
  does: 'seal all credentials again under the first key of SEALING_KEY',
  run: () =>
    addUp(
      askPages('rotateSealing'),
      ({ copies = 0 }, { next }) =>
        next && console.error(`${count(copies, 'copy', 'copies')} so far (if this stops, run it again)`),
      ['accounts'],
    ),
  succeeds: ({ failed }) => failed.length === 0,
})

const status = hubCommand({
  does: 'show what is not sealed under the first key of SEALING_KEY yet',
  run: () => addUp(askPages('showSealing'), undefined, ['accounts']),
  succeeds: ({ oldAccounts, oldCopies }) => oldAccounts.length + oldCopies.length === 0,
})

export const keys = group('keys that seal credentials', 'status', { rotate, status })
