import { FIGURES, figuresWith } from '../../contract/money-figures.ts'
import { recordOf } from '../../contract/record-of.ts'
import type { Action } from '../../contract/values.ts'
import { type State, type TraceStep, stageOf, statusOf } from './state.ts'
import { heldOf, paidOf } from './money.ts'
import { SUMS, sumsOf, tracedSum } from './sums.ts'

/** Returns a time (µs) after every step of the trace. */
export function stampOf({ entry, updated }: State): number {
  return Math.max(entry.at, updated + 1)
}

const OF_RESERVED: ReadonlySet<Action> = new Set<Action>(['Capture', 'Release'])

/**
 * Adds a step, unless the newest step of its action and the newest of all say the same. A step of a capture
 * or a release also counts as a `Statuspull` and, while it is the newest, as a step of any action.
 */
export function withStep(state: State, action: Action): State {
  const stage = stageOf(state)
  const { released } = heldOf(state)
  const saysSame = (step: TraceStep | undefined) =>
    step?.status === statusOf(state) &&
    step.paid === paidOf(state) &&
    step.stage === stage &&
    (step.released ?? 0) === released
  const newest = state.steps.at(-1)
  const before = state.steps.findLast(
    (one) =>
      one.action === action || (OF_RESERVED.has(one.action) && (action === 'Statuspull' || one === newest)),
  )
  return saysSame(newest) && saysSame(before) ? state : added(state, action)
}

/** Returns `Capture` or `Release` if reserved money was captured or let go, else what the caller gives. */
export function actionFor<Otherwise>(before: State, after: State, otherwise: Otherwise): Action | Otherwise {
  const isReserved = after.payments.some(({ authorized }) => authorized > 0)
  if (isReserved && paidOf(before) !== paidOf(after)) return 'Capture'
  return heldOf(before).released === heldOf(after).released ? otherwise : 'Release'
}

/** Adds a step for each figure that has changed and has steps of its own: money went back, or came again. */
export function withOwnSteps(before: State, after: State): State {
  const figures = sumsOf(before, OWN)
  return OWN.reduce((state, name) => {
    const sum = SUMS[name](after)
    if (figures[name] === sum) return state
    figures[name] = sum
    return added(state, FIGURES[name].action, { ...figures })
  }, after)
}
const OWN = figuresWith('action')
const OF_ALL = figuresWith('inTrace').filter((name) => !('action' in FIGURES[name]))

/** Adds the steps for what moves of money have changed. */
export function withMoneySteps(before: State, after: State): State {
  const action = actionFor(before, after, null)
  return withOwnSteps(before, action ? withStep(after, action) : after)
}

function added(state: State, action: Action, own: Partial<TraceStep> = {}): State {
  const stage = stageOf(state)
  const at = stampOf(state)
  const step: TraceStep = {
    at,
    action,
    status: statusOf(state),
    ...(stage ? { stage } : {}),
    ...sumsOf(state, figuresWith('always')),
    ...recordOf(OF_ALL, (name) => tracedSum(state, name)),
    ...own,
  }
  return { ...state, steps: [...state.steps, step], updated: at }
}
