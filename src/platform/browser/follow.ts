/** The first and the longest pause (ms) before the next try after the hub refused a stream. */
const RETRY = { first: 10_000, most: 60_000 }

type EventStream = {
  address: string
  event: string
  onEvent: (data: string) => void
  /** Called before each new try, when the hub has refused the stream. */
  onRefused?: () => void
}

/** Follows a stream while the page is visible. The first event after a pause shows the present state. */
export function followStream({ address, event, onEvent, onRefused }: EventStream): void {
  let stream: EventSource | null = null
  let pause = RETRY.first

  const listen = (): void => {
    if (stream || document.hidden) return
    const opened = new EventSource(address)
    stream = opened
    opened.addEventListener(event, ({ data }: MessageEvent<string>) => {
      pause = RETRY.first
      onEvent(data)
    })
    opened.addEventListener('error', () => {
      // The browser reopens a stream that ended, but not a refused one.
      if (opened.readyState !== EventSource.CLOSED || stream !== opened) return
      stream = null
      onRefused?.()
      setTimeout(listen, pause)
      pause = Math.min(pause * 2, RETRY.most)
    })
  }
  const stop = (): void => {
    stream?.close()
    stream = null
  }
  document.addEventListener('visibilitychange', () => (document.hidden ? stop() : listen()))
  addEventListener('pagehide', stop)
  addEventListener('pageshow', listen)
  listen()
}

/** How long (ms) a turn may take, so that a fetch on a broken connection does not block the next ones. */
const LONGEST_TURN = 30_000

/**
 * Makes a queue in which fetches take turns, so that an older answer never replaces a newer one. A fetch
 * that fails or takes too long makes way for the next.
 */
export function turns(): (ask: (signal: AbortSignal) => Promise<unknown>) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve()
  return (ask) => (last = last.then(() => ask(AbortSignal.timeout(LONGEST_TURN))).catch(() => {}))
}
