/** How often (ms, real time) a timer reads the simulated clock. */
const LOOK_EVERY = 2
/** The hub's pauses between tries are shorter than this (ms), its timeouts longer. */
const PATIENCE = 400

/**
 * The hub's timers. A timeout ends by the simulated clock; a pause between tries takes none of its time. Each
 * timer polls the clock: it may be in a Durable Object, which no other code can wake.
 */
export function playedTimers() {
  const [every, stop] = [setInterval.bind(globalThis), clearInterval.bind(globalThis)]
  const dues = new Map<unknown, number>()
  const clear = (timer: Parameters<typeof clearTimeout>[0]): void => {
    dues.delete(timer)
    stop(timer)
  }
  return {
    set(run: () => void, ms: number): ReturnType<typeof setTimeout> {
      const due = Date.now() + ms
      const timer = every(() => {
        if (ms >= PATIENCE && Date.now() < due) return
        clear(timer)
        run()
      }, LOOK_EVERY)
      dues.set(timer, due)
      return timer
    },
    clear,
    any: () => dues.size > 0,
    /** Returns when (ms) the first timer ends; Infinity if there is none. */
    firstEnd: (): number => Math.min(...dues.values()),
    /** Forgets the timers that are over: they fire, or their object is gone. */
    pass() {
      for (const [timer, due] of dues) if (due <= Date.now()) dues.delete(timer)
    },
  }
}
export type PlayedTimers = ReturnType<typeof playedTimers>
