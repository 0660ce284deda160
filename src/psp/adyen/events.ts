import type { MoneyMove } from '../answer.ts'

/** What an event says of the payment's money. `payment`: it has the reference that refunds need. */
export type Told = MoneyMove['kind'] | 'payment' | 'refund-refused' | 'nothing'

type Outcomes = { true: Told; false: Told }

const NOTHING: Outcomes = { true: 'nothing', false: 'nothing' }
function when(told: Told): Outcomes {
  return { ...NOTHING, true: told }
}

/**
 * The events of standard webhooks that tell of money, with what they say when `success` is true and when it is false
 * (https://docs.adyen.com/api-explorer/Webhooks/1/overview). A payment that is authorised and not captured was counted as paid:
 * a capture that fails takes that back as a chargeback does. A refund that Adyen refuses to make never counted.
 */
export const EVENTS: ReadonlyMap<string, Outcomes> = new Map([
  ['AUTHORISATION', when('payment')],
  ['CAPTURE_FAILED', when('chargeback')],
  ['REFUND', { true: 'refund', false: 'refund-refused' }],
  ['REFUND_FAILED', when('refund-failed')],
  ['REFUNDED_REVERSED', when('refund-failed')],
  ['CHARGEBACK', when('chargeback')],
  ['SECOND_CHARGEBACK', when('chargeback')],
  ['CHARGEBACK_REVERSED', when('chargeback-reversed')],
])

/** What an event says: an unknown one says nothing, and is a reason to pull all the same. */
export function toldBy(eventCode: string, success: string): Told {
  return (EVENTS.get(eventCode) ?? NOTHING)[success === 'true' ? 'true' : 'false']
}
