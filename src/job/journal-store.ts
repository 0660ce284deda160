import { stampAfter } from '../contract/timestamp.ts'
import { UnreadableError } from '../platform/stored.ts'
import { evolve } from './core/evolve.ts'
import type { Fact, Personal } from './core/facts.ts'
import {
  type ReadEntry,
  type StoredEntry,
  fold,
  isRowSure,
  keyOf,
  readEntry,
  versionOf,
} from './core/journal.ts'
import { log } from '../platform/log.ts'
import { findInstruction } from './core/instructions.ts'
import type { Payment } from './core/payment.ts'
import { accountOf } from './core/row.ts'
import { type State, findPayment } from './core/state.ts'
import { surplusOf, paidOf } from './core/money.ts'
import { signedOnly } from './core/signed-not-shown.ts'

/** The range of the entries' keys: digits. All other keys of an object begin with letters. */
const ENTRIES = { start: '0', end: ':' }

/** The keys of facts that wait for a journal to be readable, and the most of one job. */
export const ASIDE = { prefix: 'aside ' }
const MOST_ASIDE = 100

/** The members that an entry may have besides its facts. */
export type Besides = Pick<StoredEntry, 'by' | 'personal'>

/** Opens an object's journal, and keeps the state in memory. Calls `changed` after each write. */
export function journalOf(
  { id, storage: { kv } }: DurableObjectState,
  changed: (before: State | null, after: State) => void,
) {
  const what = `the journal of job ${id.name}`
  /** Undefined until it is read. A create looks four times whether there is a job, and reads once. */
  let state: State | null | undefined
  let isSure = true

  /**
   * Reads all entries. Throws an `UnreadableError` for an entry of a later release, and for a lost one,
   * so that this release appends nothing after it.
   */
  function entries(): ReadEntry[] {
    return Array.from(kv.list(ENTRIES), ([key, stored], before) => {
      const number = before + 1
      if (key !== keyOf(number))
        throw new UnreadableError(what, { is: 'broken', detail: `lacks entry ${number}` })
      const entry = readEntry(number, stored)
      if (!entry.ok) throw new UnreadableError(what, { is: 'newer', ...entry.error })
      return entry.value
    })
  }

  /** Returns the state; null without a job. Writes nothing. */
  function read(): State | null {
    if (state !== undefined) return state
    const all = entries()
    state = fold(all)
    isSure = state === null || isRowSure(all, state)
    return state
  }

  /**
   * Appends facts at `now` (ms, by the job's clock). The times of a job's entries strictly increase.
   * Throws, and stores nothing, if it could not read the entry again.
   */
  function append(facts: readonly Fact[], now: number, besides: Besides): State {
    const before = read()
    const number = (before?.entry.number ?? 0) + 1
    const newest = before ? Math.max(before.entry.at, before.updated) : 0
    const at = stampAfter(newest, now)
    const stored = { version: versionOf(facts), at, facts: [...facts], ...besides }
    const entry = readEntry(number, stored)
    if (!entry.ok) throw new Error(entry.error.detail)
    const after = evolve(before, entry.value)
    kv.put(keyOf(number), stored satisfies StoredEntry)
    state = after
    changed(before, after)
    logMoney(before, after)
    return after
  }

  /**
   * Keeps a fact next to a journal that this release cannot read, in the form of an entry. Returns
   * false if there are too many already.
   */
  function setAside(fact: Fact): boolean {
    const count = Array.from(kv.list(ASIDE)).length
    if (count >= MOST_ASIDE) return false
    const facts = [fact]
    const stored = { version: versionOf(facts), at: stampAfter(0, Date.now()), facts } satisfies StoredEntry
    kv.put(`${ASIDE.prefix}${keyOf(count)}`, stored)
    return true
  }

  /** Hands over the facts that were set aside, and deletes each that `take` took. */
  function takeAside(take: (fact: Fact) => boolean): void {
    for (const [key, stored] of Array.from(kv.list(ASIDE))) {
      const entry = readEntry(0, stored)
      if (entry.ok && entry.value.facts.every(take)) kv.delete(key)
    }
  }

  /** Erases the personal data of the first entry, in one write. Nothing else rewrites entries. */
  function erase(): void {
    const [first] = entries()
    if (!first?.personal) return
    const { number, personal: _, ...kept } = first
    kv.put(keyOf(number), { ...kept, facts: [...kept.facts] } satisfies StoredEntry)
    state = state && { ...state, order: { ...state.order, ipAddress: '' } }
  }

  return {
    entries,
    read,
    append,
    /** Returns whether the journal, as it was read, says which row the index has. */
    beganSure: (): boolean => isSure,
    /** Returns the customer's personal data; null once it is erased. */
    personal: (): Personal | null => entries()[0]?.personal ?? null,
    erase,
    setAside,
    takeAside,
    /** Forgets the state, because the object deletes or restores what it stores. */
    forget: (): void => void (state = undefined),
  }
}

function logMoney(before: State | null, after: State): void {
  const about = { job: after.id, pos: after.pos, account: accountOf(after) }
  const paid = paidOf(after)
  if (surplusOf(after) > 0 && paid > (before ? paidOf(before) : 0)) log.warn('payment.overpaid', about)
  if (after.late && !before?.late) log.warn('payment.late', about)
  const signed = signedOnly(after)
  if (signed && !(before && signedOnly(before)))
    log.warn('payment.signed-not-shown', { ...about, account: signed.account, payment: signed.other })
  for (const one of after.instructions) {
    const isNew = one.state === 'failed' && (before && findInstruction(before, one.id))?.state !== 'failed'
    const { account, kind, error } = one
    if (isNew) log.warn('psp.instruction-refused', { ...about, account, kind, message: error ?? '' })
  }
  const known = (payment: Payment) => (before ? findPayment(before, payment) : undefined)
  for (const payment of after.payments)
    if (payment.lost > (known(payment)?.lost ?? 0))
      log.warn('payment.cancelled-after-paid', { ...about, account: payment.account })
  for (const payment of after.payments.slice(1))
    if (payment.paid > (known(payment)?.paid ?? 0))
      log.warn('payment.at-other-account', { ...about, account: payment.account })
}
