import {
  Account,
  AccountChecked,
  AccountList,
  AccountRemoved,
  CredentialsReplaced,
  type NewAccount,
  type NewCredentials,
  PspList,
} from '../../contract/accounts.ts'
import { hubCommand } from './hub-command.ts'
import { askCredentials } from './credentials.ts'
import { type OperatorApi, path } from './operator-api.ts'

const ACCOUNT = { id: { type: 'positional', required: true, description: 'the account' } } as const
const ENDPOINT = {
  endpoint: { type: 'string', valueHint: 'URL', description: "in place of the PSP's own; local run only" },
} as const

/** Reads the credentials that a PSP wants, from standard input or a prompt: arguments are seen by others. */
async function newCredentials(
  api: OperatorApi,
  psp: string,
  endpoint: string | undefined,
): Promise<NewCredentials> {
  const { psps } = await api(PspList, 'GET', '/psps')
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
  run: async (api, { id, psp, mode, endpoint }) => {
    const wanted: NewAccount = { id, psp, mode, ...(await newCredentials(api, psp, endpoint)) }
    return api(Account, 'POST', '/accounts', wanted)
  },
  show: ({ id, psp, mode }) =>
    `Account ${id} at ${psp} (${mode} mode) is added. Try its credentials: npm run hub -- psp check ${id}`,
})

export const pspRekey = hubCommand({
  name: 'psp rekey',
  does: "replaces an account's credentials, by stdin or a prompt",
  example: 'psp rekey shop-mollie',
  args: { ...ACCOUNT, ...ENDPOINT },
  run: async (api, { id, endpoint }) => {
    const { accounts } = await api(AccountList, 'GET', '/accounts')
    const account = accounts.find((candidate) => candidate.id === id)
    if (!account) throw new Error(`There is no account ${id}.`)
    const wanted = await newCredentials(api, account.psp, endpoint)
    return api(CredentialsReplaced, 'POST', path`/accounts/${id}/credentials`, wanted)
  },
  show: ({ id }) => `Account ${id} has new credentials. They are used everywhere within two minutes.`,
})

export const pspList = hubCommand({
  name: 'psp list',
  does: 'lists the accounts at PSPs',
  example: 'psp list',
  args: {},
  run: (api) => api(AccountList, 'GET', '/accounts'),
  json: ({ accounts }) => accounts,
  show: ({ accounts }, view) =>
    accounts.length === 0
      ? 'There is no account yet.'
      : view.table(
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
  run: (api, { id, force }) =>
    api(AccountRemoved, 'POST', path`/accounts/${id}/remove` + (force ? '?force=1' : '')),
  show: ({ id }) => `Account ${id} is removed, and its credentials with it.`,
})

export const pspCheck = hubCommand({
  name: 'psp check',
  does: "tells whether an account's credentials work",
  example: 'psp check shop-mollie',
  args: ACCOUNT,
  run: (api, { id }) => api(AccountChecked, 'POST', path`/accounts/${id}/check`),
  show: ({ id, result, message }) =>
    result === 'working' ? `The credentials of ${id} work.` : `${id}: ${result}. ${message}`,
  succeeds: ({ result }) => result === 'working',
})
