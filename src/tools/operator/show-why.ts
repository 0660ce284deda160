import { MOVES, type Why } from '../../contract/why.ts'
import type { View } from './view.ts'

/** Why a payment stands as it does, as an operator reads it to a shop. */
export function showWhy({ cause, happened, move, todo, also }: Why, view: View): string {
  return view.times(
    [happened, ...also.map((text) => `Also: ${text}`), `${MOVES[move]} ${todo}`, `(${cause})`].join('\n'),
  )
}
