import * as v from 'valibot'
import { withDeadline } from '../../platform/deadline.ts'
import { type AskAnswer, wordIn } from '../answer.ts'
import { type Call, DEADLINE } from '../http-client.ts'
import type { Terminals } from '../port.ts'
import { seenIn } from '../reading.ts'
import { type Intent, intentPath } from './intent.ts'
import { type Action, TerminalMetadata, actionOf, intentOfAction, listReaders, readerPath } from './reader.ts'
import { codeIn, intentIn, intentOf, wholePayment } from './session.ts'
import { AT_TERMINAL, readingWith } from './terminal-reading.ts'
import { announceAt, post } from './terminal-start.ts'
import { withTransfers } from './transfers.ts'

/**
 * Card readers that Stripe drives from its servers:
 * https://docs.stripe.com/terminal/payments/collect-card-payment?terminal-sdk-platform=server-driven.
 * A payment is a payment intent, which the hub tells a reader to process. An intent takes money at most
 * once, however often a reader processes it, and never after it was cancelled.
 */
export function stripeTerminals(call: Call): Terminals {
  return {
    announce: (payment, deadline) => announceAt(call, payment, deadline),
    ask: (reference, currency) =>
      withDeadline(DEADLINE, (deadline) => askIntent(call, reference, currency, deadline)),
    stop: (reference, currency) =>
      withDeadline(DEADLINE, (deadline) => stopIntent(call, reference, currency, deadline)),
    list: () => withDeadline(DEADLINE, (deadline) => listReaders(call, deadline)),
  }
}

/** Returns what the reader of a payment does; null if Stripe does not show it. The intent then decides. */
async function actionFor(call: Call, { metadata }: Intent, deadline: AbortSignal): Promise<Action | null> {
  const ours = v.safeParse(TerminalMetadata, metadata)
  const seen = ours.success ? await actionOf(call, ours.output.terminal, deadline) : null
  return seen?.is === 'seen' ? seen.action : null
}

/** Asks about a payment: about the intent first, so that the reader's state is never older. */
async function askIntent(
  call: Call,
  reference: string,
  currency: string,
  deadline: AbortSignal,
): Promise<AskAnswer> {
  const answer = await wholePayment(call, reference, deadline)
  const intent = intentIn(answer, reference)
  const isWaiting = intent?.status === 'requires_payment_method'
  const action = isWaiting ? await actionFor(call, intent, deadline) : null
  return withTransfers(seenIn(readingWith(action), answer, currency), intent, { call, currency, deadline })
}

/**
 * Takes a payment from its reader, and cancels it. While a card is being authorised Stripe answers that the
 * reader is busy, and the payment goes on. Leaves anything else that the reader does alone.
 */
async function stopIntent(
  call: Call,
  reference: string,
  currency: string,
  deadline: AbortSignal,
): Promise<AskAnswer> {
  const ask = () => askIntent(call, reference, currency, deadline)
  const intent = await intentOf(call, reference, deadline)
  if (!intent.ok || !intent.value || wordIn(AT_TERMINAL, intent.value.status)?.meaning.is !== 'open')
    return ask()
  const ours = v.safeParse(TerminalMetadata, intent.value.metadata)
  const action = await actionFor(call, intent.value, deadline)
  if (ours.success && action?.status === 'in_progress' && intentOfAction(action) === reference) {
    const path = `${readerPath(ours.output.terminal)}/cancel_action`
    if (codeIn(await post(call, path, deadline)) === 'terminal_reader_busy') return ask()
  }
  const answer = await post(call, `${intentPath(reference)}/cancel`, deadline)
  // Refused: the customer has paid meanwhile, or the payment is cancelled already.
  if (answer.is === 'answered' && answer.status >= 400) return ask()
  return seenIn(readingWith(null), answer, currency)
}
