import * as v from 'valibot'
import { AccountRemoved } from './accounts.ts'
import { type Operations, CHANGE, done, LOOK } from './operation.ts'
import { terminalId } from './terminals.ts'
import { flag, MUST_BE_TEXT, operatorName } from './values.ts'
import { members } from './body-members.ts'

/** Hours of every day, in the hub's time zone; they may end after midnight, as a bar's do. */
export const alertHours = v.pipe(
  v.string(MUST_BE_TEXT),
  v.regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/, 'must be a time range such as 09:00-18:00'),
  v.description('The hours in which you get an alert while it is off.'),
  v.examples(['09:00-18:00']),
)

const terminal = v.pipe(terminalId, v.description("The terminal: the PSP's own id of it."))

/** The body of `POST /accounts/{id}/terminals`. Without `alertHours` (null) no alert comes. */
export const NewTerminal = members({
  terminal,
  name: v.exactOptional(
    v.pipe(
      operatorName,
      v.description('What cashiers read; without it the name that it has, or that of the PSP.'),
    ),
  ),
  alertHours: v.exactOptional(v.nullable(alertHours)),
})

export const TerminalAssignment = members({
  terminal,
  isAssigned: v.optional(flag('The point of sale may use it.'), true),
  isDefault: v.optional(flag('Orders for the terminal `default` go there.'), false),
})

/**
 * A terminal of an account. `isAdded`: by an operator. `isListed`: the PSP lists it. Both `isListed`
 * and `isOn` are null if the hub does not know. `pointsOfSale` may use it.
 */
export const AccountTerminal = v.object({
  id: v.string(),
  account: v.string(),
  name: v.string(),
  isAdded: v.boolean(),
  isListed: v.nullable(v.boolean()),
  isOn: v.nullable(v.boolean()),
  alertHours: v.nullable(v.string()),
  pointsOfSale: v.array(v.object({ id: v.string(), name: v.string() })),
})
export type AccountTerminal = v.InferOutput<typeof AccountTerminal>

/** The answer of `GET /terminals`: the terminals that operators added. The hub asks no PSP. */
export const AddedTerminals = v.object({ terminals: v.array(AccountTerminal) })

/**
 * The answer of `GET /accounts/{id}/terminals`: the terminals that operators added, and the others that
 * the PSP lists. `result`: the PSP's answer; `none` if the hub drives no terminals at this account.
 * `setUp` says how to set up terminals at the PSP.
 */
export const AccountTerminals = v.object({
  result: v.picklist(['listed', 'refused', 'unavailable', 'none']),
  message: v.nullable(v.string()),
  setUp: v.nullable(v.string()),
  terminals: v.array(AccountTerminal),
})
export type AccountTerminals = v.InferOutput<typeof AccountTerminals>

/** The answer of `GET` and `POST /pos/{id}/terminals`, sorted by name. */
export const PosTerminals = v.object({
  pos: v.string(),
  terminals: v.array(
    v.object({
      ...v.pick(AccountTerminal, ['id', 'name', 'account', 'isOn']).entries,
      isDefault: v.boolean(),
    }),
  ),
})
export type PosTerminals = v.InferOutput<typeof PosTerminals>

const OF_ACCOUNT = '/operator/v1/accounts/:id/terminals'
const OF_POS = '/operator/v1/pos/:id/terminals'

export const TERMINAL_OPERATIONS = {
  listAddedTerminals: {
    ...LOOK,
    path: '/operator/v1/terminals',
    summary: 'List the terminals that operators added, of all accounts',
    answer: done(AddedTerminals),
  },
  listAccountTerminals: {
    ...LOOK,
    path: OF_ACCOUNT,
    summary: 'List the terminals of an account, and whether they are on',
    description: 'The hub asks the PSP, and remembers the answer for ten seconds.',
    answer: done(AccountTerminals),
    problems: ['account-not-found'],
  },
  addTerminal: {
    ...CHANGE,
    path: OF_ACCOUNT,
    audit: { action: 'terminal.add', keeps: ['terminal', 'name', 'alertHours'] },
    summary: 'Add a terminal of an account, or rename it',
    description:
      'You can then assign it to a point of sale. The hub refuses a terminal that the PSP does not list.',
    body: NewTerminal,
    answer: done(AccountTerminal, 'The terminal is added or renamed.'),
    problems: ['account-conflict', 'account-not-found'],
  },
  removeTerminal: {
    ...CHANGE,
    path: `${OF_ACCOUNT}/:terminal/remove`,
    isFinal: true,
    audit: { action: 'terminal.remove' },
    summary: 'Remove a terminal',
    description: 'It stays at the PSP, and its payments stay. Not possible while a point of sale may use it.',
    answer: done(AccountRemoved, 'The terminal is removed.'),
    problems: ['account-conflict', 'terminal-not-found'],
  },
  listPosTerminals: {
    ...LOOK,
    path: OF_POS,
    summary: 'List the terminals of a point of sale, and whether they are on',
    answer: done(PosTerminals),
    problems: ['pos-not-found'],
  },
  assignTerminal: {
    ...CHANGE,
    path: OF_POS,
    audit: { action: 'terminal.assign', keeps: ['terminal', 'isAssigned', 'isDefault'] },
    summary: 'Assign a terminal to a point of sale, or take it away',
    description:
      'Takes effect within two minutes. The first one becomes its default: orders for the terminal `default` go there.',
    body: TerminalAssignment,
    answer: done(PosTerminals, 'The terminals are changed.'),
    problems: ['pos-not-found'],
  },
} as const satisfies Operations
