import * as v from 'valibot'
import { command } from './command.ts'
import { askCredentials } from './credentials.ts'
import { CommandError, type OperatorApi } from './operator-api.ts'
import { table } from '../table.ts'

const Account = v.object({ id: v.string(), psp: v.string(), mode: v.string() })
const ListedAccount = v.object({ ...Account.entries, sealingKey: v.string(), created: v.string() })

const Psps = v.object({
  psps: v.array(
    v.object({
      psp: v.string(),
      credentials: v.array(v.object({ name: v.string(), description: v.string(), optional: v.boolean() })),
    }),
  ),
})

const idOf = (id: string | undefined, usage: string): string => {
  if (!id) throw new CommandError(`Say which account: ${usage}`)
  return encodeURIComponent(id)
}

/** Reads the credentials that a PSP wants, from standard input or a prompt: arguments are seen by others. */
const credentialsFor = async (api: OperatorApi, psp: string): Promise<Record<string, string>> => {
  const { psps } = v.parse(Psps, await api('GET', '/psps'))
  const found = psps.find((candidate) => candidate.psp === psp)
  if (!found) throw new CommandError(`There is no PSP ${psp}: ${psps.map((one) => one.psp).join(', ')}`)
  return askCredentials(found.credentials)
}

export const pspAdd = command({
  usage: 'psp add ID --psp PSP --mode live|test',
  does: 'adds an account; its credentials come by stdin or a prompt',
  options: { psp: { type: 'string' }, mode: { type: 'string' }, endpoint: { type: 'string' } },
  answer: ListedAccount,
  run: async (api, { psp, mode, endpoint }, [id]) => {
    idOf(id, 'psp add ID --psp PSP --mode live|test')
    if (typeof psp !== 'string') throw new CommandError('Say at which PSP the account is: --psp mollie')
    if (typeof mode !== 'string') throw new CommandError('Say of which mode the account is: --mode live|test')
    const credentials = await credentialsFor(api, psp)
    return api('POST', '/accounts', { id, psp, mode, credentials, ...(endpoint ? { endpoint } : {}) })
  },
  show: ({ id, psp, mode }) =>
    `Account ${id} at ${psp} (${mode} mode) is added. Try its credentials: npm run hub -- psp check ${id}`,
})

export const pspRekey = command({
  usage: 'psp rekey ID',
  does: "replaces an account's credentials, by stdin or a prompt",
  options: { endpoint: { type: 'string' } },
  answer: Account,
  run: async (api, { endpoint }, [id]) => {
    const path = `/accounts/${idOf(id, 'psp rekey ID')}/credentials`
    const { accounts } = v.parse(v.object({ accounts: v.array(Account) }), await api('GET', '/accounts'))
    const account = accounts.find((candidate) => candidate.id === id)
    if (!account) throw new CommandError(`There is no account ${id}.`)
    const credentials = await credentialsFor(api, account.psp)
    return api('POST', path, { credentials, ...(endpoint ? { endpoint } : {}) })
  },
  show: ({ id }) => `Account ${id} has new credentials. They are used everywhere within a minute.`,
})

export const pspList = command({
  usage: 'psp list',
  does: 'lists the accounts at PSPs',
  options: {},
  answer: v.pipe(
    v.object({ accounts: v.array(ListedAccount) }),
    v.transform(({ accounts }) => accounts),
  ),
  run: (api) => api('GET', '/accounts'),
  show: (accounts) =>
    accounts.length === 0
      ? 'There is no account yet.'
      : table(
          ['id', 'psp', 'mode', 'sealing key', 'created'],
          accounts.map(({ id, psp, mode, sealingKey, created }) => [id, psp, mode, sealingKey, created]),
        ),
})

export const pspRemove = command({
  usage: 'psp remove ID [--force]',
  does: 'removes an account that no route leads to',
  options: { force: { type: 'boolean' } },
  answer: v.object({ id: v.string(), removed: v.boolean() }),
  run: (api, { force }, [id]) =>
    api('POST', `/accounts/${idOf(id, 'psp remove ID')}/remove${force ? '?force=1' : ''}`),
  show: ({ id }) => `Account ${id} is removed, and its credentials with it.`,
})

export const pspCheck = command({
  usage: 'psp check ID',
  does: "says whether an account's credentials work",
  options: {},
  answer: v.object({
    id: v.string(),
    result: v.picklist(['working', 'refused', 'unavailable']),
    message: v.nullable(v.string()),
  }),
  run: (api, _, [id]) => api('POST', `/accounts/${idOf(id, 'psp check ID')}/check`),
  show: ({ id, result, message }) =>
    result === 'working' ? `The credentials of ${id} work.` : `${id}: ${result}. ${message}`,
  succeeds: ({ result }) => result === 'working',
})

export const keysRotate = command({
  usage: 'keys rotate',
  does: 'seals all credentials anew under the first of SEALING_KEY',
  options: {},
  answer: v.object({
    sealingKey: v.string(),
    resealed: v.array(v.string()),
    failed: v.array(v.string()),
    accounts: v.number(),
  }),
  run: (api) => api('POST', '/sealing/rotate'),
  show: ({ sealingKey, resealed, failed, accounts }) =>
    [
      `${resealed.length} of ${accounts} accounts sealed anew; the key in use is ${sealingKey}.`,
      failed.length === 0
        ? 'In two minutes the older key may be taken out of SEALING_KEY.'
        : `These could not be opened, so give their credentials again (psp rekey): ${failed.join(', ')}`,
    ].join('\n'),
  succeeds: ({ failed }) => failed.length === 0,
})
