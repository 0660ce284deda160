import * as v from 'valibot'
import { type Operations, CHANGE, done, LOOK } from './operation.ts'
import { terminalId } from './terminals.ts'
import { members, MUST_BE_FLAG, MUST_BE_TEXT, operatorName } from './values.ts'

/** Hours of every day, in the hub's time zone; those of a bar may end after midnight. */
export const alertHours = v.pipe(
  v.string(MUST_BE_TEXT),
  v.regex(
    /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/,
    'must be the times from when until when, such as 09:00-18:00',
  ),
)

/**
 * The body of `POST /accounts/{id}/terminals`. `name`: by default that of the PSP, or the one it has.
 * `alertHours`: the hours in which the operator wants an alert while it is off; null for none.
 */
export const NewTerminal = members({
  terminal: terminalId,
  name: v.exactOptional(operatorName),
  alertHours: v.exactOptional(v.nullable(alertHours)),
})

/** The body of `POST /pos/{id}/terminals`. `isAssigned` false takes the terminal away. */
export const TerminalAssignment = members({
  terminal: terminalId,
  isAssigned: v.optional(v.boolean(MUST_BE_FLAG), true),
  isDefault: v.optional(v.boolean(MUST_BE_FLAG), false),
})

const isOn = v.nullable(v.boolean())

/**
 * A terminal of an account. `isKept`: an operator has added it. `isListed` says whether the PSP lists it,
 * and `isOn` whether it is on; null where the PSP does not say. `pointsOfSale` may use it.
 */
export const AccountTerminal = v.object({
  id: v.string(),
  name: v.string(),
  isKept: v.boolean(),
  isListed: v.nullable(v.boolean()),
  isOn,
  alertHours: v.nullable(v.string()),
  pointsOfSale: v.array(v.object({ id: v.string(), name: v.string() })),
})
export type AccountTerminal = v.InferOutput<typeof AccountTerminal>

/**
 * The answer of `GET /accounts/{id}/terminals`: those that the PSP lists, and those that an operator has
 * added. `result`: what the PSP answered; `none` where the hub drives no terminals by this account.
 * `setUp` says how to set terminals up at the PSP.
 */
export const AccountTerminals = v.object({
  account: v.string(),
  result: v.picklist(['listed', 'refused', 'unavailable', 'none']),
  message: v.nullable(v.string()),
  setUp: v.nullable(v.string()),
  terminals: v.array(AccountTerminal),
})
export type AccountTerminals = v.InferOutput<typeof AccountTerminals>

/** The answer of `GET /terminals`: those that operators have added, of all accounts. No PSP is asked. */
export const KeptTerminals = v.object({
  terminals: v.array(
    v.object({
      account: v.string(),
      ...v.pick(AccountTerminal, ['id', 'name', 'alertHours', 'pointsOfSale']).entries,
    }),
  ),
})
export type KeptTerminals = v.InferOutput<typeof KeptTerminals>

export const TerminalRemoved = v.object({ id: v.string(), removed: v.literal(true) })

/** The answer of a check. `missing`: the PSP does not list it. `unknown`: the PSP does not say. */
export const TerminalChecked = v.object({
  id: v.string(),
  account: v.string(),
  result: v.picklist(['on', 'off', 'unknown', 'missing', 'refused', 'unavailable', 'none']),
  message: v.nullable(v.string()),
})
export type TerminalChecked = v.InferOutput<typeof TerminalChecked>

/** The answer of `GET` and `POST /pos/{id}/terminals`, in the order of their names. */
export const PosTerminals = v.object({
  pos: v.string(),
  terminals: v.array(
    v.object({
      ...v.pick(AccountTerminal, ['id', 'name', 'isOn']).entries,
      account: v.string(),
      isDefault: v.boolean(),
    }),
  ),
})
export type PosTerminals = v.InferOutput<typeof PosTerminals>

const OF_ACCOUNT = '/operator/v1/accounts/:id/terminals'
const OF_POS = '/operator/v1/pos/:id/terminals'

/** The operations on card terminals, and on who may use them. */
export const TERMINAL_OPERATIONS = {
  listKeptTerminals: {
    ...LOOK,
    path: '/operator/v1/terminals',
    summary: 'List the terminals that were added, of all accounts',
    answer: done(KeptTerminals),
  },
  listAccountTerminals: {
    ...LOOK,
    path: OF_ACCOUNT,
    summary: 'List the terminals of an account',
    description: 'The hub asks the PSP, and remembers the answer for ten seconds.',
    answer: done(AccountTerminals),
    problems: ['account-not-found'],
  },
  keepTerminal: {
    ...CHANGE,
    path: OF_ACCOUNT,
    audit: { action: 'terminal.add', keeps: ['terminal', 'name', 'alertHours'] },
    summary: 'Add a terminal of an account, or rename it',
    description: 'Then points of sale can be given it. A terminal that the PSP does not list is refused.',
    body: NewTerminal,
    answer: done(AccountTerminal),
    problems: ['account-conflict', 'account-not-found'],
  },
  removeTerminal: {
    ...CHANGE,
    path: `${OF_ACCOUNT}/:terminal/remove`,
    audit: { action: 'terminal.remove' },
    summary: 'Remove a terminal',
    description: 'Not while a point of sale may use it. Its payments stay.',
    answer: done(TerminalRemoved),
    problems: ['account-conflict', 'account-not-found', 'terminal-not-found'],
  },
  checkTerminal: {
    ...CHANGE,
    path: `${OF_ACCOUNT}/:terminal/check`,
    role: 'support',
    audit: { action: 'terminal.check' },
    summary: 'Ask the PSP whether a terminal is on',
    answer: done(TerminalChecked),
    problems: ['account-not-found'],
  },
  listPosTerminals: {
    ...LOOK,
    path: OF_POS,
    summary: 'List the terminals of a point of sale',
    answer: done(PosTerminals),
    problems: ['pos-not-found'],
  },
  assignTerminal: {
    ...CHANGE,
    path: OF_POS,
    audit: { action: 'terminal.assign', keeps: ['terminal', 'isAssigned', 'isDefault'] },
    summary: 'Let a point of sale use a terminal, or no longer',
    description:
      'Live within two minutes. The first one is its default: orders for the terminal `default` go there.',
    body: TerminalAssignment,
    answer: done(PosTerminals),
    problems: ['pos-not-found'],
  },
} as const satisfies Operations
