import type { Attempt, OrderToAnnounce } from '../psp/announce.ts'
import type { TerminalRequest } from '../psp/port.ts'
import type { FactOf, Outcome } from './core/facts.ts'
import { leftAloneUntil } from './core/schedule.ts'

type AnnouncedJob = Pick<FactOf<'created'>, 'id' | 'link' | 'pos' | 'fingerprint' | 'origin' | 'order'>

/** On a second announcement the hub does not know whether the terminal already has the order. */
export const PERHAPS_SENT = { isSent: true, mayStart: false }

/**
 * Returns a job's order as an account gets it. `requestAt` adds the hub's addresses for one account.
 * `start`: whether and how an order may begin at its terminal.
 */
export function announcedOf(
  { id, link, pos, fingerprint, origin, order }: AnnouncedJob,
  start: Omit<TerminalRequest, 'id'> = PERHAPS_SENT,
): OrderToAnnounce {
  const requestAt = (account: string) => ({
    job: id,
    pos,
    fingerprint,
    currency: order.currency,
    amount: order.amount,
    capture: order.capture ?? ('automatic' as const),
    description: order.orderNumber,
    paymentMethod: order.paymentMethod,
    language: order.language,
    ipAddress: order.ipAddress,
    returnUrl: `${origin}/return/${link}`,
    cancelUrl: `${origin}/return/${link}?cancelled=1`,
    notificationUrl: `${origin}/notifications/${account}/${link}`,
    ...(order.terminal ? { terminal: { id: order.terminal.id, ...start } } : {}),
  })
  return { job: id, pos, origin, way: order.terminal ? 'terminal' : 'page', requestAt }
}

/** Returns an attempt as a fact. `offset`: how far (ms) the job's clock is ahead. */
export function attemptedOf({ account, asked, ms, answer }: Attempt, offset = 0): FactOf<'attempted'> {
  const at = asked + offset
  return { is: 'attempted', account, asked: at, ms: Math.max(ms, 0), outcome: outcomeOf(answer, at) }
}

function outcomeOf(answer: Attempt['answer'], asked: number): Outcome {
  switch (answer.is) {
    case 'announced': {
      const { reference, expiresAt } = answer
      return answer.way === 'page'
        ? { is: 'took', reference, checkoutUrl: answer.checkoutUrl, expiresAt }
        : { is: 'took', reference, terminal: answer.terminal, expiresAt }
    }
    case 'refused':
      // `message` becomes the job's `error`: a reason that programs can read, then the PSP's own
      // words.
      return { is: 'refused', message: `${answer.reason}: ${answer.message}` }
    case 'unavailable': {
      const { message, accountRefused, retryAfter } = answer
      return {
        is: 'no-answer',
        message,
        ...(accountRefused ? { accountRefused } : {}),
        ...(retryAfter === undefined ? {} : { notBefore: leftAloneUntil(asked, retryAfter) }),
      }
    }
    case 'not-asked':
      return answer
  }
}
