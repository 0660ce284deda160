import { type Action, type State, backOf, paidOf, statusOf } from './state.ts'

/** Returns a time (µs) after every step of the trace. */
export function stampOf({ steps, entry, updated }: State): number {
  return Math.max(entry.at, (steps.at(-1)?.at ?? 0) + 1, updated + 1)
}

/** Adds a step, unless the newest of its action says the same and nothing has changed since. */
export function withStep(state: State, action: Action): State {
  const { standing } = state
  const last = state.steps.at(-1)
  const step = {
    at: stampOf(state),
    action,
    status: statusOf(state),
    paid: paidOf(state),
    ...(standing.is === 'underway' || standing.is === 'authorized' ? { stage: standing.is } : {}),
    refunded: last?.refunded ?? 0,
    chargedBack: last?.chargedBack ?? 0,
  }
  const before = state.steps.findLast((one) => one.action === action)
  const isChange = last?.status !== step.status || last.paid !== step.paid
  const isRepeated =
    before?.status === step.status && before.paid === step.paid && before.stage === step.stage
  return !isChange && isRepeated ? state : { ...state, steps: [...state.steps, step], updated: step.at }
}

/** Adds a step for each total that has changed: money went back, or came again. */
export function withBackSteps(before: State, after: State): State {
  const [was, is] = [backOf(before), backOf(after)]
  const refunded =
    was.refunded === is.refunded ? after : withBackStep(after, 'Refund', { ...was, refunded: is.refunded })
  return was.chargedBack === is.chargedBack ? refunded : withBackStep(refunded, 'Chargeback', is)
}

function withBackStep(
  state: State,
  action: 'Refund' | 'Chargeback',
  totals: { refunded: number; chargedBack: number },
): State {
  const step = { at: stampOf(state), action, status: statusOf(state), paid: paidOf(state), ...totals }
  return { ...state, steps: [...state.steps, step], updated: step.at }
}
