import type { PlayedTimers } from './timers.ts'

/**
 * A delayed answer. It arrives when it is released, or never if the caller's patience ends first, at `until`
 * (ms).
 */
type Late = { until: number; state: 'on its way' | 'there' | 'given up' }

/** After this many pauses (of 1 ms), work counts as stuck behind a held answer. */
const STUCK_AFTER = 25
/** After this many pauses, work counts as stuck behind a timer, for example that of an unfinished turn. */
const TIMED_AFTER = 500

/**
 * Holds answers back. Callers poll every millisecond, because one Durable Object cannot resolve another's
 * promise. `isStopping`: the hub stops, so that its work never ends.
 */
export function lateAnswers(timers: PlayedTimers, isStopping: () => boolean) {
  let held: Late[] = []
  let begun = 0
  const later = setTimeout.bind(globalThis)
  const pause = (ms = 1) => new Promise<void>((resolve) => later(resolve, ms))
  return {
    /** Waits until the answer is released. Resolves with false if the caller lost patience first. */
    async wait(patience: number): Promise<boolean> {
      const late: Late = { until: Date.now() + patience, state: 'on its way' }
      held.push(late)
      begun++
      while (late.state === 'on its way') await pause()
      return late.state === 'there'
    },
    anyHeld: () => held.length > 0,
    release() {
      for (const late of held) late.state = 'there'
      held = []
    },
    /** Returns when (ms) the first caller loses patience; Infinity if nobody waits. */
    firstEnd: (): number => Math.min(...held.map(({ until }) => until)),
    /** Ends all waiting: callers whose patience is over get no answer, the others get theirs just in time. */
    giveUp() {
      for (const late of held) late.state = late.until <= Date.now() ? 'given up' : 'there'
      held = []
    },
    /** Waits until a condition holds, or work is stuck. */
    async doneWhen(holds: () => boolean, stuckAfter = TIMED_AFTER): Promise<void> {
      for (let pauses = 0; !holds() && pauses < stuckAfter; pauses++) await pause()
    },
    /** Waits until work is done, or stuck behind a timer. No answer is held for it. */
    async doneOrTimed(work: Promise<unknown>): Promise<void> {
      const ended = work.then(
        () => true,
        () => true,
      )
      while (!(await Promise.race([ended, pause(TIMED_AFTER).then(() => timers.any() || isStopping())])));
    },
    /**
     * Waits until work is done or stuck: behind a held answer, or behind other work that waits for one, as
     * questions about one job wait for each other.
     */
    async doneOrHeld(work: Promise<unknown>): Promise<void> {
      const before = begun
      let done = false
      let pauses = 0
      const end = () => void (done = true)
      work.then(end, end)
      const isStuck = () =>
        isStopping() || (held.length > 0 && pauses > STUCK_AFTER) || (timers.any() && pauses > TIMED_AFTER)
      for (; !done && begun === before && !isStuck(); pauses++) await pause()
    },
  }
}
export type LateAnswers = ReturnType<typeof lateAnswers>
