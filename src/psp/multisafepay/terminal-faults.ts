import type { FaultTable } from '../answer.ts'

/**
 * MultiSafepay's reasons for a payment that was declined at its terminal, as far as the account is to blame:
 * "Your MultiSafepay account is not set up for this payment method or type of transaction"
 * (https://docs.multisafepay.com/docs/card-payment-errors), or what its support has to mend
 * (…/pos-troubleshooting). All others of these pages come from the card or its bank.
 */
export const FAULTS: FaultTable = new Map([
  ['Transaction not permitted to acquirer or terminal', 'refused_account'],
  ['Invalid merchant or service provider', 'refused_account'],
  ['Configuration error. Try again', 'refused_account'],
])
