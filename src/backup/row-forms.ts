import * as v from 'valibot'
import { ACCOUNT_ID } from '../contract/ids.ts'
import type { RegistryRow } from '../contract/backup.ts'
import { Finding } from '../contract/books.ts'
import { Right } from '../contract/key-limits.ts'
import { NewOperatorToken, storedTokenName } from '../contract/operators.ts'
import { alertHours } from '../contract/account-terminals.ts'
import { NewPaymentRoute } from '../contract/points-of-sale.ts'
import { terminalId } from '../contract/terminals.ts'
import { Integer, Mode, SignedInteger, dialect, storedName, text, sentCurrency } from '../contract/values.ts'

/*
 * The rows that operations write to D1, by the names of the columns. They are checked, because anyone may
 * have written a backup.
 */

const Time = v.pipe(Integer, v.minValue(Date.UTC(2000)), v.maxValue(Date.UTC(2100)))
const Past = v.pipe(
  Time,
  v.check((at) => at <= Date.now(), 'must not be in the future'),
)
const Flag = v.picklist([0, 1])
const Hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const Pos = v.pipe(v.string(), v.regex(/^[0-9a-f-]{32,36}$/))
const Account = v.pipe(v.string(), v.regex(ACCOUNT_ID))
const Month = v.pipe(v.string(), v.regex(/^\d{4}-(0[1-9]|1[0-2])$/))
const Name = v.pipe(text(200), v.nonEmpty())
const maybe = v.nullable

const FORMS: Readonly<Record<string, v.GenericSchema>> = {
  points_of_sale: v.strictObject({
    id: Pos,
    name: storedName,
    mode: Mode,
    sign_return: Flag,
    signing_version: Integer,
    created_at: Past,
    disabled_at: maybe(Past),
    tokens_since: maybe(Time),
    secret_made_at: maybe(Past),
    former_secret_until: maybe(Time),
    dialect,
    refund_limits: v.optional(maybe(v.pipe(v.string(), v.parseJson(), v.record(sentCurrency, Integer)))),
  }),
  api_keys: v.strictObject({
    hash: Hash,
    pos: Pos,
    created_at: Past,
    revoked_at: maybe(Past),
    // Rows of release 1.1 lack these.
    expires_at: v.optional(maybe(Time)),
    can: v.optional(maybe(v.pipe(v.string(), v.parseJson(), v.array(Right)))),
  }),
  psp_accounts: v.strictObject({
    id: Account,
    psp: Account,
    mode: Mode,
    sealed: v.string(),
    currencies: maybe(v.pipe(v.string(), v.regex(/^\["[A-Z]{3}"(,"[A-Z]{3}")*\]$/))),
    created_at: Past,
    unrouted_at: maybe(Past),
  }),
  routes: v.strictObject({
    pos: Pos,
    payment_method: NewPaymentRoute.entries.paymentMethod,
    position: v.pipe(Integer, v.maxValue(3)),
    account: Account,
  }),
  terminals: v.strictObject({
    id: terminalId,
    account: Account,
    // Up to 1.1 also whatever the PSP called it.
    name: v.string(),
    alert_hours: maybe(alertHours),
    created_at: Past,
  }),
  pos_terminals: v.strictObject({ pos: Pos, terminal: terminalId, is_default: Flag }),
  refund_pins: v.strictObject({
    pos: Pos,
    hash: Hash,
    made_at: Past,
    wrong: Integer,
    locked_until: Integer,
  }),
  operator_tokens: v.strictObject({
    hash: Hash,
    id: Pos,
    name: storedTokenName,
    role: NewOperatorToken.entries.role,
    created_at: Past,
    created_by: Name,
    revoked_at: maybe(Past),
    used_at: maybe(Past),
    expires_at: v.optional(maybe(Time)),
  }),
  purges: v.strictObject({ day: v.pipe(v.string(), v.isoDate()), objects: Integer, rows: Integer }),
  closed_months: v.strictObject({
    month: Month,
    closed_at: Past,
    closed_by: Name,
    note: v.string(),
    mode: v.optional(Mode),
  }),
  payouts: v.strictObject({
    account: Account,
    id: v.string(),
    currency: v.string(),
    amount: SignedInteger,
    paid_at: Time,
    month: Month,
    is_whole: Flag,
    mode: v.optional(Mode),
    returned_at: v.optional(maybe(Time)),
  }),
  payout_lines: v.strictObject({
    account: Account,
    payout: v.string(),
    line: Integer,
    kind: v.picklist(['payment', 'refund', 'chargeback', 'reversal', 'fee', 'correction']),
    at: Time,
    job: maybe(v.string()),
    reference: maybe(v.string()),
    order_number: maybe(v.string()),
    gross: SignedInteger,
    fee: SignedInteger,
    text: v.string(),
    finding: maybe(Finding),
  }),
}

/** Returns the column that no operation would have written like this, and why; null if there is none. */
export function unfitColumn({ table, row }: RegistryRow): { column: string; why: string } | null {
  const form = FORMS[table]
  if (!form) return { column: table, why: 'is a table that this release does not know' }
  const { issues } = v.safeParse(form, row)
  const [issue] = issues ?? []
  return issue ? { column: `${table}.${v.getDotPath(issue) ?? ''}`, why: issue.message } : null
}
