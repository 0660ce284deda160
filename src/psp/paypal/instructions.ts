import { withDeadline } from '../../platform/deadline.ts'
import { type InstructionAnswer, type InstructionKind, wordIn } from '../answer.ts'
import { type Call, DEADLINE } from '../http-client.ts'
import type { Act, Instruction, Psp } from '../port.ts'
import { answeredWithout, instructedIn, refusedBy, stateOf } from '../reading.ts'
import { urlPart } from '../values.ts'
import { refundedOf } from './money.ts'
import { AT_PAYPAL, issueIn, pathOf } from './order.ts'
import { type Item, type Parts, amountIn, moneyOf, partsIn, shownBy } from './parts.ts'
import { CAPTURE_STATUSES, DONE_BEFORE, NOT_YET } from './tables.ts'

/** Makes the call for an instruction with what the order shows, which names what the call is about. */
function withOrder(
  call: Call,
  act: (
    parts: Parts,
    wanted: Instruction & { job: string },
    deadline: AbortSignal,
  ) => Promise<InstructionAnswer>,
): Act {
  return ({ job, reference }, wanted) =>
    withDeadline(DEADLINE, async (deadline) => {
      const answer = await call('GET', pathOf(reference), { deadline })
      if (answer.is === 'unavailable') return answer
      const parts = partsIn(answer.body)
      return parts
        ? act(parts, { ...wanted, job }, deadline)
        : answeredWithout(AT_PAYPAL, answer, 'the order')
    })
}

/**
 * The calls that move the money of an order. The hub's id of a capture or a refund is its idempotency key, which PayPal
 * keeps for 45 days, and its `invoice_id`, which the order lists and of which PayPal takes no second.
 */
export function instructions(call: Call): Pick<Psp, InstructionKind> {
  return {
    /** https://developer.paypal.com/docs/api/payments/v2/#authorizations_capture */
    capture: withOrder(call, async ({ authorization, captures }, wanted, deadline) => {
      const known = captures.find(({ invoice_id }) => invoice_id === wanted.id)
      if (known) return stateOf(AT_PAYPAL, 'capture', shownBy(known))
      if (!authorization) return refused('PayPal holds no money to capture.')
      const path = `/v2/payments/authorizations/${urlPart(authorization.id)}/capture`
      return move(call, 'capture', path, wanted, { final_capture: wanted.isFinal ?? false }, deadline)
    }),
    /** https://developer.paypal.com/docs/api/payments/v2/#authorizations_void */
    release: withOrder(call, async ({ authorization }, _wanted, deadline) => {
      if (!authorization) return refused('PayPal holds no money to release.')
      const { id: reference, status } = authorization
      const done = { is: 'taken', reference, state: 'done' } as const
      if (status === 'VOIDED') return done
      const path = `/v2/payments/authorizations/${urlPart(reference)}/void`
      const answer = await call('POST', path, { deadline })
      if (answer.is === 'unavailable') return answer
      const isDone = answer.status < 400 || DONE_BEFORE.has(issueIn(answer.body))
      return isDone ? done : refusedBy(AT_PAYPAL, answer, 'release')
    }),
    /** https://developer.paypal.com/docs/api/payments/v2/#captures_refund */
    refund: withOrder(call, async (parts, wanted, deadline) => {
      const known = parts.refunds?.find(({ invoice_id }) => invoice_id === wanted.id)
      if (known) return stateOf(AT_PAYPAL, 'refund', shownBy(known))
      const { amount, currency } = wanted
      const capture = parts.captures.find((one) => restOf(one, parts, currency) >= amount)
      if (!capture) return refused('PayPal refunds each capture by itself, and none has that much left.')
      const path = `/v2/payments/captures/${urlPart(capture.id)}/refund`
      return move(call, 'refund', path, wanted, { custom_id: wanted.job }, deadline)
    }),
  }
}

function refused(message: string): InstructionAnswer {
  return { is: 'refused', message }
}

/** Returns how much of a capture can still be refunded (minor units). */
function restOf(capture: Item, parts: Parts, currency: string): number {
  if (wordIn(CAPTURE_STATUSES, capture.status) === 'failed') return 0
  return (amountIn(capture.amount, currency) ?? 0) - refundedOf(capture, parts, currency)
}

async function move(
  call: Call,
  kind: 'capture' | 'refund',
  path: string,
  { id, amount, currency, round }: Instruction,
  changes: object,
  deadline: AbortSignal,
): Promise<InstructionAnswer> {
  const money = moneyOf(amount, currency)
  if (!money) return refused(`PayPal counts ${currency} without decimals.`)
  // Under the same key PayPal would repeat its answer of the previous round.
  const idempotencyKey = round === 1 ? id : `${id}-${round}`
  const answer = await call('POST', path, {
    body: { amount: money, invoice_id: id, ...changes },
    idempotencyKey,
    deadline,
  })
  if (answer.is === 'answered' && NOT_YET.has(issueIn(answer.body)))
    return { is: 'not-yet', message: refusedBy(AT_PAYPAL, answer, kind).message }
  return instructedIn(AT_PAYPAL, kind, answer)
}
