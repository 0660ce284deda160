import { MINUTE } from '../../contract/timestamp.ts'
import { heldUntil } from './attempts.ts'
import { accountOf, failedTries } from './row.ts'
import { ASK_AT_END } from './schedule.ts'
import type { Duty } from './duties.ts'
import { isUnderWay } from './money-back.ts'
import { cancelledOf, signedOnly } from './parts.ts'
import {
  type Payment,
  type ReportTry,
  type State,
  alsoPaidBy,
  backOf,
  isPending,
  paidOf,
  untilOf,
} from './state.ts'
import { unappliedOf } from './unapplied.ts'

/** The party that has to act next. `nobody`: the payment has ended, and the shop knows. */
export type Move = 'customer' | 'psp' | 'shop' | 'operator' | 'hub' | 'nobody'

/** Every reason why a payment stands as it does, and who has to act. Programs rely on the names. */
export const CAUSES = {
  // The payment is PENDING.
  'customer-not-back': 'customer',
  'customer-came-back': 'customer',
  'part-is-due': 'customer',
  'money-underway': 'psp',
  'money-reserved': 'hub',
  'psp-silent-at-announcement': 'psp',
  'psp-wants-no-request': 'psp',
  'psp-silent-at-pulls': 'psp',
  'psp-end-unknown': 'psp',
  'psp-refuses-credentials': 'operator',
  'psp-knows-no-payment': 'operator',
  'signed-not-shown': 'operator',
  // It has ended, and its report is delivered.
  paid: 'nobody',
  'psp-refused-order': 'shop',
  'payment-failed': 'nobody',
  'cancelled-by-customer': 'nobody',
  'cancelled-by-shop': 'nobody',
  'cancelled-by-operator': 'nobody',
  expired: 'nobody',
  'expired-unannounced': 'operator',
  'expired-unconfirmed': 'operator',
  // Its report is not delivered.
  'report-due': 'hub',
  'receiver-answers-error': 'shop',
  'receiver-unreachable': 'shop',
  'receiver-too-slow': 'shop',
  'report-given-up': 'shop',
  'report-unwanted': 'shop',
  'report-address-refused': 'shop',
  // The money is not as it should be.
  'paid-twice': 'operator',
  'paid-at-other-account': 'nobody',
  'charged-back': 'shop',
  'cancelled-after-paid': 'shop',
  'refund-failed': 'operator',
  overpaid: 'operator',
  'paid-in-part': 'operator',
  'paid-late': 'operator',
  'order-paid-again': 'shop',
  cleared: 'nobody',
  'refund-pending': 'psp',
  refunded: 'nobody',
} as const satisfies Record<string, Move>
export type Cause = keyof typeof CAUSES

/** Something that somebody can do about a cause. The CLI and the console put it into words. */
export type Todo =
  | {
      do:
        | 'nothing'
        | 'wait'
        | 'new-job'
        | 'ask-psp'
        | 'watch-psp'
        | 'announce'
        | 'refund'
        | 'refund-again'
        | 'refund-rest'
        | 'let-pay'
        | 'capture'
    }
  | { do: 'check-account' | 'renew-credentials' | 'route-elsewhere'; account: string }
  | { do: 'look-at-psp'; account: string; reference: string }
  | { do: 'change-order' | 'mend-receiver' | 'send-report-again' | 'change-report-url' | 'answer-dispute' }
  | { do: 'collect-rest' | 'deliver-or-refund' | 'keep-goods' | 'look-at-others' | 'clear' }

/** A cause that holds for a job, and what somebody can do about it. */
export type Finding = { cause: Cause; todo: Todo[] }

/** The finding that matters most, and the others. */
export type Why = { main: Finding; others: Finding[] }

/**
 * Returns why a payment stands as it does. For a PENDING payment the main finding says what it
 * waits for. For an ended one a report that is not delivered comes first, then trouble with the
 * money.
 */
export function why(state: State, now: number): Why {
  const report = whyNotDelivered(state)
  if (isPending(state)) return { main: whyPending(state, now), others: report ? [report] : [] }
  const [main = whyEnded(state), ...others] = [...(report ? [report] : []), ...whyMoney(state)]
  return { main, others }
}

/** A question that is late by less than this (ms) may still be under way. */
const GRACE = MINUTE / 2

function whyPending(state: State, now: number): Finding {
  const { standing, payments, attempts } = state
  const [own] = payments
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
  if (signed) return lookUp(signed)
  switch (own.asks.unanswered?.how) {
    case 'refused':
      return { cause: 'psp-refuses-credentials', todo: mendAccount(own.account) }
    case 'unknown':
      return { cause: 'psp-knows-no-payment', todo: [{ do: 'check-account', account: own.account }] }
    case 'silent':
      // The hub captures as soon as the PSP answers.
      return standing.is === 'authorized'
        ? { cause: 'money-reserved', todo: [{ do: 'capture' }] }
        : { cause: 'psp-silent-at-pulls', todo: [{ do: 'watch-psp' }, { do: 'ask-psp' }] }
    case undefined:
      break
  }
  if (own.asks.atEnd > 0 && now >= untilOf(state) + GRACE)
    return { cause: 'psp-end-unknown', todo: [{ do: 'watch-psp' }, { do: 'ask-psp' }] }
  if (standing.is === 'underway') return { cause: 'money-underway', todo: [{ do: 'wait' }] }
  if (standing.is === 'authorized') return { cause: 'money-reserved', todo: [{ do: 'capture' }] }
  const todo: Todo[] = [...(own.over ? [] : [{ do: 'let-pay' } as const]), { do: 'ask-psp' }]
  if (paidOf(state) > 0) return { cause: 'part-is-due', todo }
  const isBack = state.steps.some(({ action }) => action === 'Return')
  return { cause: isBack ? 'customer-came-back' : 'customer-not-back', todo }
}

/** Nobody is to pay again: only somebody who looks at the PSP knows whether the customer has paid. */
function lookUp({ account, other, reference }: Payment): Finding {
  const look = { do: 'look-at-psp', account, reference: other ?? reference } as const
  return { cause: 'signed-not-shown', todo: [look, { do: 'ask-psp' }] }
}

function mendAccount(account: string): Todo[] {
  return [
    { do: 'check-account', account },
    { do: 'renew-credentials', account },
  ]
}

export function whyEnded(state: State): Finding {
  const { standing, payments, error } = state
  const [own] = payments
  const anew: Todo[] = [{ do: 'new-job' }]
  if (standing.is !== 'ended') return { cause: 'paid', todo: [{ do: 'nothing' }] }
  const signed = signedOnly(state)
  if (signed) return lookUp(signed)
  switch (standing.as) {
    case 'FAILURE': {
      if (own) return { cause: 'payment-failed', todo: anew }
      const isAccount = error?.startsWith('refused_account')
      const todo: Todo = isAccount
        ? { do: 'route-elsewhere', account: accountOf(state) }
        : { do: 'change-order' }
      return { cause: 'psp-refused-order', todo: [todo, ...anew] }
    }
    case 'CANCELLED': {
      const by = state.cancel?.by ?? 'customer'
      return { cause: `cancelled-by-${by}`, todo: anew }
    }
    case 'EXPIRED': {
      if (!own)
        return {
          cause: 'expired-unannounced',
          todo: [{ do: 'check-account', account: accountOf(state) }, ...anew],
        }
      return own.asks.atEnd > ASK_AT_END.length && !own.over
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

/** Returns what is wrong with the money, or has gone back; what matters most comes first. */
function whyMoney(state: State): Finding[] {
  const { payments, order, late, standing, cleared } = state
  const paid = paidOf(state)
  const elsewhere = payments.slice(1).filter((payment) => payment.paid > 0)
  const { refunded, chargedBack } = backOf(state)
  const cancelledAll = payments.reduce((sum, payment) => sum + cancelledOf(payment), 0)
  const refund = refundFinding(state, refunded - cancelledAll)
  const isFailed = refund && refund.cause === 'refund-failed'
  // Money that was given back, collected or cleared is history, and nobody's move.
  const open = unappliedOf(state) > 0
  const clear: Todo = { do: 'clear' }
  const isTwice = elsewhere.length > 0 && paid > order.amount
  const found: (Finding | false)[] = [
    open && isTwice && { cause: 'paid-twice', todo: [{ do: 'refund' }, clear] },
    elsewhere.length > 0 &&
      paid <= order.amount && { cause: 'paid-at-other-account', todo: [{ do: 'nothing' }] },
    chargedBack > 0 && { cause: 'charged-back', todo: [{ do: 'answer-dispute' }] },
    cancelledAll > 0 && { cause: 'cancelled-after-paid', todo: [{ do: 'keep-goods' }, { do: 'new-job' }] },
    isFailed && refund,
    open &&
      elsewhere.length === 0 &&
      paid > order.amount && { cause: 'overpaid', todo: [{ do: 'refund-rest' }, clear] },
    open &&
      standing.is !== 'paid' && {
        cause: 'paid-in-part',
        todo: [{ do: 'refund' }, { do: 'collect-rest' }, clear],
      },
    open && late && { cause: 'paid-late', todo: [{ do: 'deliver-or-refund' }, clear] },
    alsoPaidBy(state).length > 0 && { cause: 'order-paid-again', todo: [{ do: 'look-at-others' }] },
    !isFailed && refund,
    !open && isTwice && { cause: 'paid-twice', todo: [{ do: 'nothing' }] },
    cleared > 0 && { cause: 'cleared', todo: [{ do: 'nothing' }] },
  ]
  return found.filter((one) => one !== false)
}

function refundFinding({ refunds }: State, refunded: number): Finding | false {
  if (refunds.at(-1)?.state === 'failed') return { cause: 'refund-failed', todo: [{ do: 'refund-again' }] }
  if (refunds.some(isUnderWay)) return { cause: 'refund-pending', todo: [{ do: 'wait' }] }
  return refunded > 0 && { cause: 'refunded', todo: [{ do: 'nothing' }] }
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
