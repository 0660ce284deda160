import type { PlayedTimers } from './timers.ts'

/**
 * An answer from outside that is on its way: it comes when it is let go, or never when its patience
 * ends before.
 */
type Late = { until: number; state: 'on its way' | 'there' | 'given up' }

/**
 * Pauses (of a millisecond) after which work that makes no progress is stuck while an answer is
 * held back.
 */
const STUCK_AFTER = 25
/**
 * Pauses after which it is stuck behind a timer: a turn that somebody took and never ended is over
 * at its time.
 */
const TIMED_AFTER = 500

/**
 * Holds answers back. Those who wait look again every millisecond instead of being woken: they may
 * run in a Durable Object, and one request cannot fulfil the promise of another object's.
 */
export function lateAnswers(timers: PlayedTimers) {
  let held: Late[] = []
  let begun = 0
  const later = setTimeout.bind(globalThis)
  const pause = (ms = 1) => new Promise<void>((resolve) => later(resolve, ms))
  return {
    /** Waits for the answer to be let go. False when the one who asked lost patience first. */
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
    /** When the first patience ends, if anybody waits. */
    firstEnd: (): number => Math.min(...held.map(({ until }) => until)),
    /**
     * Those whose patience has ended by now go without an answer; the others get theirs just in
     * time.
     */
    giveUp() {
      for (const late of held) late.state = late.until <= Date.now() ? 'given up' : 'there'
      held = []
    },
    /** Waits until it is so, or until work is stuck. */
    async doneWhen(isSo: () => boolean): Promise<void> {
      for (let pauses = 0; !isSo() && pauses < TIMED_AFTER; pauses++) await pause()
    },
    /** Waits for work that nothing is held back for to be done, or to be stuck behind a timer. */
    async doneOrTimed(work: Promise<unknown>): Promise<void> {
      const ended = work.then(
        () => true,
        () => true,
      )
      while (!(await Promise.race([ended, pause(TIMED_AFTER).then(() => timers.any())])));
    },
    /**
     * Waits for work to be done, or to be stuck: behind an answer that is held back for it, or
     * behind other work that such an answer or a timer holds up, as looks at one job wait for one
     * another.
     */
    async doneOrHeld(work: Promise<unknown>): Promise<void> {
      const before = begun
      let done = false
      let pauses = 0
      const end = () => void (done = true)
      work.then(end, end)
      const isStuck = () =>
        (held.length > 0 && pauses > STUCK_AFTER) || (timers.any() && pauses > TIMED_AFTER)
      for (; !done && begun === before && !isStuck(); pauses++) await pause()
    },
  }
}
export type LateAnswers = ReturnType<typeof lateAnswers>
