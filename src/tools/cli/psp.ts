import * as v from 'valibot'
import { text } from 'node:stream/consumers'
import type { CredentialField, SealingStatus } from '../../contract/accounts.ts'
import { pause } from '../../client/pause.ts'
import { flag, group, option, word } from '../program.ts'
import { UsageError, durationOf, notAmong, quoted } from '../usage-error.ts'
import { count, hubCommand } from './hub-command.ts'
import { ask, askPages } from './operator-api.ts'
import { YES, confirm, secretly } from './prompt.ts'
import { isDeaf, notificationsIn } from './status.ts'
import { printableText } from './view.ts'

const ACCOUNT = { id: word('the account') }
const ENDPOINT = {
  endpoint: option('URL', "in place of the PSP's own; local run only"),
}

/**
 * Reads the credentials that a PSP wants, from standard input or a prompt: arguments are seen by
 * others.
 */
async function newCredentials(psp: string, endpoint: string | undefined) {
  const { psps } = await ask('listPsps')
  const found = psps.find((candidate) => candidate.psp === psp)
  if (!found) {
    const names = psps.map((one) => one.psp)
    throw new UsageError(`There is no PSP ${quoted(psp)}. ${notAmong(names, psp)}`)
  }
  return { credentials: await askCredentials(found.credentials), ...(endpoint ? { endpoint } : {}) }
}

const add = hubCommand({
  does: 'adds an account; its credentials come by stdin or a prompt',
  example: 'shop-mollie --psp mollie --mode live',
  args: {
    id: word('a name for the account: a-z, 0-9 and hyphens'),
    psp: { ...option('PSP', 'where it is: mollie, stripe …'), required: true },
    mode: { type: 'enum', required: true, options: ['live', 'test'], description: 'whether money moves' },
    ...ENDPOINT,
  },
  run: async ({ id, psp, mode, endpoint }) =>
    ask('addAccount', { body: { id, psp, mode, ...(await newCredentials(psp, endpoint)) } }),
  show: ({ id, psp, mode }) =>
    `Account ${id} at ${psp} (${mode} mode) is added. Try its credentials: npm run hub -- psp check ${id}`,
})

const rekey = hubCommand({
  does: "replaces an account's credentials, by stdin or a prompt",
  example: 'shop-mollie',
  args: { ...ACCOUNT, ...ENDPOINT },
  run: async ({ id, endpoint }) => {
    const { accounts } = await ask('listAccounts')
    const account = accounts.find((candidate) => candidate.id === id)
    if (!account) throw new UsageError(noAccount(id, accounts))
    const body = await newCredentials(account.psp, endpoint)
    return ask('replaceCredentials', { params: { id }, body })
  },
  show: ({ id }) => `Account ${id} has new credentials. They are used everywhere within two minutes.`,
})

export function noAccount(named: string, accounts: readonly { id: string }[]): string {
  const names = accounts.map(({ id }) => id)
  return `There is no account ${quoted(named)}. ${notAmong(names, named)}`
}

const list = hubCommand({
  does: 'lists the accounts at PSPs',
  run: () => ask('listAccounts'),
  json: ({ accounts }) => accounts,
  show: ({ accounts }, view) =>
    view.list('There is no account yet.', accounts, {
      id: ({ id }) => id,
      psp: ({ psp }) => psp,
      mode: ({ mode }) => mode,
      'sealing key': ({ sealingKey }) => sealingKey,
      created: ({ created }) => view.time(created),
    }),
})

const remove = hubCommand({
  does: 'removes an account that no route leads to',
  example: 'shop-mollie',
  args: { ...ACCOUNT, force: flag('even with open payments, which are lost'), ...YES },
  run: async ({ id, force, yes }) => {
    await confirm(`Remove account ${id}, and its credentials with it?`, yes)
    return ask('removeAccount', { params: { id }, query: { force: force ? '1' : undefined } })
  },
  show: ({ id }) => `Account ${id} is removed, and its credentials with it.`,
})

const check = hubCommand({
  does: "tells whether an account's credentials work",
  example: 'shop-mollie',
  args: ACCOUNT,
  run: ({ id }) => ask('checkAccount', { params: { id } }),
  show: ({ id, result, message, notifications }, view) =>
    [
      result === 'working' ? `The credentials of ${id} work.` : `${id}: ${result}. ${message}`,
      notificationsIn(id, notifications, view),
    ].join('\n'),
  succeeds: ({ result, notifications }) => result === 'working' && !isDeaf(notifications),
})

/** How often (ms) the hub is asked whether the first notification has come. */
const LOOK_EVERY = 2000

const webhook = hubCommand({
  does: 'tells the address to enter at the PSP, and waits for its first notification',
  example: 'shop-adyen --wait 10m',
  args: { ...ACCOUNT, wait: option('TIME', 'wait so long; 10m if not given') },
  run: async ({ id, wait }) => {
    const deadline = Date.now() + durationOf('--wait', wait ?? '10m')
    const told = await ask('showWebhook', { params: { id } })
    console.error([...(told.address ? [told.address] : []), told.setUp].map(printableText).join('\n'))
    if (told.address === null) return told
    if (told.state !== 'working') console.error('The hub waits for the first notification; Ctrl-C ends that.')
    for (let now = told; ; now = await ask('showWebhook', { params: { id } })) {
      if (now.state === 'working' || Date.now() > deadline) return now
      await pause(LOOK_EVERY)
    }
  },
  show: ({ id, ...notifications }, view) => notificationsIn(id, notifications, view),
  succeeds: ({ state, address }) => state === 'working' || address === null,
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

export const psp = group('accounts at PSPs', 'check shop-mollie', {
  add,
  list,
  check,
  webhook,
  rekey,
  remove,
})

function accountsIn(number: number): string {
  return count(number, 'account', 'accounts')
}
function copiesIn(number: number): string {
  return count(number, 'copy', 'copies')
}

async function rotateAll() {
  const all = { sealingKey: '', resealed: [] as string[], failed: [] as string[], accounts: 0, copies: 0 }
  for await (const page of askPages('rotateSealing')) {
    all.sealingKey = page.sealingKey
    all.accounts = page.accounts
    all.copies += page.copies ?? 0
    all.resealed.push(...page.resealed)
    all.failed.push(...page.failed)
    if (page.next) console.error(`${copiesIn(all.copies)} so far (if this is cut off, run it again)`)
  }
  return all
}

const rotate = hubCommand({
  does: 'seals all credentials anew under the first of SEALING_KEY',
  run: rotateAll,
  show: ({ sealingKey, resealed, failed, accounts, copies }) =>
    [
      `${resealed.length} of ${accountsIn(accounts)} sealed anew, ${copiesIn(copies)} written; ` +
        `the key in use is ${sealingKey}.`,
      failed.length === 0
        ? 'In two minutes the older key may be taken out of SEALING_KEY, if keys status agrees.'
        : `These could not be opened, so give their credentials again (psp rekey): ${failed.join(', ')}`,
    ].join('\n'),
  succeeds: ({ failed }) => failed.length === 0,
})

type Status = Omit<SealingStatus, 'next'>

async function readStatus(): Promise<Status> {
  const all: Status = { sealingKey: '', accounts: 0, copies: 0, oldAccounts: [], oldCopies: [] }
  for await (const page of askPages('showSealing')) {
    all.sealingKey = page.sealingKey
    all.accounts = page.accounts
    all.copies += page.copies
    all.oldAccounts.push(...page.oldAccounts)
    all.oldCopies.push(...page.oldCopies)
  }
  return all
}

function isDone({ oldAccounts, oldCopies }: Status): boolean {
  return oldAccounts.length === 0 && oldCopies.length === 0
}

const status = hubCommand({
  does: 'tells what is not sealed under the first of SEALING_KEY yet',
  run: readStatus,
  show: (sealing) =>
    isDone(sealing)
      ? `Everything is sealed under ${sealing.sealingKey}: ${accountsIn(sealing.accounts)}, ` +
        `${copiesIn(sealing.copies)}.`
      : [
          `Not sealed under ${sealing.sealingKey} yet: ${sealing.oldAccounts.length} of ` +
            `${accountsIn(sealing.accounts)}, ${sealing.oldCopies.length} of ` +
            `${copiesIn(sealing.copies)}. Run keys rotate.`,
          'Just after it, KV may show a copy as it was a minute before.',
          ...sealing.oldAccounts.map((id) => `account ${id}`),
          ...sealing.oldCopies.map((name) => `copy ${name}`),
        ].join('\n'),
  succeeds: isDone,
})

export const keys = group('keys that seal credentials', 'status', { rotate, status })
