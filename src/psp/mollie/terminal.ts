import * as v from 'valibot'
import { DAY, HOUR } from '../../contract/timestamp.ts'
import {
  type AnnounceAnswer,
  type Meaning,
  type Unavailable,
  OPEN,
  faultOf,
  refusedOrder,
  wordIn,
} from '../answer.ts'
import { withDeadline } from '../../platform/deadline.ts'
import { type Call, type CallResult, DEADLINE } from '../http-client.ts'
import type { ListedTerminal, PaymentRequest, TerminalRequest, Terminals } from '../port.ts'
import { type PspReading, type ShownPayment, announcedIn, listIn, shownCard } from '../reading.ts'
import { instantOf } from '../values.ts'
import { pageIn } from './pages.ts'
import { AT_MOLLIE, amountIn, announcement, callsAbout, keyOf } from './payment.ts'
import { STATUSES } from './tables.ts'
import { FAULTS } from './terminal-faults.ts'

/** Tells the operator how to set up card terminals: https://docs.mollie.com/docs/setting-up-terminal */
export const TERMINALS =
  "In Mollie's web app switch on the payment method Point of sale for the profile of the API key, which also creates a test terminal. Terminals belong to one profile. The hub lists those of the key's profile, and needs no further setup."

/** Payments at terminals: https://docs.mollie.com/docs/integrating-mollie-terminals */
export function terminals(call: Call): Terminals {
  return {
    ...callsAbout(call, AT_TERMINAL),
    async announce(payment, deadline) {
      const { terminal } = payment
      if (!terminal) return refusedOrder('refused_other', 'The order names no terminal.')
      if (terminal.isSent && !terminal.mayStart) return lookUp(call, payment, deadline)
      // A repeat under the same key, which lives for an hour, starts no second payment.
      const options = { body: order(payment, terminal), idempotencyKey: keyOf(payment.job), deadline }
      const answer = await call('POST', '/payments', options)
      // 400: the key came with a different request before, perhaps from another release of the hub.
      const isUsed = terminal.isSent && answer.is === 'answered' && answer.status === 400
      return isUsed ? lookUp(call, payment, deadline) : started(answer, payment)
    },
    async list() {
      const path = '/terminals'
      const list = await withDeadline(DEADLINE, (deadline) =>
        listIn(AT_TERMINAL, call, `${path}?limit=250`, {
          pageIn: (body) => pageIn(path, 'terminals', body),
          what: 'terminals',
          deadline,
        }),
      )
      return list.is === 'unavailable' ? list : { is: 'listed', terminals: list.items.flatMap(listed) }
    },
  }
}

/**
 * Returns the payment to create: https://docs.mollie.com/reference/create-payment. `redirectUrl` is
 * required but unused. The customer may add a tip to the amount, so the metadata keeps what was ordered.
 */
function order(payment: PaymentRequest, { id }: TerminalRequest) {
  const { cancelUrl: _, metadata, ...common } = announcement(payment)
  return {
    ...common,
    method: 'pointofsale',
    terminalId: id,
    metadata: { ...metadata, ordered: common.amount },
  }
}

const AboutTerminal = v.object({ field: v.literal('terminalId') })

function started(answer: CallResult, payment: PaymentRequest): AnnounceAnswer {
  const isOfTerminal = answer.is === 'answered' && v.is(AboutTerminal, answer.body)
  const announced = announcedIn(AT_TERMINAL, answer, payment)
  return isOfTerminal && announced.is === 'refused' ? { ...announced, reason: 'terminal_off' } : announced
}

/**
 * Mollie may have made the payment of an order this long (ms) ago: the hub sends an order for up to a day,
 * and looks for its payment for another day.
 */
const SENT_WITHIN = 2 * DAY + HOUR

/**
 * Finds the payment of an order in Mollie's list, newest first, without starting one:
 * https://docs.mollie.com/reference/list-payments
 */
async function lookUp(call: Call, payment: PaymentRequest, deadline: AbortSignal): Promise<AnnounceAnswer> {
  const path = '/payments'
  const since = Date.now() - SENT_WITHIN
  const OfJob = v.object({ metadata: v.object({ paymentJob: v.literal(payment.job) }) })
  const isOfJob = (one: unknown) => v.is(OfJob, one)
  const list = await listIn(AT_TERMINAL, call, `${path}?limit=250`, {
    pageIn: (body) => pageIn(path, 'payments', body),
    what: 'payments of two days',
    deadline,
    isEnough: (one) => isOfJob(one) || (createdAt(one) ?? Infinity) < since,
  })
  if (list.is === 'unavailable') return list
  const found = list.items.find(isOfJob)
  return found === undefined
    ? refusedOrder('terminal_unreachable', 'Mollie has no payment of the order: it never began.')
    : announcedIn(AT_TERMINAL, { is: 'answered', status: 200, body: found }, payment)
}

function createdAt(one: unknown): number | null {
  return v.is(v.object({ createdAt: v.string() }), one) ? instantOf(one.createdAt) : null
}

const Text = v.fallback(v.nullish(v.string()), null)

/** https://docs.mollie.com/reference/get-payment: the members that only a payment at a terminal has. */
const AtTerminal = v.object({
  status: v.unknown(),
  amount: v.unknown(),
  metadata: v.fallback(v.object({ ordered: v.unknown() }), { ordered: null }),
  statusReason: v.fallback(v.nullish(v.object({ code: v.string(), message: v.string() })), null),
  details: v.fallback(
    v.nullish(
      v.object({
        cardLabel: Text,
        cardNumber: Text,
        receipt: v.fallback(v.nullish(v.object({ authorizationCode: Text, cardReadMethod: Text })), null),
      }),
    ),
    null,
  ),
})
type AtTerminal = v.InferOutput<typeof AtTerminal>

const AT_TERMINAL: PspReading = { ...AT_MOLLIE, read: readAtTerminal }

/**
 * https://docs.mollie.com/docs/status-change. A payment may be `pending` before the customer has shown a
 * card, so the hub may still stop it.
 */
export const STATUSES_AT_TERMINALS: Readonly<Record<string, Meaning>> = { ...STATUSES, pending: OPEN }

/** Reads a payment at a terminal. Mollie does not show how far the customer is. */
function readAtTerminal(body: unknown, currency: string): ShownPayment | Unavailable | null {
  const shown = AT_MOLLIE.read(body, currency)
  if (!shown || 'is' in shown) return shown
  const at = v.parse(AtTerminal, body)
  if (shown.meaning.is === 'paid')
    return { ...shown, expiresAt: null, tip: tipIn(at, currency), ...cardIn(at) }
  const meaning = wordIn(STATUSES_AT_TERMINALS, at.status) ?? shown.meaning
  const hasFailed = meaning.is === 'ended' && meaning.status === 'FAILURE'
  return { ...shown, expiresAt: null, meaning, ...(hasFailed ? { reason: reasonOf(at) } : {}) }
}

function reasonOf({ statusReason }: AtTerminal): string {
  return faultOf(FAULTS, { psp: 'Mollie', code: statusReason?.code, says: statusReason?.message })
}

/**
 * Returns the tip: "the amount will be updated to reflect the initial amount plus the tip
 * amount" (https://docs.mollie.com/reference/get-payment).
 */
function tipIn({ amount, metadata }: AtTerminal, currency: string): number {
  const [paid, ordered] = [amountIn(amount, currency), amountIn(metadata.ordered, currency)]
  return paid === null || ordered === null ? 0 : Math.max(paid - ordered, 0)
}

function cardIn({ details }: AtTerminal): Pick<ShownPayment, 'card'> {
  const { cardLabel: brand, cardNumber: lastFour, receipt } = details ?? {}
  const { cardReadMethod: entryMode, authorizationCode: authorisationCode } = receipt ?? {}
  return shownCard({ brand, lastFour, entryMode, authorisationCode })
}

const Listed = v.object({ id: v.string(), description: v.string(), status: v.string() })

/** Reads a terminal. An `active` one is "fully configured and ready to accept payments", but may be off. */
function listed(one: unknown): ListedTerminal[] {
  if (!v.is(Listed, one)) return []
  return [{ id: one.id, name: one.description, isOn: one.status === 'active' ? null : false }]
}
