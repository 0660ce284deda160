import type { Account, Answer } from './stripe-api.ts'
import {
  type Session,
  chargeOf,
  currencyOf,
  idOf,
  membersOf,
  listJson,
  receivedOf,
  refundJson,
  refundedOf,
  refundsJson,
} from './stripe-objects.ts'
import type { Form, Problem } from './stripe-parameters.ts'

export type RefundStatus = 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled'
export type Refund = { id: string; amount: number; status: RefundStatus; metadata: Record<string, string> }

/** `isWithdrawn`: its money has left the account. */
export type Dispute = { id: string; amount: number; status: string; isWithdrawn: boolean }

/** https://docs.stripe.com/api/disputes/object: a dispute does not have its payment's metadata. */
export function disputeJson(session: Session, { id, amount, status, isWithdrawn }: Dispute) {
  return {
    id,
    object: 'dispute',
    amount,
    balance_transactions: isWithdrawn ? [{ object: 'balance_transaction', type: 'adjustment' }] : [],
    charge: chargeOf(session),
    created: session.created,
    currency: currencyOf(session.form),
    is_charge_refundable: false,
    livemode: true,
    metadata: {},
    payment_intent: session.intent,
    reason: 'fraudulent',
    status,
  }
}

export function refused(problem: Problem): Answer {
  return {
    status: 400,
    body: { error: { type: 'invalid_request_error', ...problem } },
  }
}

export function missing(what: string, id: string | undefined): Answer {
  return {
    status: 404,
    body: {
      error: {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: `No such ${what}: '${id}'`,
      },
    },
  }
}

export function sessionOf({ sessions }: Account, intent: string | undefined): Session | undefined {
  return [...sessions.values()].find((session) => session.intent === intent)
}

const TAKEN = /^(payment_intent|amount|reason|metadata\[[^\]]+\])$/

/** https://docs.stripe.com/api/refunds/create: refunds the whole rest if there is no amount. */
export function createRefund(account: Account, form: Form): Answer {
  const unknown = [...form.keys()].find((param) => !TAKEN.test(param))
  if (unknown)
    return refused({
      code: 'parameter_unknown',
      param: unknown,
      message: `Received unknown parameter: ${unknown}`,
    })
  const intent = form.get('payment_intent')
  const session = sessionOf(account, intent)
  if (!session) return missing('payment_intent', intent)
  const received = receivedOf(session)
  if (received === 0)
    return refused({ message: 'This PaymentIntent does not have a successful charge to refund.' })
  const rest = received - refundedOf(session)
  if (rest === 0) {
    return refused({
      code: 'charge_already_refunded',
      message: `Charge ${chargeOf(session)} has already been refunded.`,
    })
  }
  const amount = Number(form.get('amount') ?? rest)
  if (!Number.isSafeInteger(amount) || amount < 1)
    return refused({ param: 'amount', message: 'Invalid integer' })
  if (amount > rest) {
    return refused({
      param: 'amount',
      message: `Refund amount (${amount}) is greater than unrefunded amount on charge (${rest})`,
    })
  }
  const refund: Refund = {
    id: idOf('re_3'),
    amount,
    status: 'pending',
    metadata: membersOf(form, 'metadata'),
  }
  session.refunds.push(refund)
  return { status: 200, body: refundJson(session, refund) }
}

export function getRefund({ sessions }: Account, id: string): Answer {
  for (const session of sessions.values()) {
    const refund = session.refunds.find((candidate) => candidate.id === id)
    if (refund) return { status: 200, body: refundJson(session, refund) }
  }
  return missing('refund', id)
}

export function page(form: Form, url: string, all: readonly { id: string }[]): Answer {
  return { status: 200, body: listJson(form, url, all) }
}

export function listRefunds(account: Account, form: Form): Answer {
  const session = sessionOf(account, form.get('payment_intent'))
  return session
    ? { status: 200, body: refundsJson(session, '/v1/refunds', form) }
    : page(form, '/v1/refunds', [])
}

export function listDisputes(account: Account, form: Form): Answer {
  const session = sessionOf(account, form.get('payment_intent'))
  return page(form, '/v1/disputes', session?.disputes.map((dispute) => disputeJson(session, dispute)) ?? [])
}
