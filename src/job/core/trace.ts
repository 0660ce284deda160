import { dueAfter, dueOf } from './due.ts'
import { type Action, type State, type Step, backOf, heldOf, paidOf, stageOf, statusOf } from './state.ts'

/** Returns a time (µs) after every step of the trace. */
export function stampOf({ entry, updated }: State): number {
  return Math.max(entry.at, updated + 1)
}

/**
 * Adds a step, unless the newest of its action and the newest of all say the same. The step of a capture
 * or a release also says that the hub asked.
 */
export function withStep(state: State, action: Action): State {
  const stage = stageOf(state)
  const { released } = heldOf(state)
  const saysSame = (step: Step | undefined) =>
    step?.status === statusOf(state) &&
    step.paid === paidOf(state) &&
    step.stage === stage &&
    (step.held?.released ?? 0) === released
  const asked = action === 'Statuspull' ? ['Statuspull', 'Capture', 'Release'] : [action]
  const before = state.steps.findLast((one) => asked.includes(one.action))
  const newest = state.steps.at(-1)
  const isOfReserved = newest?.action === 'Capture' || newest?.action === 'Release'
  const isRepeated = saysSame(newest) && (saysSame(before) || isOfReserved)
  return isRepeated ? state : added(state, action)
}

/** Returns what a step is called: by reserved money that was captured or let go, or else as given. */
export function actionFor(before: State, after: State, otherwise: Action): Action {
  const isReserved = after.payments.some(({ authorized }) => authorized > 0)
  if (isReserved && paidOf(before) !== paidOf(after)) return 'Capture'
  return heldOf(before).released === heldOf(after).released ? otherwise : 'Release'
}

/** Adds a step for each total that has changed: money went back, or came again. */
export function withBackSteps(before: State, after: State): State {
  const [was, is] = [backOf(before), backOf(after)]
  const refunded =
    was.refunded === is.refunded ? after : added(after, 'Refund', { ...was, refunded: is.refunded })
  return was.chargedBack === is.chargedBack ? refunded : added(refunded, 'Chargeback', is)
}

/** Adds the steps of what moves of money have changed. */
export function withMoneySteps(before: State, after: State): State {
  const isMoved = paidOf(before) !== paidOf(after) || heldOf(before).released !== heldOf(after).released
  return withBackSteps(before, isMoved ? withStep(after, actionFor(before, after, 'Statuspull')) : after)
}

function added(state: State, action: Action, more: Pick<Step, 'refunded' | 'chargedBack'> = {}): State {
  const stage = stageOf(state)
  const at = stampOf(state)
  const [paid, held, due] = [paidOf(state), heldOf(state), dueOf(state)]
  const step: Step = {
    at,
    action,
    status: statusOf(state),
    paid,
    ...(stage ? { stage } : {}),
    ...more,
    ...(held.authorized > 0 ? { held } : {}),
    ...(due === dueAfter(state, paid) ? {} : { due }),
  }
  return { ...state, steps: [...state.steps, step], updated: at }
}
