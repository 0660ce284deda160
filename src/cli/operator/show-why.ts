import type { Why } from '../../operator-api/contract/why.ts'
import type { View } from './view.ts'

/** Whose move it is, in words. */
const MOVES: Record<Why['move'], string> = {
  customer: 'It is the customer’s move.',
  psp: 'It is the PSP’s move.',
  shop: 'It is the shop’s move.',
  operator: 'It is your move.',
  hub: 'It is the hub’s move.',
  nobody: 'It is nobody’s move.',
}

/** Why a payment stands as it does, as an operator reads it to a shop. */
export const showWhy = ({ cause, happened, move, todo, also }: Why, view: View): string =>
  view.times(
    [happened, ...also.map((text) => `Also: ${text}`), `${MOVES[move]} ${todo}`, `(${cause})`].join('\n'),
  )
