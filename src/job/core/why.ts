import { type TerminalWord, terminalWordIn } from '../../contract/terminal-words.ts'
import { DAY, MINUTE } from '../../contract/timestamp.ts'
import { heldUntil } from './attempts.ts'
import type { Cause, Finding, Todo, Why } from './causes.ts'
import type { Duty } from './duties.ts'
import { OF_RESERVED, type Payment, isUnderWay } from './payment.ts'
import { reservedUntil } from './reserved.ts'
import { accountOf, failedTries } from './row.ts'
import { type ReportTry, type State, isPending, untilOf } from './state.ts'
import { isEndUnconfirmed, terminalState } from './terminal.ts'
import { lookAt, lookFor, whyMoney } from './why-money.ts'
import { signedOnly } from './signed-not-shown.ts'
import { capturableOf, paidOf, ofPayment } from './money.ts'

/**
 * Returns why a payment stands as it does. For a PENDING payment the main finding says what it
 * waits for. For an ended one a report that is not delivered comes first, then trouble with the
 * money.
 */
export function why(state: State, now: number): Why {
  const report = whyNotDelivered(state)
  if (isPending(state)) return { main: whyPending(state, now), others: report ? [report] : [] }
  const [main = whyEnded(state), ...others] = [...(report ? [report] : []), ...whyMoney(state, now)]
  return { main, others }
}

/** A question that is late by less than this (ms) may still be under way. */
const GRACE = MINUTE / 2

function whyPending(state: State, now: number): Finding {
  const { standing, payments, attempts, order } = state
  const [own] = payments
  if (order.terminal && standing.is !== 'authorized' && !signedOnly(state))
    return whyAtTerminal(state, order.terminal.account)
  if (!own) {
    const account = accountOf(state)
    const last = attempts.findLast(
      (attempt) => attempt.account === account && attempt.outcome.is !== 'not-asked',
    )?.outcome
    if (last?.is === 'no-answer' && last.accountRefused)
      return { cause: 'psp-refuses-credentials', todo: mendAccount(account) }
    const elsewhere: Todo = { do: 'route-elsewhere', account }
    return heldUntil(state) > now
      ? { cause: 'psp-wants-no-request', todo: [{ do: 'announce' }, elsewhere] }
      : { cause: 'psp-silent-at-announcement', todo: [{ do: 'watch-psp' }, elsewhere] }
  }
  const signed = signedOnly(state)
  if (signed) return lookUp(signed, order)
  switch (own.asks.unanswered?.how) {
    case 'refused':
      return { cause: 'psp-refuses-credentials', todo: mendAccount(own.account) }
    case 'unknown':
      return { cause: 'psp-knows-no-payment', todo: [{ do: 'check-account', account: own.account }] }
    case 'silent':
      return standing.is === 'authorized'
        ? whyReserved(state, own, now)
        : { cause: 'psp-silent-at-pulls', todo: [{ do: 'watch-psp' }, { do: 'ask-psp' }] }
    case undefined:
      break
  }
  if (own.asks.atEnd > 0 && now >= untilOf(state) + GRACE)
    return { cause: 'psp-end-unknown', todo: [{ do: 'watch-psp' }, { do: 'ask-psp' }] }
  if (standing.is === 'underway') return { cause: 'money-underway', todo: [{ do: 'wait' }] }
  if (standing.is === 'authorized') return whyReserved(state, own, now)
  const todo: Todo[] = [...(own.over ? [] : [{ do: 'let-pay' } as const]), { do: 'ask-psp' }]
  if (paidOf(state) > 0) return { cause: 'part-is-due', todo }
  const isBack = state.steps.some(({ action }) => action === 'Return')
  return { cause: isBack ? 'customer-came-back' : 'customer-not-back', todo }
}

/** Returns what a payment at a terminal waits for. In doubt the cashier must not take the money again. */
function whyAtTerminal(state: State, account: string): Finding {
  const at = terminalState(state)
  if (at === 'starting') return { cause: 'terminal-asked', todo: [{ do: 'wait' }] }
  if (at !== 'unknown') return { cause: 'terminal-waits-for-card', todo: [{ do: 'tap' }, { do: 'ask-psp' }] }
  const { payments, attempts } = state
  const [own] = payments
  const last = attempts.at(-1)?.outcome
  const isKeyRefused = own
    ? own.asks.unanswered?.how === 'refused'
    : last?.is === 'no-answer' && last.accountRefused
  const look: Todo[] = own ? [{ do: 'look-at-psp', account, reference: own.reference }] : []
  const mend = isKeyRefused ? mendAccount(account) : []
  return { cause: 'terminal-in-doubt', todo: [{ do: 'take-nothing' }, ...mend, ...look, { do: 'ask-psp' }] }
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

function whyNotTaken({ error, order: { terminal } }: State): Finding | undefined {
  const word = terminalWordIn(error)
  const cause = word && AT_TERMINAL[word]
  if (!cause || !terminal) return undefined
  const { account } = terminal
  const isSeen = cause === 'terminal-declined' || cause === 'terminal-busy'
  const check: Todo = { do: cause === 'terminal-refused' ? 'check-account' : 'check-terminal', account }
  return { cause, todo: [{ do: 'pay-otherwise' }, ...(isSeen ? [] : [check])] }
}

function whyReserved(state: State, payment: Payment, now: number): Finding {
  const instructions = ofPayment(state, payment, ...OF_RESERVED)
  const last = instructions.at(-1)
  // The PSP may have done everything, but the hub has not asked since.
  const underWay = instructions.find(isUnderWay) ?? (capturableOf(state, payment) === 0 ? last : undefined)
  if (underWay && underWay.kind !== 'refund')
    return { cause: `${underWay.kind}-pending`, todo: [...lookFor(state, underWay, now), { do: 'wait' }] }
  if (last?.unseen) return { cause: 'psp-refuses-credentials', todo: mendAccount(payment.account) }
  const isRefused = last?.state === 'failed'
  const look = lookAt(payment)
  if (isRefused && last.kind === 'release')
    return { cause: 'release-failed', todo: [look, { do: 'release' }] }
  if (state.order.capture !== 'manual') {
    return isRefused
      ? { cause: 'capture-refused', todo: [look, { do: 'ask-psp' }] }
      : { cause: 'money-reserved', todo: [{ do: 'wait' }] }
  }
  const ends = reservedUntil(state)
  const isSoon = ends !== null && ends < now + DAY
  const cause = isRefused ? 'capture-failed' : isSoon ? 'capture-ends-soon' : 'capture-awaited'
  const unsure = isRefused ? lookFor(state, last, now) : []
  return { cause, todo: [...unsure, { do: 'capture' }, { do: 'release' }] }
}

/** The customer must not pay again: only a look at the PSP's dashboard shows whether they have paid. */
function lookUp(payment: Payment, { terminal }: State['order']): Finding {
  const atCounter: Todo[] = terminal ? [{ do: 'take-nothing' }] : []
  return { cause: 'signed-not-shown', todo: [...atCounter, lookAt(payment), { do: 'ask-psp' }] }
}

function mendAccount(account: string): Todo[] {
  return [
    { do: 'check-account', account },
    { do: 'renew-credentials', account },
  ]
}

export function whyEnded(state: State): Finding {
  const { standing, payments, error, order } = state
  const [own] = payments
  const anew: Todo[] = [{ do: 'new-job' }]
  if (standing.is !== 'ended') return { cause: 'paid', todo: [{ do: 'nothing' }] }
  const signed = signedOnly(state)
  if (signed) return lookUp(signed, order)
  switch (standing.as) {
    case 'FAILURE': {
      const notTaken = whyNotTaken(state)
      if (notTaken) return notTaken
      if (own) return { cause: 'payment-failed', todo: anew }
      const isAccount = error?.startsWith('refused_account')
      const todo: Todo = isAccount
        ? { do: 'route-elsewhere', account: accountOf(state) }
        : { do: 'change-order' }
      return { cause: 'psp-refused-order', todo: [todo, ...anew] }
    }
    case 'CANCELLED': {
      if (own && own.released > 0) return { cause: 'released', todo: [{ do: 'nothing' }] }
      const by = state.cancel?.by ?? 'customer'
      return { cause: `cancelled-by-${by}`, todo: anew }
    }
    case 'EXPIRED': {
      if (!own)
        return {
          cause: isEndUnconfirmed(state) ? 'expired-unconfirmed' : 'expired-unannounced',
          todo: [{ do: 'check-account', account: accountOf(state) }, ...anew],
        }
      if (own.released > 0) return { cause: 'not-captured-in-time', todo: anew }
      return isEndUnconfirmed(state)
        ? {
            cause: 'expired-unconfirmed',
            todo: [{ do: 'look-at-psp', account: own.account, reference: own.reference }, { do: 'ask-psp' }],
          }
        : { cause: 'expired', todo: anew }
    }
  }
}

/** Returns why the report is not delivered; null if it is, or if there is no report. */
function whyNotDelivered(state: State): Finding | null {
  const { report } = state
  if (!report || report.state === 'delivered') return null
  const last = failedTries(state).at(-1)
  const mend: Todo[] = [{ do: 'mend-receiver' }, { do: 'send-report-again' }]
  if (report.state === 'given-up') {
    if (last?.outcome === '410') return { cause: 'report-unwanted', todo: mend }
    if (last?.outcome === 'address refused')
      return { cause: 'report-address-refused', todo: [{ do: 'change-report-url' }] }
    return { cause: 'report-given-up', todo: mend }
  }
  return last ? { cause: causeOf(last), todo: mend } : { cause: 'report-due', todo: [{ do: 'wait' }] }
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
