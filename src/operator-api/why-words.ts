import { realAt } from '../contract/advance.ts'
import { formatAmount, moneyText } from '../contract/money.ts'
import { isoSecond as at } from '../contract/timestamp.ts'
import type { Why as ShownWhy } from '../contract/why.ts'
import { heldUntil } from '../job/core/attempts.ts'
import { duties } from '../job/core/duties.ts'
import { accountOf, failedTries } from '../job/core/row.ts'
import { CAUSES, type Finding, type Todo } from '../job/core/causes.ts'
import { type Instruction, OF_RESERVED, isUnderWay, ofKind } from '../job/core/payment.ts'
import { reservedUntil } from '../job/core/reserved.ts'
import { type State, alsoPaidBy, isPending, untilOf } from '../job/core/state.ts'
import { SANDBOX_ACCOUNT } from '../registry/profile.ts'
import { asSentence } from '../job/core/show.ts'
import { chargeOf, doubtUntil, terminalState } from '../job/core/terminal.ts'
import { why, whyEnded } from '../job/core/why.ts'
import {
  dueOf,
  releasedOf,
  surplusOf,
  capturableIn,
  backOf,
  paidOf,
  tipOf,
  unappliedOf,
} from '../job/core/money.ts'

/** Explains a payment's state in sentences. Times are ISO 8601 in UTC, to the second. */
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
  return one?.state === 'asking' ? 'the PSP has not answered' : 'the PSP has accepted it'
}

/** Says when an instruction was requested, and how far it is. */
function askedFor(state: State, now: number, one: Instruction | undefined): string {
  if (!one) return ''
  const what = `A ${one.kind} of ${money(state, one.amount)} was requested at ${at(one.at)}`
  return `${what}, and ${standOf(one)}.${next(state, now, `check-${one.kind}`, 'The hub asks again')}`
}

/** Says that an instruction failed, in the PSP's words. */
function failedFor(state: State, one: Instruction | undefined): string {
  const reason = one?.error ?? 'the PSP did not say why'
  return `The ${one?.kind ?? 'refund'} of ${money(state, one?.amount ?? 0)} failed: ${asSentence(reason)}`
}

function happened({ cause }: Finding, state: State, now: number): string {
  const { order, payments, attempts, steps } = state
  const account = accountOf(state)
  const [own] = payments
  const asks = own?.asks
  // Refunds, chargebacks and later answers add steps with the same status after the end.
  const beforeEnd = steps.findLastIndex(({ status }) => status !== steps.at(-1)?.status)
  const when = at((steps[beforeEnd + 1]?.at ?? state.updated) / 1000)
  const paid = paidOf(state)
  const { chargedBack, refunded } = backOf(state)
  const lost = payments.reduce((sum, payment) => sum + payment.lost, 0)
  const failedCapture = ofKind(state, ...OF_RESERVED).findLast(({ state: is }) => is === 'failed')
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
      return `The customer has neither paid nor come back from the PSP's page. The payment is still open at ${account}.`
    case 'customer-came-back': {
      const back = steps.findLast(({ action }) => action === 'Return')
      return `The customer came back from the PSP at ${at((back?.at ?? 0) / 1000)} without having paid. The PSP of ${account} says that the payment is still open.`
    }
    case 'part-is-due':
      return `The customer has paid ${money(state, paid)}; ${money(state, dueOf(state))} is still due.`
    case 'money-underway':
      return `The customer has paid by ${order.paymentMethod} at ${account}, and the money has been on its way since ${at(stage)}. The PSP should say by ${at(untilOf(state))} whether it arrived.`
    case 'money-reserved':
      return `The money has been reserved at ${account} since ${at(stage)}, and the hub is about to capture it. The reservation ends at ${at(untilOf(state))}.`
    case 'capture-awaited':
    case 'capture-ends-soon':
      return `${money(state, capturableIn(state))} is reserved at ${account}, and the shop has not captured it yet. What is not captured by ${byClocks(state, reservedUntil(state) ?? untilOf(state))} is released.`
    case 'capture-refused':
      return `The money is reserved at ${account}. ${failedFor(state, ofKind(state, ...OF_RESERVED).at(-1))}`
    case 'capture-failed':
      return failedFor(state, failedCapture)
    case 'capture-bounced':
      return `A capture failed after it had succeeded: the shop does not get ${money(state, lost)}.${quoted('The error was', failedCapture?.error ?? null)}`
    case 'release-failed':
      return `${failedFor(state, ofKind(state, ...OF_RESERVED).at(-1))}${next(state, now, 'release', 'The hub tries again')}`
    case 'capture-pending':
    case 'release-pending':
      return askedFor(state, now, ofKind(state, ...OF_RESERVED).findLast(isUnderWay))
    case 'still-reserved':
      return `${money(state, capturableIn(state))} is still reserved at ${account} although the job has ended, because the PSP has not released it. ${failedFor(
        state,
        ofKind(state, ...OF_RESERVED).findLast(({ kind }) => kind === 'release'),
      )}`
    case 'released':
      return `The reserved money was released at ${when}.`
    case 'not-captured-in-time':
      return `The reserved money was not captured in time, so it was released; the job ended at ${when}.`
    case 'psp-silent-at-announcement': {
      const tries = attempts.filter((one) => one.account === account && one.outcome.is !== 'not-asked').length
      const tried =
        tries > 0
          ? `The hub has tried ${times(tries)}.`
          : 'The hub has not tried yet, because the account did not answer other orders.'
      return `The PSP of ${account} has not answered, so the customer cannot pay yet. ${tried}${quoted('The last error was', state.error)}${othersTried(state)}${announcedAgain(state, now)}`
    }
    case 'psp-wants-no-request':
      return `The PSP of ${account} wants no request before ${at(heldUntil(state))}, so the customer cannot pay yet.${quoted('The last error was', state.error)}${othersTried(state)}${announcedAgain(state, now)}`
    case 'psp-refuses-credentials': {
      if (asks?.unanswered)
        return `When the hub asked about the payment ${span(asks.unanswered, asks.lastAt)}, the PSP refused the credentials of ${account}.${quoted('It said', asks.unanswered.message)}${askedAgain(state, now)}`
      return `The PSP refused the credentials of ${account}, so the customer cannot pay yet. The hub has tried ${times(state.rounds.count)}.${quoted('The PSP said', state.error)}${othersTried(state)}${announcedAgain(state, now)}`
    }
    case 'psp-silent-at-pulls':
      return `When the hub asked about the payment ${span(asks?.unanswered, asks?.lastAt)}, the PSP of ${account} did not answer.${quoted('The last error was', asks?.unanswered?.message ?? null)}${askedAgain(state, now)}`
    case 'psp-knows-no-payment': {
      const isSandbox = account === SANDBOX_ACCOUNT.id
      const who = isSandbox ? 'the sandbox' : `the PSP of ${account}`
      const restored = isSandbox ? ' Backups do not include the sandbox.' : ''
      return `When the hub asked about the payment ${span(asks?.unanswered, asks?.lastAt)}, ${who} did not know it.${restored}${askedAgain(state, now)}`
    }
    case 'signed-not-shown':
      return `A signed notification says that a payment of this order was authorised, but the PSP's API does not show it as paid. The customer may have paid.${askedAgain(state, now)}`
    case 'terminal-asked':
      return `The hub is sending the order to terminal ${terminal} of ${account}.`
    case 'terminal-waits-for-card': {
      const did: Record<string, string> = {
        'card-read': 'has read a card',
        authorising: 'is asking the bank',
      }
      return `Terminal ${terminal} of ${account} ${did[terminalState(state)] ?? 'is waiting for a card'}, until ${at(untilOf(state))} at the latest.`
    }
    case 'terminal-in-doubt': {
      const silence = asks?.unanswered?.message ?? state.error
      return `The hub does not know how the payment at terminal ${terminal} of ${account} ended: the customer may have paid. The hub keeps asking until ${at(doubtUntil(state) ?? untilOf(state))} at the latest.${quoted('The last error was', silence)}${own ? askedAgain(state, now) : next(state, now, 'announce', 'The hub asks again')}`
    }
    case 'terminal-busy':
    case 'terminal-off':
    case 'terminal-unreachable':
    case 'terminal-declined':
    case 'terminal-refused': {
      const took = chargeOf(state) === 'none' ? ' took no money; the payment' : ': the payment'
      return `Terminal ${terminal} of ${account}${took} failed at ${when}.${quoted('The error was', state.error)}`
    }
    case 'psp-end-unknown':
      return `The time to pay ended at ${at(untilOf(state))}, and the PSP of ${account} has not yet said how the payment ended.${askedAgain(state, now)}`
    case 'paid':
      return `The customer paid ${money(state, paid)}${ofOrder(state)}${where}; the hub learnt of it at ${when}.${letGo(state)}`
    case 'psp-refused-order':
      return `The PSP of ${account} refused the order at ${when}.${quoted('It said', state.error)}`
    case 'payment-failed':
      return `The payment at ${account} failed at ${when}.`
    case 'cancelled-by-customer':
      return `The customer cancelled the payment at ${account}; the hub learnt of it at ${when}.`
    case 'cancelled-by-shop':
      return `The shop cancelled the payment at ${when}.`
    case 'cancelled-by-operator':
      return `An operator cancelled the payment at ${when}.`
    case 'expired':
      return `The ${steps[beforeEnd]?.stage ? 'money did not come' : 'customer did not pay'} in time; the job ended at ${when}.`
    case 'expired-unannounced':
      return `The PSP of ${account} never took the order, so the customer could not pay; the job ended at ${when}.${quoted('The last error was', state.error)}`
    case 'expired-unconfirmed':
      return `For ${order.terminal ? 'a day' : 'three days'} after the time to pay, the PSP of ${account} did not say how the payment ended; the job ended at ${when}. The customer may have paid.`
    case 'report-due':
      return `The report to the shop has been due since ${at(state.report?.since ?? 0)}, and is about to be sent.`
    case 'receiver-unreachable':
      return undelivered(state, now, 'could not be reached')
    case 'receiver-too-slow':
      return undelivered(state, now, 'did not answer in time')
    case 'receiver-answers-error': {
      const redirect = last?.outcome.startsWith('3') ? ', a redirect, which the hub does not follow' : ''
      return undelivered(state, now, `answered ${last?.outcome}${redirect}`)
    }
    case 'report-unwanted':
      return `The shop has not received the report:${lastAt(state)} its receiver answered 410, which means that it wants no more reports. The hub gave up.`
    case 'report-address-refused':
      return `The shop has not received the report: the hub sends nothing to ${order.reportUrl}, because it is not a public https address, or is the hub's own. The hub gave up${lastAt(state)}.`
    case 'report-given-up':
      return `The shop has not received the report: the hub tried ${times(failed.length)}, and gave up${lastAt(state)}. The last result: ${last?.outcome ?? 'none'}.${quoted('The answer began', last?.answer ?? null)}`
    case 'paid-twice':
      return `The order was paid more than once: besides the payment at ${account}, ${elsewhere}.`
    case 'paid-at-other-account':
      return `Money arrived at an account that had not answered the announcement of the order: ${elsewhere}.`
    case 'charged-back': {
      const step = steps.findLast(({ action }) => action === 'Chargeback')
      return `${money(state, chargedBack)}${ofPaid(state, chargedBack)} was charged back${step ? `; the hub learnt of it at ${at(step.at / 1000)}` : ''}.`
    }
    case 'cancelled-after-paid':
      return `${money(state, lost)} that counted as paid was later cancelled at the PSP, rejected in its review, or expired there: the shop does not get it.`
    case 'refund-failed':
      return failedFor(state, ofKind(state, 'refund').at(-1))
    case 'refund-pending':
      return askedFor(state, now, ofKind(state, 'refund').findLast(isUnderWay))
    case 'refunded':
      return `${money(state, refunded)}${ofPaid(state, refunded)} was refunded.`
    case 'overpaid':
      return `The customer paid ${money(state, surplusOf(state))} more than was due.`
    case 'paid-in-part':
      return `Only ${money(state, paid)} of ${money(state, order.amount)} was paid.`
    case 'paid-late':
      return 'The money came after the job had ended.'
    case 'late-accepted':
      return 'The money came after the job had ended, and the shop has accepted the report that the order is paid.'
    case 'order-paid-again':
      return `Order ${order.orderNumber} was also paid by ${alsoPaidBy(state).join(', ')}.`
    case 'cleared':
      return `An operator cleared ${money(state, state.cleared)}: the audit log has the reason.`
  }
}

function todoIn(todo: Todo, state: State): string {
  switch (todo.do) {
    case 'nothing':
      return 'There is nothing to do.'
    case 'wait':
      return isPending(state) ? 'Wait. The customer must not pay again.' : 'Wait.'
    case 'new-job':
      return 'If the shop still wants the money, it makes a new payment job.'
    case 'ask-psp':
      return 'Run job pull to ask the PSP now.'
    case 'watch-psp':
      return "Look at the PSP's status page. The shop hands over no goods yet."
    case 'announce':
      return 'Run job announce to try now anyway.'
    case 'let-pay':
      return `The customer can pay at payUrl until ${at(untilOf(state))}.`
    case 'tap':
      return 'The customer presents a card at the terminal, or the shop cancels.'
    case 'take-nothing':
      return 'The shop must not take the money again, neither by card nor in cash.'
    case 'pay-otherwise':
      return 'The shop makes a new payment job: with another card, at another terminal, or on a page.'
    case 'check-terminal':
      return `Check whether the terminal is on: terminal list ${todo.account}.`
    case 'capture':
      return 'The shop captures what it delivers, or you do: job capture.'
    case 'release':
      return 'To release the rest: job release.'
    case 'refund-rest': {
      const surplus = formatAmount(unappliedOf(state), state.order.currency)
      return `Refund the surplus: job refund --amount ${surplus}.`
    }
    case 'refund':
      return 'Refund the money: job refund --all.'
    case 'refund-again':
      return `Repeat the refund: job refund --amount ${formatAmount(ofKind(state, 'refund').at(-1)?.amount ?? 0, state.order.currency)}.`
    case 'check-account':
      return `Run psp check ${todo.account}.`
    case 'renew-credentials':
      return `Then run psp rekey ${todo.account}.`
    case 'route-elsewhere':
      return `Or route the payment method to an account other than ${todo.account}: pos route.`
    case 'look-at-psp':
      return `Look at payment ${todo.reference} at the PSP.`
    case 'change-order':
      return 'The shop changes the order, or offers another payment method.'
    case 'mend-receiver':
      return `The shop must fix its receiver at ${state.order.reportUrl}.`
    case 'send-report-again':
      return `Then run report resend ${state.id}.`
    case 'change-report-url':
      return 'The shop must send another report_url with its orders, and read this job itself.'
    case 'answer-dispute':
      return 'The shop answers the dispute at the PSP in time, or accepts it.'
    case 'collect-rest':
      return 'Or the shop collects the rest with a new payment job.'
    case 'keep-goods':
      return 'The shop hands over no goods for that money.'
    case 'look-at-others':
      return 'The shop checks whether its customer paid twice. If so, refund one of the payments: job refund --all.'
    case 'clear':
      return `If you settle it another way, record that: job clear-money ${state.id} --note WHY.`
    case 'deliver-or-refund':
      return 'The shop still delivers, or refunds the money.'
  }
}

function money({ order }: State, amount: number): string {
  return moneyText(amount, order.currency)
}

/** Says of which order's amount only a part was paid, or how much of it is a tip. */
function ofOrder(state: State): string {
  const [tip, { amount }] = [tipOf(state), state.order]
  if (tip > 0) return `, of which ${money(state, tip)} is a tip,`
  return paidOf(state) < amount ? ` of ${money(state, amount)}` : ''
}

function ofPaid(state: State, part: number): string {
  return part < paidOf(state) ? ` of ${money(state, paidOf(state))}` : ''
}

function letGo(state: State): string {
  const released = releasedOf(state)
  return released > 0 ? ` ${money(state, released)} of what was reserved was released.` : ''
}

/** Writes a time of the job's clock, and what the real clock then shows, if the shop has moved the job's. */
function byClocks({ clock }: State, time: number): string {
  return clock.offset === 0
    ? at(time)
    : `${at(time)} by its own clock (${at(realAt(clock, time))} by the real one)`
}

/** Quotes another system's words in a sentence of their own; an empty text for null. */
function quoted(who: string, words: string | null): string {
  return words ? ` ${who}: "${words}"${asSentence(words) === words ? '' : '.'}` : ''
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
  const planned = 'The hub tries again when the customer opens payUrl, and by itself'
  const last = ' The hub tries again only if the customer opens payUrl, because the job is about to end.'
  return next(state, now, 'announce', planned) || last
}

function othersTried(state: State): string {
  const account = accountOf(state)
  const others = new Set(state.attempts.map((one) => one.account).filter((one) => one !== account))
  return others.size > 0 ? ` No other account took the order either: ${[...others].join(', ')}.` : ''
}

function undelivered(state: State, now: number, what: string): string {
  const failed = failedTries(state)
  const tries = failed.length === 1 ? '1 try' : `${failed.length} tries`
  return `The shop has not received the report after ${tries}:${lastAt(state)} its receiver ${what}.${quoted('Its answer began', failed.at(-1)?.answer ?? null)}${next(state, now, 'report', 'The hub tries again')}`
}

function lastAt(state: State): string {
  const last = failedTries(state).at(-1)
  return last ? ` at ${at(last.began + last.ms)}` : ''
}

/** Says when the shop received the newest report; an empty text if it has not. */
function deliveredIn({ report }: State): string {
  const taken =
    report?.state === 'delivered' ? report.history.findLast(({ result }) => result === 'delivered') : null
  return taken
    ? ` The shop received the report at ${at(taken.began + taken.ms)}: its receiver answered ${taken.outcome}.`
    : ''
}

/** Says which accounts the hub asked or passed over before the one that took the order. */
function accountsBefore(state: State): string {
  if (state.payments.length === 0) return ''
  const account = accountOf(state)
  const attempts = state.attempts.filter(
    (one) => one.account !== account && one.at <= state.created / 1000 + 10_000,
  )
  // An account that the hub both asked in vain and passed over counts as asked.
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
