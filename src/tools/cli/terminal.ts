import type { AccountTerminals, KeptTerminals, PosTerminals } from '../../contract/account-terminals.ts'
import { flag, group, option, word } from '../program.ts'
import { hubCommand, operationCommand } from './hub-command.ts'
import { POS } from './named.ts'
import { ask } from './operator-api.ts'
import type { Lines, View } from './view.ts'

const ACCOUNT = { ...word('the account'), example: 'shop-mollie' }
const TERMINAL = { ...word("the terminal: the PSP's own id of it"), example: 'term_7MgL4wea46qkRcoTZjWEH' }
const LIVE_SOON = 'It is so everywhere within two minutes.'

function stateIn(isOn: boolean | null): string {
  return isOn === null ? '' : isOn ? 'on' : 'off'
}

function namesIn({ pointsOfSale }: { pointsOfSale: readonly { name: string }[] }): string {
  return pointsOfSale.map(({ name }) => name).join(', ')
}

const list = hubCommand({
  does: 'list the terminals that an account has at its PSP; without an account those that were added',
  example: 'shop-mollie',
  args: { account: { ...ACCOUNT, required: false } },
  run: async ({ account }): Promise<AccountTerminals | KeptTerminals> =>
    account === undefined
      ? ask('listKeptTerminals')
      : ask('listAccountTerminals', { params: { id: account } }),
  show: (answer, view) => ('result' in answer ? showAtAccount(answer, view) : showKept(answer, view)),
  succeeds: (answer) => !('result' in answer) || answer.result === 'listed',
})

function showKept({ terminals }: KeptTerminals, view: View): Lines {
  return view.list('No terminal was added yet: see terminal list ACCOUNT.', terminals, [
    'id',
    'name',
    'account',
    ['used by', namesIn],
    ['alert hours', 'alertHours'],
  ])
}

function showAtAccount({ account, result, message, setUp, terminals }: AccountTerminals, view: View): Lines {
  return [
    result === 'none' && `The hub drives no terminals by ${account}.`,
    message !== null && `${account}: ${result}. ${message}`,
    (result === 'none' || terminals.length === 0) && setUp,
    terminals.length > 0 &&
      view.list('', terminals, [
        'id',
        'name',
        ['', ({ isKept, isListed }) => (isListed === false ? 'gone' : isKept ? 'added' : '')],
        ['state', ({ isOn }) => stateIn(isOn)],
        ['used by', namesIn],
        ['alert hours', 'alertHours'],
      ]),
  ]
}

const add = operationCommand('keepTerminal', {
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

const SAYS = {
  on: 'is on',
  off: 'is off',
  unknown: 'is known to the PSP, which does not say whether it is on',
  missing: 'is none of those that the PSP lists for the account',
  none: 'cannot be checked: the hub drives no terminals by the account',
  refused: 'cannot be checked: the PSP refuses',
  unavailable: 'cannot be checked: the PSP does not answer',
}

const check = operationCommand('checkTerminal', {
  args: { id: ACCOUNT, terminal: TERMINAL },
  show: ({ id, result, message }) => [`Terminal ${id} ${SAYS[result]}.`, message],
  succeeds: ({ result }) => result === 'on' || result === 'unknown',
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
  show: (answer, view) => [showTerminals(answer, view), '', LIVE_SOON],
})

/** `hub pos terminals`, beside `pos routes`. */
export const posTerminals = operationCommand('listPosTerminals', { args: { id: POS }, show: showTerminals })

function showTerminals({ pos, terminals }: PosTerminals, view: View): Lines {
  const isLost = terminals.length > 0 && !terminals.some(({ isDefault }) => isDefault)
  return [
    view.list(`Point of sale ${pos} has no terminals.`, terminals, [
      'id',
      'name',
      'account',
      ['', ({ isDefault }) => (isDefault ? 'default' : '')],
      ['state', ({ isOn }) => stateIn(isOn)],
    ]),
    isLost && 'None is its default: terminal assign POS TERMINAL --default',
  ]
}

export const terminal = group('card terminals', 'list shop-mollie', { list, add, assign, remove, check })
