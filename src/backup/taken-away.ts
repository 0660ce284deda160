import * as v from 'valibot'
import type { TakenAway } from '../audit/audit-log.ts'
import type { RegistryRow } from '../contract/backup.ts'
import type { AuditAction } from '../contract/operator-operations.ts'
import { refundLimits } from '../contract/points-of-sale.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { dialect } from '../contract/values.ts'

export type Row = RegistryRow['row']

/** What a change needs in addition to the rows: those that the backup has, and what earlier changes left. */
export type Known = {
  given: readonly RegistryRow[]
  /** A fingerprint of the credentials of each account in the backup; null if the hub cannot open them. */
  credentials: ReadonlyMap<string, string | null>
  /** When the newest API key of a point of sale was made. */
  keyMade: Map<string, number>
}

/** Makes a change of the audit log again, in rows of a backup. */
export type Again = (rows: RegistryRow[], change: TakenAway, known: Known) => RegistryRow[]

/** Changes the rows of a table that fit; null takes them away. */
export function edit(
  rows: readonly RegistryRow[],
  table: string,
  fits: (row: Row) => boolean,
  to: ((row: Row) => Row) | null,
): RegistryRow[] {
  return rows.flatMap((one) => {
    if (one.table !== table || !fits(one.row)) return [one]
    return to === null ? [] : [{ table, row: { ...one.row, ...to(one.row) } }]
  })
}

/** Reads what the log says of a change; null for another form, which no release wrote. */
function saysOf<Entries extends v.ObjectEntries>({ after }: TakenAway, entries: Entries) {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), v.object(entries)), after)
  return read.success ? read.output : null
}

function hasId(subject: string) {
  return ({ id }: Row) => id === subject
}

function isBefore(row: Row, at: number, column = 'created_at'): boolean {
  return Number(row[column]) < at
}

function endTokens(rows: RegistryRow[], { subject, at }: TakenAway): RegistryRow[] {
  return edit(rows, 'points_of_sale', hasId(subject), (row) => ({
    tokens_since: Math.max(Number(row['tokens_since'] ?? 0), at),
  }))
}

/** Adds rows if the backup has a row of the table that fits: the others come from requests of their own. */
function added(
  rows: RegistryRow[],
  table: string,
  more: readonly Row[],
  known: Known,
  fits: (row: Row) => boolean,
) {
  const isGiven = known.given.some((one) => one.table === table && fits(one.row))
  return isGiven ? [...rows, ...more.map((row) => ({ table, row }))] : rows
}

const noteKey: Again = (rows, { subject, at }, { keyMade }) => {
  keyMade.set(subject, at)
  return rows
}

/** A change after which the registry says the same of what it had before. */
const NOTHING = null

/** The changes that are not of jobs, of the hub as a whole, or of what leaves it. */
type RegistryAction = Exclude<
  AuditAction,
  `${'job' | 'report' | 'index' | 'alert' | 'export' | 'backup' | 'restore'}.${string}`
>

/**
 * What each change of an operator means for rows of a backup that may be older than it. Nothing that was taken away,
 * moved, limited or ended comes back.
 */
export const AGAIN = {
  'pos.create': noteKey,
  'pos.rekey': noteKey,
  'pos.update': (rows, change) => {
    const says = saysOf(change, {
      name: v.string(),
      signReturn: v.boolean(),
      dialect: v.optional(dialect, 'v2'),
      refundLimits: v.optional(refundLimits, []),
    })
    if (!says) return rows
    const refund_limits = says.refundLimits && JSON.stringify(says.refundLimits)
    const now = {
      name: says.name,
      sign_return: Number(says.signReturn),
      dialect: says.dialect,
      refund_limits,
    }
    return edit(rows, 'points_of_sale', hasId(change.subject), () => now)
  },
  'pos.revoke': (rows, change, { keyMade }) => {
    // The log records a key a little later than the key's own time of creation.
    const older = (keyMade.get(change.subject) ?? 0) - MINUTE
    const isOld = (row: Row) =>
      row['pos'] === change.subject && row['revoked_at'] === null && isBefore(row, older)
    return endTokens(
      edit(rows, 'api_keys', isOld, () => ({ revoked_at: change.at })),
      change,
    )
  },
  'pos.disable': (rows, change) =>
    endTokens(
      edit(rows, 'points_of_sale', hasId(change.subject), () => ({ disabled_at: change.at })),
      change,
    ),
  'pos.enable': (rows, { subject }) =>
    edit(rows, 'points_of_sale', hasId(subject), () => ({ disabled_at: null })),
  'pos.resecret': (rows, change) => {
    const says = saysOf(change, { version: v.number(), formerUntil: v.nullish(v.string()) })
    if (!says) return rows
    const { version, formerUntil } = says
    const isOld = (row: Row) => row['id'] === change.subject && Number(row['signing_version']) < version
    return edit(rows, 'points_of_sale', isOld, () => ({
      signing_version: version,
      secret_made_at: change.at,
      former_secret_until: formerUntil ? Date.parse(formerUntil) : null,
    }))
  },
  // The log has no PIN. A shop whose PIN was replaced has none until the operator sets one.
  'pos.refund-pin': (rows, change) => {
    const { set } = saysOf(change, { set: v.nullable(v.string()) }) ?? { set: null }
    const since = set === null ? change.at : Date.parse(set)
    const isOld = (row: Row) => row['pos'] === change.subject && isBefore(row, since, 'made_at')
    return edit(rows, 'refund_pins', isOld, null)
  },
  'pos.route': (rows, change, known) => {
    const says = saysOf(change, { paymentMethod: v.string(), accounts: v.array(v.string()) })
    if (!says) return rows
    const [of, payment_method] = [change.subject, says.paymentMethod]
    const isOld = (row: Row) => row['pos'] === of && row['payment_method'] === payment_method
    const more = says.accounts.map((account, position) => ({ pos: of, payment_method, position, account }))
    return added(edit(rows, 'routes', isOld, null), 'routes', more, known, ({ pos }) => pos === of)
  },
  'psp.currencies': (rows, change) => {
    const says = saysOf(change, { currencies: v.nullable(v.array(v.string())) })
    if (!says) return rows
    const currencies = says.currencies && JSON.stringify(says.currencies)
    return edit(rows, 'psp_accounts', hasId(change.subject), () => ({ currencies }))
  },
  'psp.rekey': (rows, change, { given, credentials }) => {
    const isOld = (row: Row) => row['id'] === change.subject && isBefore(row, change.at)
    const isSame =
      saysOf(change, { credentials: v.string() })?.credentials === credentials.get(change.subject)
    const sealed = given.find(({ table, row }) => table === 'psp_accounts' && isOld(row))?.row['sealed'] ?? ''
    return edit(rows, 'psp_accounts', isOld, () => ({ sealed: isSame ? sealed : '' }))
  },
  'psp.remove': (rows, { subject, at }) => {
    const isIts = (row: Row) => row['account'] === subject && !(Number(row['created_at']) >= at)
    const gone = edit(rows, 'psp_accounts', (row) => row['id'] === subject && isBefore(row, at), null)
    return edit(edit(gone, 'routes', isIts, null), 'terminals', isIts, null)
  },
  'terminal.add': (rows, change, known) => {
    const says = saysOf(change, { terminal: v.string(), name: v.string(), alertHours: v.nullish(v.string()) })
    if (!says) return rows
    const isIt = hasId(says.terminal)
    const found = { account: change.subject, name: says.name, alert_hours: says.alertHours ?? null }
    if (rows.some(({ table, row }) => table === 'terminals' && isIt(row)))
      return edit(rows, 'terminals', isIt, () => found)
    return added(rows, 'terminals', [{ id: says.terminal, ...found, created_at: change.at }], known, isIt)
  },
  'terminal.remove': (rows, change) => {
    const says = saysOf(change, { terminal: v.string() })
    return edit(rows, 'terminals', (row) => row['id'] === says?.terminal && isBefore(row, change.at), null)
  },
  'terminal.assign': (rows, change, known) => {
    const says = saysOf(change, { terminal: v.string(), isAssigned: v.boolean(), isDefault: v.boolean() })
    if (!says) return rows
    const { terminal, isAssigned, isDefault } = says
    const isOfPos = ({ pos }: Row) => pos === change.subject
    const others = edit(rows, 'pos_terminals', (row) => isOfPos(row) && row['terminal'] === terminal, null)
    if (!isAssigned) return others
    const freed = isDefault ? edit(others, 'pos_terminals', isOfPos, () => ({ is_default: 0 })) : others
    const row = { pos: change.subject, terminal, is_default: Number(isDefault) }
    return added(freed, 'pos_terminals', [row], known, isOfPos)
  },
  'token.revoke': (rows, { subject, at }) =>
    edit(
      rows,
      'operator_tokens',
      (row) => row['id'] === subject && row['revoked_at'] === null,
      () => ({ revoked_at: at }),
    ),
  'books.reopen': (rows, change) => {
    const mode = saysOf(change, { mode: v.string() })?.mode ?? 'live'
    const isOfMode = (row: Row) => (row['mode'] ?? mode) === mode
    const isClosing = (row: Row) => row['month'] === change.subject && isBefore(row, change.at, 'closed_at')
    // What was booked later because the month was closed moves back into it.
    const isLater = (row: Row) =>
      String(row['month']) > change.subject &&
      new Date(Number(row['paid_at'])).toISOString().slice(0, 7) <= change.subject
    const open = edit(rows, 'closed_months', (row) => isOfMode(row) && isClosing(row), null)
    return edit(
      open,
      'payouts',
      (row) => isOfMode(row) && isLater(row),
      () => ({ month: change.subject }),
    )
  },
  'psp.add': NOTHING,
  'psp.check': NOTHING,
  'psp.announce': NOTHING,
  // Credentials that are sealed anew stay the same.
  'keys.rotate': NOTHING,
  'token.create': NOTHING,
  // A restore of the registry ends all sessions.
  'session.begin': NOTHING,
  'session.end': NOTHING,
  'session.revoke': NOTHING,
  // Operators fetch the payouts again, and close the months again.
  'books.fetch': NOTHING,
  'books.import': NOTHING,
  'books.close': NOTHING,
} as const satisfies Record<RegistryAction, Again | typeof NOTHING>

/** The changes that may mean something for the rows of a backup. */
export const TAKING = Object.entries<Again | null>(AGAIN).flatMap(([action, again]) =>
  again ? [action] : [],
)
