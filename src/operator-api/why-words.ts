import { formatAmount, plainAmount } from '../contract/money.ts'
import { isoSecond as at } from '../contract/timestamp.ts'
import type { Why as ShownWhy } from '../contract/why.ts'
import { heldUntil } from '../job/core/attempts.ts'
import { duties } from '../job/core/duties.ts'
import { accountOf, failedTries } from '../job/core/row.ts'
import { CAUSES, type Finding, type Todo } from '../job/core/causes.ts'
import { dueOf, surplusOf } from '../job/core/due.ts'
import { type Instruction, isUnderWay } from '../job/core/payment.ts'
import { capturableIn, reservedUntil } from '../job/core/reserved.ts'
import { type State, alsoPaidBy, backOf, paidOf, untilOf } from '../job/core/state.ts'
import { SANDBOX_ACCOUNT } from '../registry/profile.ts'
import { doubtUntil, terminalState } from '../job/core/terminal.ts'
import { unappliedOf } from '../job/core/unapplied.ts'
import { why, whyEnded } from '../job/core/why.ts'

/** Says why a payment stands as it does. Times are ISO 8601 in UTC, to the second. */
export function whyInWords(state: State, now: number): ShownWhy {
  const { main, others } = why(state, now)
  const words = (finding: Finding) => happened(finding, state, now)
  const end = whyEnded(state)
  const isEnd = state.standing.is === 'paid' || state.standing.is === 'ended'
  const story = isEnd && main.cause !== end.cause ? `${words(end)} ${words(main)}` : words(main)
  const todos = main.todo.map((todo) => ({ do: todo.do, says: todoIn(todo, state) }))
  return {
    cause: main.cause,
    happened: story + (isEnd ? deliveredIn(state) : '') + accountsBefore(state),
    move: CAUSES[main.cause],
    todo: todos.map(({ says }) => says).join(' '),
    todos,
    also: others.map(words),
  }
}

function standOf(one: Instruction | undefined): string {
  if (one?.state === 'waiting') return `the PSP has not done it yet.${quoted('It said', one.error)}`
  return one?.state === 'asking' ? 'the PSP has not answered' : 'the PSP has taken it'
}

/** Says that something was asked for, and how it stands. */
function askedFor(state: State, now: number, one: Instruction | undefined): string {
  if (!one) return ''
  const what = `A ${one.kind} of ${money(state, one.amount)} was asked for at ${at(one.at)}`
  return `${what}, and ${standOf(one)}.${next(state, now, `check-${one.kind}`, 'The hub asks again')}`
}

/** Says that something failed, in the PSP's words. */
function failedFor(state: State, one: Instruction | undefined): string {
  const reason = one?.error ?? 'the PSP did not say why'
  return `The ${one?.kind ?? 'refund'} of ${money(state, one?.amount ?? 0)} failed: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`
}

function happened({ cause }: Finding, state: State, now: number): string {
  const { order, payments, attempts, steps } = state
  const account = accountOf(state)
  const [own] = payments
  const asks = own?.asks
  // Refunds, chargebacks and later looks add steps with the same status after the end.
  const beforeEnd = steps.findLastIndex(({ status }) => status !== steps.at(-1)?.status)
  const when = at((steps[beforeEnd + 1]?.at ?? state.updated) / 1000)
  const paid = paidOf(state)
  const { chargedBack, refunded } = backOf(state)
  const elsewhere = payments
    .slice(1)
    .filter((payment) => payment.paid > 0)
    .map((payment) => `${money(state, payment.paid)} at ${payment.account} (${payment.reference})`)
    .join(' and ')
  const where = elsewhere ? '' : ` at ${account}`
  const failed = failedTries(state)
  const last = failed.at(-1)
  const terminal = order.terminal?.id
  const stage = 'since' in state.standing ? state.standing.since : 0
  switch (cause) {
    case 'customer-not-back':
      return `The customer has not paid, and has not come back from the PSP's page. The payment is open at ${account}.`
    case 'customer-came-back': {
      const back = steps.findLast(({ action }) => action === 'Return')
      return `The customer came back from the PSP at ${at((back?.at ?? 0) / 1000)}, and had not paid. The PSP of ${account} says that the payment is open.`
    }
    case 'part-is-due':
      return `The customer has paid ${money(state, paid)}; ${money(state, dueOf(state))} is still due.`
    case 'money-underway':
      return `The customer has paid by ${order.paymentMethod} at ${account}, and the money is under way since ${at(stage)}. The PSP says by ${at(untilOf(state))} how it ended.`
    case 'money-reserved':
      return `The money is reserved at ${account} since ${at(stage)}, and the hub is about to capture it. The reservation ends at ${at(untilOf(state))}.`
    case 'capture-awaited':
    case 'capture-ends-soon':
      return `${money(state, capturableIn(state))} is reserved at ${account}, and the shop has not captured it. What is left is released at ${at(reservedUntil(state) ?? untilOf(state))}.`
    case 'capture-refused':
      return `The money is reserved at ${account}. ${failedFor(state, state.captures.at(-1))}`
    case 'capture-failed':
    case 'capture-bounced':
      return failedFor(
        state,
        state.captures.findLast(({ state: is }) => is === 'failed'),
      )
    case 'release-failed':
      return `${failedFor(state, state.captures.at(-1))}${next(state, now, 'release', 'The hub tries again')}`
    case 'capture-pending':
    case 'release-pending':
      return askedFor(state, now, state.captures.findLast(isUnderWay))
    case 'still-reserved':
      return `${money(state, capturableIn(state))} is still reserved at ${account}, though nobody is to capture it: the PSP does not let go of it. ${failedFor(
        state,
        state.captures.findLast(({ kind }) => kind === 'release'),
      )}`
    case 'released':
      return `The reserved money was released at ${when}.`
    case 'not-captured-in-time':
      return `The reserved money was not captured in time, and was released; the job ended at ${when}.`
    case 'psp-silent-at-announcement': {
      const tries = attempts.filter((one) => one.account === account && one.outcome.is !== 'not-asked').length
      const tried = tries > 0 ? `tried ${times(tries)}` : 'not tried yet, for it had not answered others'
      return `The PSP of ${account} has not answered, so nobody can pay yet; ${tried}.${quoted('The last was', state.error)}${othersTried(state)}${announcedAgain(state, now)}`
    }
    case 'psp-wants-no-request':
      return `The PSP of ${account} wants no request before ${at(heldUntil(state))}, so nobody can pay yet.${quoted('The last was', state.error)}${othersTried(state)}${announcedAgain(state, now)}`
    case 'psp-refuses-credentials': {
      if (asks?.unanswered)
        return `The PSP refused the credentials of ${account} when the hub asked how the payment stands: ${span(asks.unanswered, asks.lastAt)}.${quoted('It said', asks.unanswered.message)}${askedAgain(state, now)}`
      return `The PSP refused the credentials of ${account}, so nobody can pay yet; tried ${times(state.rounds.count)}.${quoted('It said', state.error)}${othersTried(state)}${announcedAgain(state, now)}`
    }
    case 'psp-silent-at-pulls':
      return `The PSP of ${account} did not answer when the hub asked how the payment stands: ${span(asks?.unanswered, asks?.lastAt)}.${quoted('The last was', asks?.unanswered?.message ?? null)}${askedAgain(state, now)}`
    case 'psp-knows-no-payment': {
      const isSandbox = account === SANDBOX_ACCOUNT.id
      const who = isSandbox ? 'The sandbox' : `The PSP of ${account}`
      const restored = isSandbox ? ' No backup has what the sandbox holds.' : ''
      return `${who} said that it does not know the payment: ${span(asks?.unanswered, asks?.lastAt)}.${restored}${askedAgain(state, now)}`
    }
    case 'signed-not-shown':
      return `The PSP signed that a payment of this order was authorised, but does not show it as paid where the hub asks. The customer may have paid.${askedAgain(state, now)}`
    case 'terminal-asked':
      return `The hub is sending the order to terminal ${terminal} of ${account}.`
    case 'terminal-waits-for-card': {
      const did: Record<string, string> = {
        'card-read': 'has read a card',
        authorising: 'is asking the bank',
      }
      return `Terminal ${terminal} of ${account} ${did[terminalState(state)] ?? 'waits for a card'}, until ${at(untilOf(state))} at the longest.`
    }
    case 'terminal-in-doubt': {
      const silence = asks?.unanswered?.message ?? state.error
      return `The hub does not know what became of the payment at terminal ${terminal} of ${account}: the customer may have paid. It asks until ${at(doubtUntil(state) ?? untilOf(state))} at the longest.${quoted('The last was', silence)}${own ? askedAgain(state, now) : next(state, now, 'announce', 'The hub asks again')}`
    }
    case 'terminal-busy':
    case 'terminal-off':
    case 'terminal-unreachable':
    case 'terminal-declined':
      return `Terminal ${terminal} of ${account} took no money: ${when}.${quoted('It was', state.error)}`
    case 'psp-end-unknown':
      return `The time to pay ended at ${at(untilOf(state))}, and the PSP of ${account} has not said yet how the payment ended.${askedAgain(state, now)}`
    case 'paid':
      return `The customer paid ${money(state, paid)}${where}; the hub learnt it at ${when}.`
    case 'psp-refused-order':
      return `The PSP of ${account} refused the order at ${when}.${quoted('It said', state.error)}`
    case 'payment-failed':
      return `The payment failed at ${account}: ${when}.`
    case 'cancelled-by-customer':
      return `The customer cancelled the payment at ${account}; the hub learnt it at ${when}.`
    case 'cancelled-by-shop':
      return `The shop cancelled the payment at ${when}.`
    case 'cancelled-by-operator':
      return `An operator cancelled the payment at ${when}.`
    case 'expired':
      return `The ${steps[beforeEnd]?.stage ? 'money did not come' : 'customer did not pay'} in time; the job ended at ${when}.`
    case 'expired-unannounced':
      return `The PSP of ${account} never took the order, so nobody could pay; the job ended at ${when}.${quoted('The last was', state.error)}`
    case 'expired-unconfirmed':
      return `The PSP of ${account} did not say for ${order.terminal ? 'a day' : 'three days'} after the end how the payment ended; the job ended at ${when}. The customer may have paid.`
    case 'report-due':
      return `The report to the shop is due since ${at(state.report?.since ?? 0)}, and about to be sent.`
    case 'receiver-unreachable':
      return untold(state, now, 'could not be reached')
    case 'receiver-too-slow':
      return untold(state, now, 'did not answer in time')
    case 'receiver-answers-error': {
      const redirect = last?.outcome.startsWith('3') ? ', a redirect, which the hub does not follow' : ''
      return untold(state, now, `answered ${last?.outcome}${redirect}`)
    }
    case 'report-unwanted':
      return `The shop was not told: its receiver answered 410${lastAt(state)}, which says that it wants no more reports. The hub gave the report up.`
    case 'report-address-refused':
      return `The shop was not told: the hub sends nothing to ${order.reportUrl}, which is no public https address, or the hub's own. It gave the report up${lastAt(state)}.`
    case 'report-given-up':
      return `The shop was not told: the report was tried ${times(failed.length)}, and given up${lastAt(state)}. The last was: ${last?.outcome ?? 'no try'}.${quoted('Its answer began', last?.answer ?? null)}`
    case 'paid-twice':
      return `The order was paid more than once: besides ${account}, ${elsewhere}.`
    case 'paid-at-other-account':
      return `Money came at an account that had not answered when the order was announced: ${elsewhere}.`
    case 'charged-back': {
      const step = steps.findLast(({ action }) => action === 'Chargeback')
      return `${money(state, chargedBack)} was charged back.${step ? ` The hub learnt it at ${at(step.at / 1000)}.` : ''}`
    }
    case 'cancelled-after-paid': {
      const cancelled = payments.reduce((sum, { lost }) => sum + lost, 0)
      return `${money(state, cancelled)} of what counted as paid was cancelled at the PSP, rejected in its review, or expired there: it is not the shop's.`
    }
    case 'refund-failed':
      return failedFor(state, state.refunds.at(-1))
    case 'refund-pending':
      return askedFor(state, now, state.refunds.findLast(isUnderWay))
    case 'refunded':
      return `${money(state, refunded)} was given back.`
    case 'overpaid':
      return `The customer paid ${money(state, surplusOf(state))} more than was due.`
    case 'paid-in-part':
      return `Only ${money(state, paid)} of ${money(state, order.amount)} was paid.`
    case 'paid-late':
      return 'The money came after the job had ended.'
    case 'order-paid-again':
      return `Order ${order.orderNumber} was also paid by ${alsoPaidBy(state).join(', ')}.`
    case 'cleared':
      return `An operator said that ${money(state, state.cleared)} is cleared: the audit log has the reason.`
  }
}

function todoIn(todo: Todo, state: State): string {
  switch (todo.do) {
    case 'nothing':
      return 'There is nothing to do.'
    case 'wait':
      return 'Wait. Nobody is to pay again.'
    case 'new-job':
      return 'To be paid after all, the shop makes a new payment job.'
    case 'ask-psp':
      return 'Run job pull to ask at once.'
    case 'watch-psp':
      return "Look at the PSP's status. Nobody gives the goods away yet."
    case 'announce':
      return 'Run job announce to try at once all the same.'
    case 'let-pay':
      return `The customer can pay at payUrl until ${at(untilOf(state))}.`
    case 'tap':
      return 'The customer presents a card at the terminal, or the shop cancels.'
    case 'take-nothing':
      return 'Nobody takes the money again, neither by card nor in cash.'
    case 'pay-otherwise':
      return 'The shop makes a new payment job: by another card, at another terminal, or on a page.'
    case 'check-terminal':
      return `See whether it is on: terminal list ${todo.account}.`
    case 'capture':
      return 'The shop captures what it delivers, or an operator: job capture.'
    case 'release':
      return 'To let go of the rest: job release.'
    case 'refund-rest': {
      const rest = formatAmount(unappliedOf(state), state.order.currency)
      return `Give the rest back: job refund --amount ${rest}.`
    }
    case 'refund':
      return 'Give the money back: job refund --all.'
    case 'refund-again':
      return `Give the money back: job refund --amount ${formatAmount(state.refunds.at(-1)?.amount ?? 0, state.order.currency)}.`
    case 'check-account':
      return `Run psp check ${todo.account}.`
    case 'renew-credentials':
      return `Then run psp rekey ${todo.account}.`
    case 'route-elsewhere':
      return `Or route the payment method to another account than ${todo.account}: pos route.`
    case 'look-at-psp':
      return `Look at payment ${todo.reference} at the PSP.`
    case 'change-order':
      return 'The shop changes the order, or offers another payment method.'
    case 'mend-receiver':
      return `The shop must mend the receiver at ${state.order.reportUrl}.`
    case 'send-report-again':
      return `Then run report resend ${state.id}.`
    case 'change-report-url':
      return 'The shop must send another report_url with its orders, and read this job itself.'
    case 'answer-dispute':
      return 'The shop answers the dispute at the PSP, within its time, or accepts it.'
    case 'collect-rest':
      return 'Or the shop collects the rest by a new payment job.'
    case 'keep-goods':
      return 'The shop gives no goods away for that.'
    case 'look-at-others':
      return 'The shop looks whether its customer paid twice. Where that is so, give one of them back: job refund --all.'
    case 'clear':
      return `Where that is settled in another way, say so: job clear-money ${state.id} --note WHY.`
    case 'deliver-or-refund':
      return 'The shop sees that it still delivers, or gives the money back.'
  }
}

function money({ order }: State, amount: number): string {
  return `${order.currency} ${plainAmount(formatAmount(amount, order.currency), order.currency)}`
}

/** Quotes a foreign text in a sentence of its own; returns an empty text for none. */
function quoted(who: string, words: string | null): string {
  return words ? ` ${who}: "${words}"${/[.!?]$/.test(words) ? '' : '.'}` : ''
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function span(unanswered: { since: number; count: number } | null | undefined, last = 0): string {
  if (!unanswered || unanswered.count === 1) return `at ${at(last)}`
  return `${times(unanswered.count)} since ${at(unanswered.since)}, last at ${at(last)}`
}

function next(
  state: State,
  now: number,
  kind: 'ask' | 'announce' | 'report' | 'release' | `check-${Instruction['kind']}`,
  says: string,
) {
  const duty = duties(state, now, Infinity).find(
    (one) => one.do === kind || (kind === 'ask' && one.do === 'stop'),
  )
  return duty ? ` ${says} at ${at(duty.at)}.` : ''
}

function askedAgain(state: State, now: number): string {
  return next(state, now, 'ask', 'The hub asks again')
}

function announcedAgain(state: State, now: number): string {
  const opens = 'When the customer opens payUrl'
  const planned = next(state, now, 'announce', `${opens}, and by itself, the hub tries again`)
  return planned || ` ${opens}, the hub tries again; by itself it does no more, for the job is about to end.`
}

function othersTried(state: State): string {
  const account = accountOf(state)
  const others = new Set(state.attempts.map((one) => one.account).filter((one) => one !== account))
  return others.size > 0 ? ` So it was with ${[...others].join(', ')}.` : ''
}

function untold(state: State, now: number, what: string): string {
  const failed = failedTries(state)
  const last = failed.at(-1)
  const how = `${times(failed.length)}, last${lastAt(state)}`
  return `The shop was not told: its receiver ${what}, ${how}.${quoted('Its answer began', last?.answer ?? null)}${next(state, now, 'report', 'The hub tries again')}`
}

function lastAt(state: State): string {
  const last = failedTries(state).at(-1)
  return last ? ` at ${at(last.began + last.ms)}` : ''
}

/** Says when the shop took the newest report; empty where it has not. */
function deliveredIn({ report }: State): string {
  const taken =
    report?.state === 'delivered' ? report.history.findLast(({ result }) => result === 'delivered') : null
  return taken
    ? ` The shop was told at ${at(taken.began + taken.ms)}: its receiver answered ${taken.outcome}.`
    : ''
}

/** Says which accounts the hub tried before the one that took the order. */
function accountsBefore(state: State): string {
  if (state.payments.length === 0) return ''
  const account = accountOf(state)
  const attempts = state.attempts.filter(
    (one) => one.account !== account && one.at <= state.created / 1000 + 10_000,
  )
  // Of an account that the hub asked in vain, and also passed over, the former counts.
  const inVain = attempts.filter(({ outcome }) => outcome.is === 'no-answer')
  const before = new Map([...attempts, ...inVain].map((one) => [one.account, one])).values().toArray()
  const tried = before.flatMap(({ account: name, outcome }) =>
    outcome.is === 'no-answer'
      ? `${name}, ${outcome.accountRefused ? 'which refused its credentials' : 'which did not answer'}`
      : [],
  )
  const skipped = before.flatMap(({ account: name, outcome }) =>
    outcome.is === 'not-asked'
      ? ` ${name} was passed over because ${outcome.tooMany ? 'too many orders came at once' : `it had not answered since ${at(outcome.since)}`}.`
      : [],
  )
  const went = tried.length > 0 ? ` The order went to ${account} after ${tried.join(', and ')}.` : ''
  return went + skipped.join('')
}
