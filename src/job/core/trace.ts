import { type Action, type State, type Step, backOf, paidOf, stageOf, statusOf } from './state.ts'

/** Returns a time (µs) after every step of the trace. */
export function stampOf({ entry, updated }: State): number {
  return Math.max(entry.at, updated + 1)
}

/** Adds a step, unless the newest of its action and the newest of all say the same. */
export function withStep(state: State, action: Action): State {
  const stage = stageOf(state)
  const saysSame = (step: Step | undefined) =>
    step?.status === statusOf(state) && step.paid === paidOf(state) && step.stage === stage
  const before = state.steps.findLast((one) => one.action === action)
  const isRepeated = saysSame(before) && saysSame(state.steps.at(-1))
  return isRepeated ? state : added(state, action, stage ? { stage } : {})
}

/** Adds a step for each total that has changed: money went back, or came again. */
export function withBackSteps(before: State, after: State): State {
  const [was, is] = [backOf(before), backOf(after)]
  const refunded =
    was.refunded === is.refunded ? after : added(after, 'Refund', { back: { ...was, refunded: is.refunded } })
  return was.chargedBack === is.chargedBack ? refunded : added(refunded, 'Chargeback', { back: is })
}

function added(state: State, action: Action, more: Pick<Step, 'stage' | 'back'>): State {
  const at = stampOf(state)
  const step = { at, action, status: statusOf(state), paid: paidOf(state), ...more }
  return { ...state, steps: [...state.steps, step], updated: at }
}
