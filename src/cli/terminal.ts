import type { AccountTerminal, AccountTerminals, PosTerminals } from '../contract/account-terminals.ts'
import { flag, group, option, word } from '../programs/program.ts'
import { oneNamed } from '../programs/usage-error.ts'
import { hubCommand } from '../programs/hub-command.ts'
import { operationCommand } from './operation-command.ts'
import { POS } from './named.ts'
import { ask } from './operator-api.ts'
import type { Lines, View } from '../programs/view.ts'

const ACCOUNT = { ...word('the account'), example: 'shop-mollie' }
const TERMINAL = { ...word("the terminal: the PSP's own id of it"), example: 'term_7MgL4wea46qkRcoTZjWEH' }

function stateOf({ isOn }: { isOn: boolean | null }): string {
  return isOn === null ? '' : isOn ? 'on' : 'off'
}

type Listed = Partial<AccountTerminals> & Pick<AccountTerminals, 'terminals'>

const list = hubCommand({
  does: 'list the terminals that an account has at its PSP; without an account all that were added',
  example: 'shop-mollie',
  args: { account: { ...ACCOUNT, required: false } },
  run: async ({ account: id }): Promise<Listed> =>
    id === undefined ? ask('listAddedTerminals') : ask('listAccountTerminals', { params: { id } }),
  show: ({ result, message, setUp, terminals }, view) => [
    result === 'none' && 'The hub drives no terminals by this account.',
    message && `${result}: ${message}`,
    view.list('There are no terminals.', terminals, [
      'id',
      'name',
      'account',
      ['', ({ isAdded, isListed }) => (isListed === false ? 'gone' : isAdded ? 'added' : '')],
      ['state', stateOf],
      ['used by', ({ pointsOfSale }) => pointsOfSale.map(({ name }) => name).join(', ')],
      'alertHours',
    ]),
    terminals.length === 0 && setUp,
  ],
  succeeds: ({ result = 'listed' }) => result === 'listed',
})

const add = operationCommand('addTerminal', {
  example: 'shop-mollie term_7MgL4wea46qkRcoTZjWEH --name "Counter 1"',
  args: {
    id: ACCOUNT,
    terminal: TERMINAL,
    name: option('NAME', 'what cashiers read; by default its name at the PSP'),
    'alert-hours': {
      ...option('09:00-18:00', 'the hours in which you get an alert while it is off, or none'),
      read: (hours: string) => (hours === 'none' ? null : hours),
    },
  },
  body: ({ terminal, name, 'alert-hours': alertHours }) => ({ terminal, name, alertHours }),
  show: ({ id, name }) => `Terminal ${id} is ${name}. Let a shop use it: terminal assign POS ${id}`,
})

const remove = operationCommand('removeTerminal', {
  args: { id: ACCOUNT, terminal: TERMINAL },
  asks: ({ terminal }) => `Remove terminal ${terminal} from the hub? At the PSP it stays.`,
  show: ({ id }) => `Terminal ${id} is removed.`,
})

const check = hubCommand({
  does: 'ask the PSP whether a terminal is on',
  args: { account: ACCOUNT, terminal: TERMINAL },
  run: async ({ account, terminal }): Promise<AccountTerminal & { message: string | null }> => {
    const { message, terminals } = await ask('listAccountTerminals', { params: { id: account } })
    return { ...oneNamed('terminal', terminal, terminals, ({ id }) => id), message }
  },
  show: ({ id, message, isListed, ...seen }) => [
    message ??
      `Terminal ${id} is ${isListed ? stateOf(seen) || 'there; on or off the PSP does not say' : 'gone'}.`,
  ],
  succeeds: ({ isListed, isOn }) => isListed === true && isOn !== false,
})

const assign = operationCommand('assignTerminal', {
  example: '"Shop 1" term_7MgL4wea46qkRcoTZjWEH --default',
  args: {
    id: POS,
    terminal: TERMINAL,
    default: flag('orders for the terminal `default` go there'),
    remove: flag('take it away from the point of sale'),
  },
  body: ({ terminal, default: isDefault, remove: isRemoved = false }) => ({
    terminal,
    isDefault,
    isAssigned: !isRemoved,
  }),
  show: (answer, view) => [showTerminals(answer, view), '', 'It is so everywhere within two minutes.'],
})

/** The command `pos terminals`, beside `pos routes`. */
export const posTerminals = operationCommand('listPosTerminals', { args: { id: POS }, show: showTerminals })

function showTerminals({ pos, terminals }: PosTerminals, view: View): Lines {
  const isLost = terminals.length > 0 && !terminals.some(({ isDefault }) => isDefault)
  return [
    view.list(`Point of sale ${pos} has no terminals.`, terminals, [
      'id',
      'name',
      'account',
      ['', ({ isDefault }) => (isDefault ? 'default' : '')],
      ['state', stateOf],
    ]),
    isLost && 'None is its default: terminal assign POS TERMINAL --default',
  ]
}

export const terminal = group('card terminals', 'list shop-mollie', { list, add, assign, remove, check })
