import { type AskAnswer, OPEN, endedAs, standingOf, wordIn } from '../answer.ts'
import { type Call, unavailable } from '../http-client.ts'
import type { Rail } from '../port.ts'
import { seenIn } from '../reading.ts'
import { AT_PAYPAL, issueIn, pathOf, refuse } from './order.ts'
import { CONFIRMATIONS, DONE_BEFORE, PATIENCE } from './tables.ts'

/** The calls about an order. */
export function callsAbout(call: Call): Pick<Rail, 'ask' | 'stop'> & Required<Pick<Rail, 'confirm'>> {
  const ask: Rail['ask'] = async (reference, currency) =>
    seenIn(AT_PAYPAL, await call('GET', pathOf(reference)), currency)
  return {
    ask,
    /**
     * PayPal cannot cancel an order, and keeps its page open. What the customer approves there pays nothing, because the
     * hub does not confirm it any more. Money may still come of a confirmation whose answer was lost.
     */
    async stop(reference, currency) {
      const seen = await ask(reference, currency)
      const isOpen = seen.is === 'observed' && seen.stage?.is === 'open'
      return isOpen ? standing(endedAs('CANCELLED')) : seen
    },
    /**
     * Captures an approved order, or authorises it: https://developer.paypal.com/docs/api/orders/v2/#orders_capture,
     * https://developer.paypal.com/docs/api/orders/v2/#orders_authorize. PayPal does either only once for an order, so
     * these requests need no idempotency key. Under one, PayPal would repeat a decline.
     */
    async confirm(reference, { currency, capture }) {
      const act = capture === 'manual' ? 'authorize' : 'capture'
      const answer = await call('POST', `${pathOf(reference)}/${act}`, { body: {} })
      if (answer.is === 'unavailable' || answer.status !== 422) return seenIn(AT_PAYPAL, answer, currency)
      const issue = issueIn(answer.body)
      if (DONE_BEFORE.has(issue)) return ask(reference, currency)
      const { reason, message } = refuse(answer.body, 'payment')
      const meaning = wordIn(CONFIRMATIONS, issue)
      if (meaning) return standing(meaning, meaning === OPEN ? {} : { reason: `${reason}: ${message}` })
      return { ...unavailable(message), ...(reason === 'refused_account' ? { accountRefused: true } : {}) }
    },
  }
}

/** Returns how an order stands of which no money came. */
function standing(meaning: Parameters<typeof standingOf>[0], why: { reason?: string } = {}): AskAnswer {
  return { is: 'observed', ...standingOf(meaning, PATIENCE, null), paid: 0, expiresAt: null, ...why }
}
