import { fetchPage, fetchSandbox, isPlace, whyForeign } from '../books/fetch-payouts.ts'
import { matchLines } from '../books/match-lines.ts'
import { postingsOf } from '../books/matching.ts'
import { openPayments } from '../books/open-payments.ts'
import {
  type BookedOn,
  type SummedPayout,
  linesOf,
  linesOfJob,
  payoutsWith,
  storeFetched,
  sumsOfMonth,
} from '../books/store.ts'
import { type Month, closingOf, removeClosing, storeClosing, unexplainedIn } from '../books/months.ts'
import { storePart } from '../books/store-part.ts'
import type { BookedPayout, BooksMonth } from '../contract/books.ts'
import { formatAmount, signedAmount } from '../contract/money.ts'
import { usualMode } from '../contract/points-of-sale.ts'
import { refuse } from '../contract/result.ts'
import { DAY, formatMicros, isoTime } from '../contract/timestamp.ts'
import type { Mode } from '../contract/values.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { invalidField } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import { monthSpan } from '../platform/pages/zoned-time.ts'
import { currentOrigin } from '../platform/request-context.ts'
import { connect, findAccount, openAccount } from '../psp/connect.ts'
import { listPointsOfSale } from '../registry/points-of-sale.ts'
import { listAccounts } from '../registry/accounts.ts'
import { SANDBOX_ACCOUNT, unlistedMode } from '../registry/profile.ts'
import { conflict as accountConflict, noAccount } from './accounts.ts'
import { isReferenceAt } from './job-search.ts'
import { type OperatorHandler, changed } from './serve.ts'

/** The most lines on a page, and the most payments in a list. */
const [LINES, OPEN] = [200, 200]

export const fetchPayouts: OperatorHandler<'fetchPayouts'> = async ({ env, params, query, request }) => {
  const { id } = params
  const { after } = query
  if (id === SANDBOX_ACCOUNT.id) {
    const fetched = await fetchSandbox(env, id, Date.now())
    return changed(fetched, { subject: id, after: { payouts: fetched.payouts } })
  }
  if (after !== undefined && !isPlace(after))
    return invalidField('after', 'must be the `next` of the previous page')
  const psp = await openAccount(env, id, new URL(request.url).origin)
  if (!psp) return noAccount(id)
  const fetched = await fetchPage(env, id, psp, after)
  if (!fetched)
    return accountConflict(
      'The hub cannot fetch payouts of this account: import its file, or give the account the key that its PSP wants.',
    )
  if (!fetched.ok) return refuse({ code: 'psp-unavailable', detail: fetched.error.message, retryAfter: 10 })
  return changed(fetched.value, { subject: id, after: { payouts: fetched.value.payouts } })
}

export const importPayout: OperatorHandler<'importPayout'> = async ({ env, params, body }) => {
  const account = params.id
  const found = await findAccount(env, account)
  if (!found) return noAccount(account)
  const psp = await connect(env, found, currentOrigin())
  const { lines: sent, merchant, ...part } = body
  const foreign = whyForeign(psp, { merchant })
  if (foreign !== null) return refuse({ code: 'payout-conflict', detail: `${foreign} Nothing was changed.` })
  // An import does not show whether the PSP has more payouts.
  if (part.from === 1) await storeFetched(env.DB, account, false)
  const lines = await matchLines(env, { ...part, account }, sent, async (reference) =>
    isReferenceAt(found.psp, reference) ? ((await psp.jobOf?.(reference)) ?? null) : null,
  )
  const stored = await storePart(env.DB, { ...part, account, lines })
  if (stored === 'other')
    return refuse({
      code: 'payout-conflict',
      detail: `Payout ${part.id} of ${account} is booked in another currency, or is being imported by another call. Nothing was changed.`,
    })
  const findings = lines.filter(({ finding }) => finding !== null).length
  return changed({ isWhole: stored === 'whole', findings }, { subject: account, after: { payout: part.id } })
}

function represent({
  paidAt,
  returnedAt,
  date: _date,
  isWhole: _isWhole,
  ...payout
}: SummedPayout): BookedPayout {
  const { currency, amount, explained, fees } = payout
  return {
    ...payout,
    paid: isoTime(paidAt),
    amount: signedAmount(amount, currency),
    explained: signedAmount(explained, currency),
    difference: signedAmount(amount - explained, currency),
    fees: signedAmount(fees, currency),
    returned: isoTime(returnedAt),
  }
}

async function monthOf(env: Env, of: Month): Promise<BooksMonth> {
  const [payouts, { closed, laterClosed }] = await Promise.all([
    payoutsWith(env.DB, of),
    closingOf(env.DB, of),
  ])
  return {
    ...of,
    over: isoTime(overAt(of.month, readConfig(env))),
    closed: closed && { at: isoTime(closed.closedAt), by: closed.closedBy, note: closed.note },
    laterClosed,
    payouts: payouts.map(represent),
  }
}

/** Returns when (ms) a month is over both in UTC, by which payouts are booked, and in the hub's time zone. */
function overAt(month: string, { timeZone }: Pick<Config, 'timeZone'>): number {
  return Math.max(...['UTC', timeZone].map((zone) => monthSpan(month, zone).to))
}

async function modeOf(env: Env, asked: Mode | undefined): Promise<Mode> {
  return asked ?? usualMode(await listPointsOfSale(env.DB))
}

export const showMonth: OperatorHandler<'showMonth'> = async ({ env, params, query }) =>
  reply(await monthOf(env, { ...params, mode: await modeOf(env, query.mode) }))

export const showPayout: OperatorHandler<'showPayout'> = async ({ env, params: { id }, query }) => {
  const { account, findings, after = '0' } = query
  if (!/^\d{1,9}$/.test(after)) return invalidField('after', 'must be the `next` of the previous page')
  const found = (await payoutsWith(env.DB, { id })).filter((one) => (account ?? one.account) === one.account)
  const [payout, other] = found
  if (!payout) return refuse({ code: 'payout-not-found', detail: 'There is no payout with this id.' })
  if (other)
    return invalidField(
      'account',
      `is needed: ${payout.account} and other accounts have a payout with this id`,
    )
  const place = { after: Number(after), onlyFindings: findings === '1', limit: LINES }
  const lines = await linesOf(env.DB, payout, place)
  const { currency } = payout
  return reply({
    payout: represent(payout),
    lines: lines.map(({ account: _account, payout: _payout, at, gross, fee, ...line }) => ({
      ...line,
      at: isoTime(at),
      gross: signedAmount(gross, currency),
      fee: signedAmount(fee, currency),
      net: signedAmount(gross - fee, currency),
    })),
    next: lines.length === LINES ? String(lines.at(-1)?.line) : null,
  })
}

export const listPayoutsOfJob: OperatorHandler<'listPayoutsOfJob'> = async ({ env, params: { id } }) => {
  const lines = await linesOfJob(env.DB, id)
  return reply({
    lines: lines.map(({ payout, account, paidAt, currency, kind, gross, fee }) => ({
      payout,
      account,
      paid: isoTime(paidAt),
      currency,
      kind,
      gross: signedAmount(gross, currency),
      fee: signedAmount(fee, currency),
    })),
  })
}

export const listOpenPayments: OperatorHandler<'listOpenPayments'> = async ({ env, query }) => {
  const { account } = query
  const of = account === undefined ? null : await findAccount(env, account)
  const mode = await modeOf(env, query.mode ?? of?.mode)
  const isOfOther = of !== null && of.mode !== mode
  const before = Date.now() - query.days * DAY
  const open = isOfOther
    ? []
    : await openPayments(env, account === undefined ? await isOfMode(env, mode) : { account }, before, OPEN)
  return reply({
    mode,
    jobs: open.slice(0, OPEN).map((row) => ({
      id: row.id,
      created: formatMicros(row.created),
      account: row.account,
      orderNumber: row.orderNumber,
      currency: row.currency,
      paid: formatAmount(row.paid, row.currency),
      status: row.status,
      unapplied: formatAmount(row.unapplied, row.currency),
    })),
    more: open.length > OPEN,
  })
}

/** Wants the accounts of a mode, whether or not they have ever paid out, and those that were removed. */
async function isOfMode(env: Env, mode: Mode) {
  const modes = new Map((await listAccounts(env.DB)).map((one) => [one.id, one.mode]))
  return { isWanted: (account: string) => (modes.get(account) ?? unlistedMode(account)) === mode }
}

export const closeMonth: OperatorHandler<'closeMonth'> = async ({ env, params, body }, operator) => {
  const { month } = params
  const config = readConfig(env)
  const over = overAt(month, config)
  if (Date.now() < over) {
    const zones = new Set(['UTC', config.timeZone])
    return refuse({
      code: 'month-not-over',
      detail: `${month} can be closed from ${isoTime(over)} on, when it is over in the time zone ${[...zones].join(' and in ')}.`,
    })
  }
  const of = { month, mode: await modeOf(env, body.mode) }
  const note = body.note.trim()
  const unexplained = await unexplainedIn(env.DB, of)
  if (unexplained.length > 0 && note === '')
    return refuse({
      code: 'books-unexplained',
      detail: `These payouts are not fully explained: ${unexplained.map(({ id }) => id).join(', ')}. Say why in a note.`,
    })
  await storeClosing(env.DB, { ...of, closedAt: Date.now(), closedBy: operator.name, note }, unexplained)
  const closed = await monthOf(env, of)
  if (!closed.closed)
    return conflict(`Another payout of ${month} arrived meanwhile: look at the month again.`)
  return changed(closed, {
    subject: month,
    after: { mode: of.mode, payouts: closed.payouts.length, unexplained: unexplained.length },
  })
}

function conflict(detail: string) {
  return refuse({ code: 'month-conflict', detail })
}

export const reopenMonth: OperatorHandler<'reopenMonth'> = async ({ env, params: { month }, body }) => {
  const of = { month, mode: await modeOf(env, body.mode) }
  const { closed } = await closingOf(env.DB, of)
  await removeClosing(env.DB, of)
  const reopened = await monthOf(env, of)
  if (reopened.closed) return conflict(`${reopened.laterClosed} is closed too: reopen that one first.`)
  return changed(reopened, {
    subject: month,
    before: closed && { closedAt: isoTime(closed.closedAt), closedBy: closed.closedBy },
    after: { mode: of.mode },
  })
}

export const showDoubleEntry: OperatorHandler<'showDoubleEntry'> = async ({ env, params, query }) => {
  const of = { ...params, mode: await modeOf(env, query.mode) }
  const [payouts, sums] = await Promise.all([payoutsWith(env.DB, of), sumsOfMonth(env.DB, of)])
  const keyOf = ({ date, account, currency, corrects }: BookedOn & { account: string; currency: string }) =>
    [date, account, currency, corrects ?? ''].join(' ')
  const byJournal = Map.groupBy(payouts, keyOf)
  return reply({
    ...of,
    journals: Array.from(byJournal, ([key, paid]) => {
      const [date = '', account = '', currency = '', corrects = ''] = key.split(' ')
      const own = sums.filter((sum) => keyOf(sum) === key)
      const amount = paid.reduce((sum, one) => sum + one.amount, 0)
      return {
        date,
        account,
        currency,
        corrects: corrects || null,
        payouts: paid.map(({ id }) => id),
        postings: postingsOf(amount, own).map(({ post, amount: posted }) => ({
          post,
          amount: signedAmount(posted, currency),
        })),
      }
    }),
  })
}
