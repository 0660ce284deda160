import { parseAmount, parseAmountNumber } from '../contract/money.ts'
import { type SentAmount, SentNumber } from '../contract/sent-number.ts'
import { refuse, type Result } from '../contract/result.ts'

/** An amount as it was sent, in minor units of its currency; the reason where it is none, or zero. */
export function readSentAmount(sent: SentAmount, currency: string): Result<number, string> {
  const amount =
    sent instanceof SentNumber ? parseAmountNumber(sent.digits, currency) : parseAmount(sent, currency)
  return amount.ok && amount.value === 0 ? refuse('must be more than zero') : amount
}
