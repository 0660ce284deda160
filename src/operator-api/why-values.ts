import { realAt } from '../contract/advance.ts'
import type { CAUSES, Cause, TODOS, TodoName } from '../contract/causes.ts'
import { formatAmount, moneyText } from '../contract/money.ts'
import { isoSecond as at } from '../contract/timestamp.ts'
import { heldUntil } from '../job/core/attempts.ts'
import { type Duty, duties } from '../job/core/duties.ts'
import { type Instruction, ofKind } from '../job/core/payment.ts'
import { reservedUntil } from '../job/core/reserved.ts'
import { accountOf, failedTries } from '../job/core/row.ts'
import { asSentence } from '../job/core/show.ts'
import { type State, alsoPaidBy, isPending, untilOf } from '../job/core/state.ts'
import { chargeOf, doubtUntil, terminalState } from '../job/core/terminal.ts'
import { SANDBOX_ACCOUNT } from '../registry/profile.ts'
import {
  backOf,
  capturableIn,
  dueOf,
  lostOf,
  paidOf,
  releasedOf,
  surplusOf,
  tipOf,
  unappliedOf,
} from '../job/core/money.ts'

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** The names of all values in the sentences of contract/causes.ts. */
type Value = NamesIn<(typeof CAUSES)[Cause]['happened'] | (typeof TODOS)[TodoName]['says']>

/** Returns each value as it stands at `now` (ms). Those of `more` begin with a space or a comma, or are empty. */
export function valuesOf(
  state: State,
  now: number,
  { instruction, reference = '' }: { instruction?: Instruction | undefined; reference?: string | undefined },
): Readonly<Record<Value, () => string>> {
  const { order, payments, attempts, steps, standing, error } = state
  const account = accountOf(state)
  const isSandbox = account === SANDBOX_ACCOUNT.id
  const [own] = payments
  const unanswered = own?.asks.unanswered
  const failed = failedTries(state)
  const last = failed.at(-1)
  const paid = paidOf(state)
  const elsewhere = payments.slice(1).filter((payment) => payment.paid > 0)
  // Refunds, chargebacks and later answers add steps with the same status after the end.
  const beforeEnd = steps.findLastIndex(({ status }) => status !== steps.at(-1)?.status)

  const money = (amount: number) => moneyText(amount, order.currency)
  const ofPaid = (part: number) => money(part) + (part < paid ? ` of ${money(paid)}` : '')
  const instructed = instruction?.amount ?? 0
  const next = (words: string, ...kinds: Duty['do'][]) => {
    const duty = duties(state, now, Infinity).find((one) => kinds.includes(one.do))
    return duty ? ` ${words} at ${at(duty.at)}.` : ''
  }
  const askedAgain = () => next('The hub asks again', 'ask', 'stop')
  const announcedAgain = () =>
    next('The hub tries again when the customer opens payUrl, and by itself', 'announce') ||
    ' The hub tries again only if the customer opens payUrl, because the job is about to end.'
  const othersTried = () => {
    const others = new Set(attempts.map((one) => one.account).filter((name) => name !== account))
    return others.size > 0 ? ` No other account took the order either: ${[...others].join(', ')}.` : ''
  }
  const span = () =>
    !unanswered || unanswered.count === 1
      ? ` at ${at(own?.asks.lastAt ?? 0)}`
      : ` ${times(unanswered.count)} since ${at(unanswered.since)}, last at ${at(own.asks.lastAt)}`

  return {
    account: () => account,
    psp: () => (isSandbox ? 'sandbox' : `PSP of ${account}`),
    method: () => order.paymentMethod,
    terminal: () => order.terminal?.id ?? '',
    order: () => order.orderNumber,
    jobs: () => alsoPaidBy(state).join(', '),
    id: () => state.id,
    address: () => order.reportUrl,
    reference: () => reference,
    status: () => last?.outcome ?? 'none',
    reason: () => asSentence(instruction?.error ?? 'the PSP did not say why'),

    'amount.paid': () => money(paid),
    'amount.due': () => money(dueOf(state)),
    'amount.order': () => money(order.amount),
    'amount.surplus': () => money(surplusOf(state)),
    'amount.capturable': () => money(capturableIn(state)),
    'amount.lost': () => money(lostOf(state)),
    'amount.chargedBack': () => ofPaid(backOf(state).chargedBack),
    'amount.refunded': () => ofPaid(backOf(state).refunded),
    'amount.cleared': () => money(state.cleared),
    'amount.instructed': () => money(instructed),
    // A command names no currency.
    'amount.again': () => formatAmount(instructed, order.currency),
    'amount.open': () => formatAmount(unappliedOf(state), order.currency),

    'time.back': () => at((steps.findLast(({ action }) => action === 'Return')?.at ?? 0) / 1000),
    'time.stage': () => at('since' in standing ? standing.since : 0),
    'time.until': () => at(untilOf(state)),
    'time.doubt': () => at(doubtUntil(state) ?? untilOf(state)),
    'time.held': () => at(heldUntil(state)),
    'time.asked': () => at(instruction?.at ?? 0),
    'time.report': () => at(state.report?.since ?? 0),
    'time.end': () => at((steps[beforeEnd + 1]?.at ?? state.updated) / 1000),
    'time.reserved': () => byClocks(state, reservedUntil(state) ?? untilOf(state)),

    'The customer did not pay': () =>
      steps[beforeEnd]?.stage ? 'The money did not come' : 'The customer did not pay',
    'The PSP': () => (unanswered ? `When the hub asked about the payment${span()}, the PSP` : 'The PSP'),
    'is waiting for a card': () => {
      const did: Readonly<Record<string, string>> = {
        'card-read': 'has read a card',
        authorising: 'is asking the bank',
      }
      return did[terminalState(state)] ?? 'is waiting for a card'
    },
    ', and took no money': () => (chargeOf(state) === 'none' ? ', and took no money' : ''),
    ', and the PSP has not done it yet': () => {
      if (instruction?.state === 'waiting') return ', and the PSP has not done it yet'
      return `, and the PSP has ${instruction?.state === 'asking' ? 'not answered' : 'accepted it'}`
    },
    'three days (at a terminal a day)': () => (order.terminal ? 'a day' : 'three days'),
    'some tries': () => (failed.length === 1 ? '1 try' : `${failed.length} tries`),
    'for three days': () => times(failed.length),
    'AMOUNT at another': () =>
      elsewhere.map((one) => `${money(one.paid)} at ${one.account} (${one.reference})`).join(' and '),

    'more.span': span,
    'more.askedAgain': askedAgain,
    'more.announcedAgain': announcedAgain,
    'more.lookedAgain': () => (own ? askedAgain() : next('The hub asks again', 'announce')),
    'more.releasedAgain': () => next('The hub tries again', 'release'),
    'more.reportedAgain': () => next('The hub tries again', 'report'),
    'more.othersTried': othersTried,
    'more.lastError': () => quoted('The last error was', error),
    'more.askError': () => quoted('The last error was', unanswered?.message),
    'more.silence': () => quoted('The last error was', unanswered?.message ?? error),
    'more.errorWas': () => quoted('The error was', error),
    'more.itSaid': () => quoted('It said', error),
    'more.itsAnswer': () => quoted('Its answer began', last?.answer),
    'more.theAnswer': () => quoted('The answer began', last?.answer),
    'more.lastAt': () => (last ? ` at ${at(last.began + last.ms)}` : ''),
    'more.redirect': () =>
      last?.outcome.startsWith('3') ? ', a redirect, which the hub does not follow' : '',
    'more.tried': () => {
      const tries = attempts.filter((one) => one.account === account && one.outcome.is !== 'not-asked').length
      return tries > 0
        ? ` The hub has tried ${times(tries)}.`
        : ' The hub has not tried yet, because the account did not answer other orders.'
    },
    'more.atWhat': () => {
      if (!own) return ', so the customer cannot pay yet'
      return unanswered ? '' : ` when the hub asked for a ${instruction?.kind} of ${money(instructed)}`
    },
    'more.refused': () => {
      if (own) return quoted('It said', unanswered?.message ?? instruction?.error) + askedAgain()
      const tried = ` The hub has tried ${times(state.rounds.count)}.${quoted('The PSP said', error)}`
      return tried + othersTried() + announcedAgain()
    },
    'more.restored': () => (isSandbox ? ' Backups do not include the sandbox.' : ''),
    'more.checkedAgain': () =>
      instruction?.state === 'waiting'
        ? quoted('It said', instruction.error) + next('The hub tries again', 'instruct')
        : askedAgain(),
    'more.bounced': () =>
      quoted('The error was', ofKind(state, 'capture').findLast((one) => one.state === 'failed')?.error),
    'more.where': () => (elsewhere.length > 0 ? '' : ` at ${account}`),
    // What was paid on top of the order, or how little of it.
    'more.ofOrder': () => {
      const tip = tipOf(state)
      if (tip > 0) return `, of which ${money(tip)} is a tip,`
      return paid < order.amount ? ` of ${money(order.amount)}` : ''
    },
    'more.letGo': () => {
      const released = releasedOf(state)
      return released > 0 ? ` ${money(released)} of what was reserved was released.` : ''
    },
    'more.learnt': () => {
      const step = steps.findLast(({ action }) => action === 'Chargeback')
      return step ? `; the hub learnt of it at ${at(step.at / 1000)}` : ''
    },
    'more.notAgain': () => (isPending(state) ? ' The customer must not pay again.' : ''),
  }
}

/** Writes a time of the job's clock, and what the real clock then shows, if the shop has moved the job's. */
function byClocks({ clock }: State, time: number): string {
  return clock.offset === 0
    ? at(time)
    : `${at(time)} by its own clock (${at(realAt(clock, time))} by the real one)`
}

/** Quotes another system's words in a sentence of their own, if there are any. */
function quoted(who: string, words: string | null | undefined): string {
  return words ? ` ${who}: "${words}"${asSentence(words) === words ? '' : '.'}` : ''
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
