import type { PaymentJob, Step } from '../../../pos-api/contract/payment-job.ts'

/** How a payment stands, in the words of a till, and whether that is good, bad or neither. */
export type Standing = { words: string; hint: string; mood: 'good' | 'bad' | 'open' }

const STANDINGS: Readonly<Record<PaymentJob['status'], Standing>> = {
  PENDING: { words: 'Waiting for the customer', hint: 'Hand nothing over yet.', mood: 'open' },
  SUCCESS: { words: 'Paid', hint: 'Hand over the goods.', mood: 'good' },
  FAILURE: { words: 'Failed', hint: 'Offer to pay again, with a new job.', mood: 'bad' },
  CANCELLED: { words: 'Cancelled', hint: 'Offer to pay again, with a new job.', mood: 'bad' },
  EXPIRED: { words: 'Expired', hint: 'Offer to pay again, with a new job.', mood: 'bad' },
}

const STAGES: Readonly<Record<string, Standing>> = {
  underway: { words: 'On its way', hint: 'The customer has paid by a method that takes days.', mood: 'open' },
  authorized: { words: 'Reserved', hint: 'The money is reserved, and not there yet.', mood: 'open' },
}

/** What a payment that stands like this is called. */
export const standingOf = (status: PaymentJob['status'], stage?: Step['stage']): Standing =>
  (status === 'PENDING' && stage ? STAGES[stage] : undefined) ?? STANDINGS[status]

/** The time of a step with its tenths, by this machine's clock. */
export const timeOf = (instant: string): string =>
  new Date(instant).toLocaleTimeString(undefined, {
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 1,
  })
