import { localTimes } from './times.ts'

/** Milliseconds to the next try after a stream was refused, and at most after several. */
const RETRY = { first: 10_000, most: 60_000 }
/** Events come in groups: the page is fetched once for those of so many milliseconds. */
const TOGETHER = 150

/** Keeps the parts of a page up to date: each event of its stream says that something happened. All words are the server's. */
export function followLive(): void {
  const main = document.querySelector('main')
  const address = main?.dataset['live']
  if (!main || !address) return
  let stream: EventSource | null = null
  let pause = RETRY.first
  let timer: ReturnType<typeof setTimeout> | undefined

  const fetchAfter = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(
      () =>
        void refresh(main)
          .catch(() => {})
          .then(fetchLater),
      ms,
    )
  }
  const fetchSoon = (): void => {
    pause = RETRY.first
    fetchAfter(TOGETHER)
  }
  /** What no event tells of, such as the try of a report, is asked for while the page says that it is about to come. */
  const fetchLater = (): void => {
    const seconds = Number(main.dataset['after'])
    if (seconds > 0 && !document.hidden) fetchAfter(seconds * 1000)
  }
  const listen = (): void => {
    if (stream || document.hidden) return
    const opened = new EventSource(address)
    stream = opened
    opened.addEventListener('paymentjob', fetchSoon)
    opened.addEventListener('error', () => {
      // A stream that has ended is opened again by the browser. One that was refused is not.
      if (opened.readyState !== EventSource.CLOSED || stream !== opened) return
      stream = null
      setTimeout(listen, pause)
      pause = Math.min(pause * 2, RETRY.most)
    })
  }
  /** Nobody watches a page that nobody sees: the first event of the next stream tells what was missed. */
  const stop = (): void => {
    stream?.close()
    stream = null
  }
  document.addEventListener('visibilitychange', () => (document.hidden ? stop() : listen()))
  addEventListener('pagehide', stop)
  listen()
  fetchLater()
}

/** Replaces what has changed, and nothing else: a screen reader tells that, and the focus stays where it is. */
async function refresh(main: HTMLElement): Promise<void> {
  const answer = await fetch(location.pathname)
  if (!answer.ok || answer.redirected) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const next = fresh.querySelector('main')?.dataset['after']
  if (next === undefined) delete main.dataset['after']
  else main.dataset['after'] = next
  document.documentElement.dataset['now'] = fresh.documentElement.dataset['now'] ?? ''
  localTimes(fresh)
  for (const part of main.querySelectorAll<HTMLElement>('[data-part]')) {
    const now = fresh.querySelector(`[data-part="${part.dataset['part']}"]`)
    // What somebody is about to press stays until they have left it.
    if (!now || part.contains(document.activeElement) || sameText(now, part)) continue
    const opened = [...part.querySelectorAll('details')].map(({ open }) => open)
    part.replaceChildren(...now.childNodes)
    part.querySelectorAll('details').forEach((details, place) => (details.open = opened[place] ?? false))
  }
}

function sameText(one: Element, other: Element): boolean {
  return (
    one.textContent === other.textContent &&
    one.querySelectorAll('*').length === other.querySelectorAll('*').length
  )
}
