import * as v from 'valibot'
import { described, documented } from './values.ts'

/** The id of a terminal: the PSP's own. */
export const terminalId = v.pipe(
  v.string('must be a text'),
  v.regex(/^[\w.-]{1,64}$/, 'must be the id of a terminal: letters, digits, points, dashes and underscores'),
)

/** How far the customer at a terminal is. Some PSPs only report that the terminal has the order. */
export const Progress = v.picklist(['waiting-for-card', 'card-read', 'authorising'])
export type Progress = v.InferOutput<typeof Progress>

/** The part of a card that a receipt shows. The hub keeps no other card data. */
export const Card = documented('The card, as a receipt shows it and as far as the PSP reports it.', {
  brand: v.exactOptional(described("The brand, in the PSP's word.", 'visa')),
  lastFour: v.exactOptional(described('The last four digits of its number.', '4242')),
  entryMode: v.exactOptional(described("How the terminal read it, in the PSP's word.", 'contactless')),
  authorisationCode: v.exactOptional(described("The bank's authorisation code.", '123456')),
})
export type Card = v.InferOutput<typeof Card>

/** Names a card as receipts do: the brand, the last digits, how it was read, and the bank's code. */
export function cardText({ brand, lastFour, entryMode, authorisationCode }: Card): string {
  return [brand, lastFour && `•••• ${lastFour}`, entryMode, authorisationCode && `code ${authorisationCode}`]
    .filter(Boolean)
    .join(', ')
}

/** How a payment stands at its terminal. Later releases may add values. */
export const TerminalState = v.pipe(
  v.picklist(['starting', ...Progress.options, 'unknown', 'ended']),
  v.description(
    '`starting`: the hub is asking the terminal. `waiting-for-card`, `card-read`, `authorising`: how far the customer is, as far as the PSP reports it. ' +
      '`unknown`: the card may have been charged. Do not take the money again: the hub keeps asking until `knownBy`; without `knownBy`, look at the payment at the PSP. ' +
      '`ended`: see `status`. Later releases may add values.',
  ),
  v.metadata({ 'x-more-values-may-come': true }),
)
export type TerminalState = v.InferOutput<typeof TerminalState>

/** A terminal as a point of sale sees it. */
export const Terminal = documented('A card terminal that this point of sale may use.', {
  id: described('The id to send as `terminal` in an order.', 'term_7MgL4wea46qkRcoTZjWEH'),
  name: described('The name that the operator chose.', 'Counter 1'),
  isDefault: v.pipe(v.boolean(), v.description('Whether orders for the terminal `default` go to it.')),
  isOn: v.pipe(
    v.nullable(v.boolean()),
    v.description('Whether it is on and connected; `null` if the PSP does not report it.'),
  ),
  busyWith: v.pipe(
    v.nullable(v.pipe(v.string(), v.uuid())),
    v.description(
      'The payment job of this point of sale that it is working on; `null` if the hub knows of none.',
    ),
  ),
})
export type Terminal = v.InferOutput<typeof Terminal>

export const TerminalList = documented('The terminals of a point of sale.', {
  terminals: v.pipe(v.array(Terminal), v.description('Sorted by name.')),
})
export type TerminalList = v.InferOutput<typeof TerminalList>
