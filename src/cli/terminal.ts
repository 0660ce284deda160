import type { AccountTerminal, AccountTerminals } from '../contract/account-terminals.ts'
import { group } from '../programs/program.ts'
import { oneNamed } from '../programs/usage-error.ts'
import { hubCommand } from '../programs/hub-command.ts'
import { operationCommand } from './operation-command.ts'
import { ACCOUNT, TERMINAL } from './named.ts'
import { ask } from './operator-api.ts'

type Listed = Partial<AccountTerminals> & Pick<AccountTerminals, 'terminals'>

const list = hubCommand({
  does: 'list the terminals that an account has at its PSP; without an account, all that were added',
  example: 'shop-mollie',
  args: { account: { ...ACCOUNT, required: false } },
  run: async ({ account: id }): Promise<Listed> =>
    id === undefined ? ask('listAddedTerminals') : ask('listAccountTerminals', { params: { id } }),
  succeeds: ({ result = 'listed' }) => result === 'listed',
})

const add = operationCommand('addTerminal', {
  example: 'shop-mollie term_7MgL4wea46qkRcoTZjWEH --name "Counter 1"',
  body: {
    terminal: { type: 'positional' },
    alertHours: {
      description: 'the hours in which you get an alert while it is off, or none',
      read: (hours: string) => (hours === 'none' ? null : hours),
    },
  },
})

const remove = operationCommand('removeTerminal')

const check = hubCommand({
  does: 'ask the PSP whether a terminal is on',
  args: { account: ACCOUNT, terminal: TERMINAL },
  run: async ({ account, terminal }): Promise<AccountTerminal & { message: string | null }> => {
    const { message, terminals } = await ask('listAccountTerminals', { params: { id: account } })
    return { ...oneNamed('terminal', terminal, terminals, ({ id }) => id), message }
  },
  succeeds: ({ isListed, isOn }) => isListed === true && isOn !== false,
})

const assign = operationCommand('assignTerminal', {
  example: '"Shop 1" term_7MgL4wea46qkRcoTZjWEH --default',
  body: {
    terminal: { type: 'positional' },
    isDefault: { flag: 'default' },
    isAssigned: {
      flag: 'remove',
      type: 'boolean',
      description: 'take it away from the point of sale',
      send: (isRemoved: boolean) => !isRemoved,
    },
  },
})

/** The command `pos terminals`, next to `pos routes`. */
export const posTerminals = operationCommand('listPosTerminals')

export const terminal = group('card terminals', 'list shop-mollie', { list, add, assign, remove, check })
