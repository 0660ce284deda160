import * as v from 'valibot'
import { withDeadline } from '../../platform/deadline.ts'
import {
  type AnnounceAnswer,
  type AskAnswer,
  type Meaning,
  type Observed,
  OPEN,
  closedAs,
  faultOf,
  refusedOrder,
  wordIn,
} from '../answer.ts'
import { type Call, type CallResult, DEADLINE, unavailable } from '../http-client.ts'
import type { CheckResult, ListedTerminal, PaymentRequest, TerminalRequest, Terminals } from '../port.ts'
import {
  type ListPage,
  type PspReading,
  type ShownPayment,
  answeredWithout,
  listIn,
  refusedBy,
  shownCard,
} from '../reading.ts'
import { announcement, refusalOf } from './order-request.ts'
import {
  type ShownOrder,
  hasSucceeded,
  isFailure,
  isKeyRefused,
  isUnknown,
  isUsed,
  orderIn,
  orderedAt,
  pathOf,
  refuse,
  success,
  terminalIdOf,
} from './order.ts'
import { askAt, readingOf } from './reading.ts'
import { decidingWord } from './standing.ts'
import { STATUSES } from './tables.ts'
import { FAULTS } from './terminal-faults.ts'

/** Tells the operator how to set up card terminals: https://docs.multisafepay.com/docs/smartpos-activation */
export const TERMINALS =
  'Only in live mode, and only SmartPOS terminals, of one group for each account. In the MultiSafepay dashboard: Devices → Terminals → Manage groups shows the API key of the group, which is the terminalKey of this account. On each terminal switch on cloud mode, under Settings → Payment settings.'

/**
 * Payments at SmartPOS terminals in cloud mode: https://docs.multisafepay.com/docs/smartpos-solutions.
 * `call` has the key of the group of terminals, because another key "can cause any subsequent API calls
 * associated with that order to fail". `callWebsite` has the key of the website.
 */
export function terminals(call: Call, callWebsite: Call): Terminals {
  return {
    async ask(reference, currency) {
      const seen = await askAt(call, reference, currency, readingAt)
      return seen.is === 'unknown' ? WAITING : seen
    },
    stop: (reference, currency) => stopAt(call, reference, currency),
    async announce(payment, deadline) {
      const { terminal, currency } = payment
      if (!terminal) return refusedOrder('refused_other', 'The order names no terminal.')
      const refusal = refusalOf(payment)
      if (refusal) return refusal
      const within: Call = (method, path, options) => call(method, path, { ...options, deadline })
      const reference = terminalIdOf(payment.job, payment.amount)
      if (terminal.isSent) {
        const held = await within('GET', pathOf(reference))
        if (held.is === 'unavailable' || !isUnknown(held)) return toHeld(held, payment, terminal)
        // The order may be on the terminal's screen before MultiSafepay shows it, and must not be paid now.
        if (!terminal.mayStart) return afterStop(await stopAt(within, reference, currency), payment, terminal)
      }
      const body = order(payment, terminal)
      return toAnnounced(await within('POST', '/orders', { body }), payment, terminal)
    },
    async list() {
      const own = await listBy(call)
      // MultiSafepay's reference wants the group's key for this call, but its php-sdk the account's.
      return own.is === 'unavailable' && own.accountRefused ? listBy(callWebsite) : own
    },
  }
}

/** "To cancel a POS order, use a POST method. PATCH methods are not supported." */
async function stopAt(call: Call, reference: string, currency: string): Promise<AskAnswer> {
  const stopped = await call('POST', `${pathOf(reference)}/cancel`)
  if (stopped.is === 'unavailable') return stopped
  const seen = await askAt(call, reference, currency, readingAt)
  return seen.is === 'unknown' && hasSucceeded(stopped) ? CANCELLED : seen
}

/** Checks the key of a group of terminals by asking for an order that does not exist. */
export async function checkTerminalKey(call: Call): Promise<CheckResult> {
  const answer = await call('GET', pathOf('no-order'))
  if (answer.is === 'unavailable') return answer
  return isKeyRefused(answer) ? refuse(answer.body, 'account') : { is: 'working' }
}

/** MultiSafepay has the order, but shows it only once the customer has begun to pay. */
const WAITING: Observed = {
  is: 'observed',
  status: 'PENDING',
  stage: { is: 'open' },
  paid: 0,
  expiresAt: null,
}
export const CANCELLED: Observed = {
  is: 'observed',
  status: 'CANCELLED',
  closed: true,
  paid: 0,
  expiresAt: null,
}

/** https://docs.multisafepay.com/reference/createcloudorder */
function order(payment: PaymentRequest, { id }: TerminalRequest) {
  const { type, currency, amount, description, payment_options, customer } = announcement(payment)
  const { notification_url, notification_method } = payment_options
  return {
    type,
    order_id: terminalIdOf(payment.job, amount),
    gateway: '',
    currency,
    amount,
    description,
    payment_options: { notification_url, notification_method },
    ...(customer.locale ? { customer: { locale: customer.locale } } : {}),
    gateway_info: { terminal_id: id },
  }
}

function announced({ job, amount }: PaymentRequest, { id }: TerminalRequest): AnnounceAnswer {
  const reference = terminalIdOf(job, amount)
  return { is: 'announced', reference, way: 'terminal', terminal: id, expiresAt: null }
}

function toAnnounced(answer: CallResult, payment: PaymentRequest, terminal: TerminalRequest): AnnounceAnswer {
  if (answer.is === 'unavailable') return answer
  const reference = terminalIdOf(payment.job, payment.amount)
  if (isUsed(answer) && terminal.isSent)
    return unavailable('MultiSafepay holds the order, but does not show its state.')
  if (isFailure(answer)) return refusedBy(readingOf(reference), answer, 'payment')
  const Created = success(v.object({ order_id: v.literal(reference) }))
  return v.is(Created, answer.body)
    ? announced(payment, terminal)
    : unavailable('MultiSafepay answered without the order.')
}

/**
 * Returns an existing order as announced. Its id names the job and the amount, and a job has one order. The
 * customer may have given a tip already.
 */
function toHeld(answer: CallResult, payment: PaymentRequest, terminal: TerminalRequest): AnnounceAnswer {
  if (answer.is === 'unavailable') return answer
  const reference = terminalIdOf(payment.job, payment.amount)
  const held = orderIn(answer.body, reference)
  // A refusal of the question says nothing about the order.
  if (!held) return answeredWithout(readingOf(reference), answer, `the order ${reference}`)
  return held.currency === payment.currency && held.amount >= payment.amount
    ? announced(payment, terminal)
    : refusedOrder('refused_other', 'MultiSafepay holds another order under this id.')
}

/** Returns the answer for an order that MultiSafepay did not show and the hub cancelled. */
function afterStop(seen: AskAnswer, payment: PaymentRequest, terminal: TerminalRequest): AnnounceAnswer {
  if (seen.is === 'unavailable') return seen
  const isOver = seen.is === 'unknown' || seen.closed === true
  return isOver
    ? refusedOrder('terminal_unreachable', 'MultiSafepay has no payment of the order: it never began.')
    : announced(payment, terminal)
}

/**
 * "Finalized POS transactions will always have a status of completed or cancelled": cancelled on the
 * terminal, by the API, or after 60 seconds without activity. `declined` "is not a final state", because
 * the customer may enter a PIN: https://docs.multisafepay.com/docs/smartpos-solutions
 */
export const STATUSES_AT_TERMINALS: typeof STATUSES = {
  ...STATUSES,
  declined: OPEN,
  cancelled: closedAs('CANCELLED'),
}

function readingAt(...[reference, parts]: Parameters<typeof readingOf>): PspReading {
  const page = readingOf(reference, parts)
  return {
    ...page,
    read(body, currency) {
      const shown = page.read(body, currency)
      const held = orderIn(body, reference)
      if (!shown || 'is' in shown || !held) return shown
      const meaning = meaningAt(held, shown.meaning)
      if (meaning.is === 'paid') return { ...shown, meaning, ...paidAt(held) }
      const isDeclined = meaning.is === 'ended' && held.financial_status === 'declined'
      return {
        ...shown,
        meaning,
        ...(isDeclined
          ? { reason: faultOf(FAULTS, { psp: 'MultiSafepay', code: held.reason, says: null }) }
          : {}),
      }
    },
  }
}

function meaningAt(held: ShownOrder, meaning: Meaning): Meaning {
  const isOwnWord = meaning.is === 'ended' && held.status === decidingWord(held)
  return (isOwnWord ? wordIn(STATUSES_AT_TERMINALS, held.status) : undefined) ?? meaning
}

/** The amount of a paid order includes the tip: openapi/components/examples/responses/getReceiptTip.json */
function paidAt({ order_id, amount, payment_details }: ShownOrder): Pick<ShownPayment, 'tip' | 'card'> {
  const { type: brand, last4: lastFour, card_entry_mode: entryMode } = payment_details ?? {}
  const authorisationCode = payment_details?.authorization_code
  const tip = Math.max(amount - (orderedAt(order_id) ?? amount), 0)
  return { tip, ...shownCard({ brand, lastFour, entryMode, authorisationCode }) }
}

const MOST_LISTED = 100

const Page = v.object({
  data: v.array(v.unknown()),
  pager: v.fallback(v.nullish(v.object({ total_items: v.number() })), null),
})

/** https://docs.multisafepay.com/reference/listterminals */
async function listBy(call: Call): ReturnType<Terminals['list']> {
  let page = 0
  const pageIn = (body: unknown): ListPage | null => {
    if (!v.is(Page, body)) return null
    page += 1
    const isLast = page * MOST_LISTED >= (body.pager?.total_items ?? 0)
    return { items: body.data, next: isLast ? null : pathOfPage(page + 1) }
  }
  const list = await withDeadline(DEADLINE, (deadline) =>
    listIn(readingOf(''), call, pathOfPage(1), { pageIn, what: 'terminals', deadline }),
  )
  return list.is === 'unavailable' ? list : { is: 'listed', terminals: list.items.flatMap(listed) }
}

function pathOfPage(page: number): string {
  return `/terminals?page=${page}&limit=${MOST_LISTED}`
}

const Listed = v.object({
  id: v.string(),
  provider: v.literal('SMARTPOS'),
  name: v.string(),
  active: v.boolean(),
})

/** Reads a terminal. Only SmartPOS terminals take orders from the cloud. An active one may be off. */
function listed(one: unknown): ListedTerminal[] {
  return v.is(Listed, one) ? [{ id: one.id, name: one.name, isOn: one.active ? null : false }] : []
}
