import type { AlsoPaid, State } from './state.ts'

/*
 * What a shop may add to a journal has a bound. What brings money in has none.
 */

/** The most tries at reports of one job, after which an operator cannot have one sent again. */
const MOST_TRIES = 300
/** How often the clock of one test job can be moved. */
const MOST_ADVANCES = 40

export function mayResend({ report }: Pick<State, 'report'>): boolean {
  return (report?.history.length ?? 0) < MOST_TRIES
}

export function mayAdvance({ clock }: Pick<State, 'clock'>): boolean {
  return clock.wishes < MOST_ADVANCES
}

/** How many other jobs of its order number a job knows. */
const MOST_OTHERS = 3

/**
 * Returns whether it is news how much money another job of the order number has. A shop may use one
 * number for all its orders, so a job remembers only a few others.
 */
export function mayKnow({ alsoPaid }: Pick<State, 'alsoPaid'>, { job, paid }: AlsoPaid): boolean {
  const known = alsoPaid.find((one) => one.job === job)
  return known ? known.paid !== paid : paid > 0 && alsoPaid.length < MOST_OTHERS
}
