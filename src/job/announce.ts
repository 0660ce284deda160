import type { Order } from '../contract/order.ts'
import { DAY } from '../contract/timestamp.ts'
import type { Announced, Attempt } from '../psp/announce.ts'
import type { FactOf } from './core/facts.ts'

/** The order of a job as an account is asked to take it, with the hub's addresses for the PSP. */
export function announcedOf(job: {
  id: string
  link: string
  pos: string
  fingerprint: string
  origin: string
  order: Order
}): Announced {
  const { id, link, pos, fingerprint, origin, order } = job
  const requestAt = (account: string) => ({
    job: id,
    fingerprint,
    currency: order.currency,
    amount: order.amount,
    description: order.orderNumber,
    paymentMethod: order.paymentMethod,
    language: order.language,
    ipAddress: order.ipAddress,
    returnUrl: `${origin}/return/${link}`,
    cancelUrl: `${origin}/return/${link}?cancelled=1`,
    notificationUrl: `${origin}/notifications/${account}/${link}`,
  })
  return { job: id, pos, origin, requestAt }
}

/** What an account made of the order, as a fact. The job's clock is ahead by `offset` (ms). */
export function attemptedOf({ account, asked, ms, answer }: Attempt, offset = 0): FactOf<'attempted'> {
  const at = asked + offset
  return { is: 'attempted', account, asked: at, ms: Math.max(ms, 0), outcome: outcomeOf(answer, at) }
}

function outcomeOf(answer: Attempt['answer'], asked: number): FactOf<'attempted'>['outcome'] {
  switch (answer.is) {
    case 'announced': {
      const { reference, checkoutUrl, expiresAt } = answer
      return { is: 'took', reference, checkoutUrl, expiresAt }
    }
    case 'refused':
      // The job's `error` begins with a reason that a shop's program can read. The PSP's own words
      // follow.
      return { is: 'refused', message: `${answer.reason}: ${answer.message}` }
    case 'unavailable': {
      const { message, accountRefused, retryAfter } = answer
      return {
        is: 'no-answer',
        message,
        ...(accountRefused ? { accountRefused } : {}),
        ...(retryAfter === undefined ? {} : { notBefore: asked + Math.min(retryAfter * 1000, DAY) }),
      }
    }
    case 'not-asked':
      return answer
  }
}
