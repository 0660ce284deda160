import * as v from 'valibot'
import { described, documented } from './values.ts'

/** The id of a terminal: the PSP's own. */
export const terminalId = v.pipe(
  v.string('must be a text'),
  v.regex(/^[\w.-]{1,64}$/, 'must be the id of a terminal: letters, digits, points, dashes and underscores'),
)

/** How far a customer is at a terminal. Some PSPs tell only that the terminal has the order. */
export const Progress = v.picklist(['waiting-for-card', 'card-read', 'authorising'])
export type Progress = v.InferOutput<typeof Progress>

/** The part of a card that a receipt shows. The hub keeps no other card data. */
export const Card = documented('What a receipt shows of the card, as far as the PSP tells it.', {
  brand: v.exactOptional(described('The brand, in the word of the PSP.', 'visa')),
  lastFour: v.exactOptional(described('The last four digits of its number.', '4242')),
  entryMode: v.exactOptional(described('How the terminal read it, in the word of the PSP.', 'contactless')),
  authorisationCode: v.exactOptional(described("The bank's authorisation code.", '123456')),
})
export type Card = v.InferOutput<typeof Card>

/** Names a card as receipts do: the brand, the last digits, how it was read, and the bank's code. */
export function cardText({ brand, lastFour, entryMode, authorisationCode }: Card): string {
  return [brand, lastFour && `•••• ${lastFour}`, entryMode, authorisationCode && `code ${authorisationCode}`]
    .filter(Boolean)
    .join(', ')
}

/** How a payment stands at its terminal. More values may come. */
export const TerminalState = v.pipe(
  v.picklist(['starting', ...Progress.options, 'unknown', 'ended']),
  v.description(
    '`starting`: the terminal is being asked. `waiting-for-card`, `card-read`, `authorising`: how far the customer is, as far as the PSP says. ' +
      '`unknown`: the PSP does not say what became of the payment: do not take the money again, the hub goes on asking until `knownBy`. ' +
      '`ended`: see `status`. More values may come.',
  ),
  v.metadata({ 'x-more-values-may-come': true }),
)
export type TerminalState = v.InferOutput<typeof TerminalState>

/** A terminal as a point of sale sees it. */
export const Terminal = documented('A card terminal that this point of sale may use.', {
  id: described('The id to send as `terminal` in an order.', 'term_7MgL4wea46qkRcoTZjWEH'),
  name: described('The name that the operator gave it.', 'Counter 1'),
  isDefault: v.pipe(v.boolean(), v.description('Whether an order for the terminal `default` goes to it.')),
  isOn: v.pipe(
    v.nullable(v.boolean()),
    v.description('Whether it is on and connected; `null` where the PSP does not say.'),
  ),
  busyWith: v.pipe(
    v.nullable(v.pipe(v.string(), v.uuid())),
    v.description(
      'The payment job of this point of sale that it is at work on; `null` for none that the hub knows.',
    ),
  ),
})
export type Terminal = v.InferOutput<typeof Terminal>

export const TerminalList = documented('The terminals of a point of sale.', {
  terminals: v.pipe(v.array(Terminal), v.description('In the order of their names.')),
})
export type TerminalList = v.InferOutput<typeof TerminalList>
