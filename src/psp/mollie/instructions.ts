import * as v from 'valibot'
import { DAY } from '../../contract/timestamp.ts'
import type { InstructionAnswer } from '../answer.ts'
import { type Call, unavailable } from '../http-client.ts'
import type { InstructionCalls, Instruction, MadePayment, Psp } from '../port.ts'
import { type ListPage, checkedFor, findIn, instructedIn, refusedBy } from '../reading.ts'
import { shorten, urlPart } from '../values.ts'
import { AT_MOLLIE, amountOf, keyOf, pathOf } from './payment.ts'
import { DESCRIPTION_LENGTH, PATIENCE } from './tables.ts'

/** https://docs.mollie.com/reference/create-refund, https://docs.mollie.com/reference/get-refund */
export function refunds(call: Call): InstructionCalls {
  return objects(call, 'refund')
}

/**
 * Captures in parts. Mollie's captures cannot be marked as the last one, so a release of the rest follows
 * a final one that succeeded: https://docs.mollie.com/reference/create-capture
 */
export function captures(call: Call): InstructionCalls {
  const parts = objects(call, 'capture')
  /** Releases the rest. Without an answer the capture stays unsettled, and the hub requests it again. */
  const finish = async (
    payment: MadePayment,
    { id, isFinal }: Instruction,
    answer: InstructionAnswer,
  ): Promise<InstructionAnswer> => {
    if (!isFinal || answer.is !== 'taken' || answer.state !== 'done') return answer
    const released = await call('POST', releaseOf(payment), { idempotencyKey: keyOf(afterCapture(id)) })
    return released.is === 'unavailable' ? released : answer
  }
  return {
    instruct: async (payment, wanted) => finish(payment, wanted, await parts.instruct(payment, wanted)),
    check: async (payment, wanted) => finish(payment, wanted, await parts.check(payment, wanted)),
  }
}

/** Returns an id for the release that follows a capture, since the capture's own is the key of another request. */
function afterCapture(id: string): string {
  return id.replace(/^[\da-f]/, (digit) => (parseInt(digit, 16) ^ 1).toString(16))
}

/**
 * Makes the calls for captures or refunds, which are objects of Mollie with the same calls. The hub's id of
 * one is its idempotency key. The metadata has it too, so that the hub finds one whose answer was lost.
 */
function objects(call: Call, kind: 'capture' | 'refund'): InstructionCalls {
  const listOf = ({ reference }: MadePayment) => `${pathOf(reference)}/${kind}s`
  return {
    async instruct(payment, { id, amount, currency, description }) {
      const body = {
        amount: amountOf(amount, currency),
        description: shorten(description, DESCRIPTION_LENGTH),
        metadata: { [kind]: id },
      }
      const options = { body, idempotencyKey: keyOf(id) }
      return instructedIn(AT_MOLLIE, kind, await call('POST', listOf(payment), options))
    },
    async check(payment, { id, reference }) {
      const list = listOf(payment)
      return reference === null
        ? findIn(AT_MOLLIE, kind, call, `${list}?limit=250`, (body) => pageIn(list, `${kind}s`, body), id)
        : checkedFor(AT_MOLLIE, kind, await call('GET', `${list}/${urlPart(reference)}`))
    },
  }
}

export const Links = v.object({ next: v.nullish(v.object({ href: v.string() })) })

/** Returns the first item of a list's next page; null after the last page, undefined if unreadable. */
export function nextIn(links: v.InferOutput<typeof Links> | undefined): string | null | undefined {
  const href = links?.next?.href
  return href === undefined ? null : URL.parse(href)?.searchParams.get('from') || undefined
}

/**
 * Reads a page of a list, newest first:
 * https://docs.mollie.com/reference/list-refunds, https://docs.mollie.com/reference/list-captures
 */
export function pageIn(list: string, name: string, body: unknown): ListPage | null {
  const Page = v.object({ _embedded: v.object({ [name]: v.array(v.unknown()) }), _links: v.optional(Links) })
  if (!v.is(Page, body)) return null
  const from = nextIn(body._links)
  return { items: body._embedded[name] ?? [], next: from && `${list}?limit=250&from=${urlPart(from)}` }
}

function releaseOf({ reference }: MadePayment): string {
  return `${pathOf(reference)}/release-authorization`
}

/**
 * Releases "the full remaining authorized amount". Mollie does that later, if at all: "it is not
 * guaranteed that it will succeed". The payment is then `canceled`, or `paid` if a part was captured:
 * https://docs.mollie.com/reference/release-authorization
 */
export function releases(call: Call, ask: Psp['ask']): InstructionCalls {
  /** Returns `held` while the payment is pending. After that nothing is held any more. */
  const standingOf = async ({ reference }: MadePayment, currency: string, held: InstructionAnswer) => {
    const seen = await ask(reference, currency)
    if (seen.is !== 'observed') return seen
    return seen.status === 'PENDING' ? held : ({ is: 'taken', reference, state: 'done' } as const)
  }
  return {
    async instruct(payment, { id, currency }) {
      const answer = await call('POST', releaseOf(payment), { idempotencyKey: keyOf(id) })
      if (answer.is === 'unavailable') return answer
      // A release has no id of its own. The payment's id shows that Mollie accepted it.
      if (answer.status < 400) return { is: 'taken', reference: payment.reference, state: 'pending' }
      const refused = refusedBy(AT_MOLLIE, answer, 'release')
      // 422: the payment is not authorized, so it may have been released already.
      return answer.status === 422 ? standingOf(payment, currency, refused) : refused
    },
    check: (payment, { currency, reference }) =>
      standingOf(
        payment,
        currency,
        reference === null
          ? unavailable('Mollie does not show whether the release was requested.')
          : { is: 'taken', reference, state: 'pending' },
      ),
    // A repeated release releases nothing more.
    keyLife: PATIENCE.authorized * DAY,
  }
}
