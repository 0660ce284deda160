import { stampAfter } from '../../contract/timestamp.ts'
import { evolve } from './evolve.ts'
import type { Fact } from './facts.ts'
import { plannedAt } from './when-to-ask.ts'
import type { State } from './state.ts'
import { TRANSFER_KINDS } from './transfers.ts'

/** Returns the facts; none if they change no duty, and nothing that a person or a shop can see. */
export function unlessSame(state: State, facts: Fact[], now: number): Fact[] {
  const after = preview(state, facts, now)
  return after.steps.length > state.steps.length || standsDifferently(state, after) ? facts : []
}

/** Returns whether facts are news. That the hub asked on schedule is none by itself. */
export function standsDifferently(before: State, after: State): boolean {
  return sightOf(before) !== sightOf(after)
}

export function preview(state: State, facts: readonly Fact[], now: number): State {
  const { entry } = state
  return evolve(state, { ...entry, at: stampAfter(entry.at, now), facts })
}

/** All of a payment is news, except when the hub asked: so a new member counts unless it is left out here. */
function sightOf(state: State): string {
  const seen = state.payments.map((payment) => {
    const { asks, moves, transfers, ...known } = payment
    const { prompted, unanswered, failure, atEnd } = asks
    // The answer that ends the schedule counts: an object that forgot it would ask again for ever.
    const isPlanned = plannedAt(state, payment) !== null
    const listed = TRANSFER_KINDS.map((kind) => transfers?.[kind] ?? [])
    return [known, listed, moves.length, prompted, unanswered?.how, failure, atEnd, isPlanned]
  })
  const instructions = state.instructions.map(({ state: is, pspId }) => [is, pspId])
  return JSON.stringify([state.standing, seen, instructions])
}
