import { type TerminalWord, terminalWordIn } from '../../contract/terminal-words.ts'
import { MINUTE } from '../../contract/timestamp.ts'
import { type Cause, CAUSES } from '../../contract/causes.ts'
import { heldUntil } from './attempts.ts'
import type { Duty } from './duties.ts'
import { type Finding, type Found, findingOf } from './finding.ts'
import { accountOf, failedTries } from './row.ts'
import { type ReportTry, type State, isPending, untilOf } from './state.ts'
import { isEndUnconfirmed, terminalState } from './terminal.ts'
import { whyMoney, whyReserved } from './why-money.ts'
import { signedOnly } from './signed-not-shown.ts'
import { paidOf } from './money.ts'

/**
 * Returns why a payment stands as it does: the finding that matters most, and the others. For a PENDING
 * payment the main finding says what it waits for. For an ended one a report that is not delivered comes
 * first, then trouble with the money.
 */
export function why(state: State, now: number): { main: Finding; others: Finding[] } {
  const report = whyNotDelivered(state)
  const reports = report ? [report] : []
  const [first, ...rest] = isPending(state)
    ? [whyPending(state, now), ...reports]
    : [...reports, ...whyMoney(state)]
  const others = rest.map((found) => findingOf(state, now, found))
  return { main: findingOf(state, now, first ?? whyEnded(state)), others }
}

/** A question that is late by less than this (ms) may still be under way. */
const GRACE = MINUTE / 2

function whyPending(state: State, now: number): Found {
  const { standing, payments, attempts, order } = state
  const [own] = payments
  const signed = signedOnly(state)
  if (order.terminal && standing.is !== 'authorized' && !signed) return whyAtTerminal(state)
  if (!own) {
    const account = accountOf(state)
    const last = attempts.findLast(
      (one) => one.account === account && one.outcome.is !== 'not-asked',
    )?.outcome
    if (last?.is === 'no-answer' && last.accountRefused) return { cause: 'psp-refuses-credentials' }
    return { cause: heldUntil(state) > now ? 'psp-wants-no-request' : 'psp-silent-at-announcement' }
  }
  if (signed) return { cause: 'signed-not-shown', payment: signed }
  const how = own.asks.unanswered?.how
  if (how === 'refused') return { cause: 'psp-refuses-credentials' }
  if (how === 'unknown') return { cause: 'psp-knows-no-payment' }
  if (how === 'silent' && standing.is !== 'authorized') return { cause: 'psp-silent-at-pulls' }
  if (!how && own.asks.atEnd > 0 && now >= untilOf(state) + GRACE) return { cause: 'psp-end-unknown' }
  if (standing.is === 'underway') return { cause: 'money-underway' }
  if (standing.is === 'authorized') return whyReserved(state, own, now)
  if (paidOf(state) > 0) return { cause: 'part-is-due' }
  const isBack = state.steps.some(({ action }) => action === 'Return')
  return { cause: isBack ? 'customer-came-back' : 'customer-not-back' }
}

/** Returns what a payment at a terminal waits for. In doubt the cashier must not take the money again. */
function whyAtTerminal(state: State): Found {
  const at = terminalState(state)
  if (at === 'starting') return { cause: 'terminal-asked' }
  if (at !== 'unknown') return { cause: 'terminal-waits-for-card' }
  const { payments, attempts } = state
  const [own] = payments
  const last = attempts.at(-1)?.outcome
  const isKeyRefused = own
    ? own.asks.unanswered?.how === 'refused'
    : last?.is === 'no-answer' && last.accountRefused
  const [first, ...rest] = CAUSES['terminal-in-doubt'].todo
  const todo = isKeyRefused ? [first, ...CAUSES['psp-refuses-credentials'].todo, ...rest] : undefined
  return { cause: 'terminal-in-doubt', todo }
}

/** By its first word, an error says why a terminal took no money. Adapters and the hub write it. */
const AT_TERMINAL: Readonly<Partial<Record<TerminalWord, Cause>>> = {
  terminal_busy: 'terminal-busy',
  terminal_off: 'terminal-off',
  terminal_unreachable: 'terminal-unreachable',
  declined: 'terminal-declined',
  refused_method: 'terminal-refused',
  refused_account: 'terminal-refused',
}

/** Returns why a payment has ended, or that it is paid. */
export function whyEnded(state: State): Found {
  const { standing, payments, error, order } = state
  const [own] = payments
  if (standing.is !== 'ended') return { cause: 'paid' }
  const signed = signedOnly(state)
  if (signed) return { cause: 'signed-not-shown', payment: signed }
  switch (standing.as) {
    case 'FAILURE': {
      const word = terminalWordIn(error)
      const cause = order.terminal && word && AT_TERMINAL[word]
      if (cause || own) return { cause: cause ?? 'payment-failed' }
      return error?.startsWith('refused_account')
        ? { cause: 'psp-refused-order', todo: ['route-elsewhere', 'new-job'] }
        : { cause: 'psp-refused-order' }
    }
    case 'CANCELLED':
      if (own && own.released > 0) return { cause: 'released' }
      return { cause: `cancelled-by-${state.cancel?.by ?? 'customer'}` }
    case 'EXPIRED':
      if (own && own.released > 0) return { cause: 'not-captured-in-time' }
      if (!isEndUnconfirmed(state)) return { cause: own ? 'expired' : 'expired-unannounced' }
      return own
        ? { cause: 'expired-unconfirmed' }
        : { cause: 'expired-unconfirmed', todo: CAUSES['expired-unannounced'].todo }
  }
}

/** Returns why the report is not delivered; null if it is, or if there is no report. */
function whyNotDelivered(state: State): Found | null {
  const { report } = state
  if (!report || report.state === 'delivered') return null
  const last = failedTries(state).at(-1)
  if (report.state !== 'given-up') return { cause: last ? causeOf(last) : 'report-due' }
  if (last?.outcome === '410') return { cause: 'report-unwanted' }
  return { cause: last?.outcome === 'address refused' ? 'report-address-refused' : 'report-given-up' }
}

function causeOf({ outcome }: ReportTry): Cause {
  if (outcome === 'no connection') return 'receiver-unreachable'
  return outcome === 'no answer in time' ? 'receiver-too-slow' : 'receiver-answers-error'
}

/** Returns when (ms, by the job's clock) the hub does each thing next; null for never. */
export function plannedTimes(state: State, planned: readonly Pick<Duty, 'do' | 'at'>[], now: number) {
  const first = (...kinds: Duty['do'][]) => {
    const next = Math.min(...planned.flatMap((duty) => (kinds.includes(duty.do) ? [duty.at] : [])))
    return next === Infinity ? null : Math.max(next, now)
  }
  return {
    expires: isPending(state) ? untilOf(state) : null,
    nextPull: first('ask', 'stop'),
    nextAnnouncement: first('announce'),
    nextReport: first('report'),
    purge: first('purge'),
  }
}
