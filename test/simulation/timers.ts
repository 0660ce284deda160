/** How often (ms of the real clock) a timer looks at the played clock. */
const LOOK_EVERY = 2
/** The hub's pauses (ms) between tries are shorter than this, its patience is not. */
const PATIENCE = 400

/**
 * The hub's timers. Patience with what is slow ends by the played clock; a pause between tries
 * takes no time of it. Each looks at the clock by itself instead of being fired: it may be of a
 * Durable Object, where nobody else can go on with its work.
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
    /** When the first of them is over, if there is one. */
    firstEnd: (): number => Math.min(...dues.values()),
    /** Forgets those whose time is over: they fire, or were of an object that is no more. */
    pass() {
      for (const [timer, due] of dues) if (due <= Date.now()) dues.delete(timer)
    },
  }
}
export type PlayedTimers = ReturnType<typeof playedTimers>
