import { type TimeForm, timeText } from '../../platform/pages/time-text.ts'
import { followStream, turns } from '../../platform/browser/follow.ts'

/**
 * Scrolls the list of sections to the present one, because on a phone it is wider than the screen.
 * After `scrollIntoView`, Tab would begin there and miss the link that skips the list.
 */
export function showSection(): void {
  const here = document.querySelector<HTMLElement>('nav [aria-current=page]')
  const nav = here?.closest('nav')
  if (here && nav) nav.scrollLeft = here.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2
}

/** Shows the buttons that copy a secret. Without scripts they stay hidden. */
export function copyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    const text = button.parentElement?.querySelector('[data-copied]')?.textContent ?? ''
    button.hidden = false
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(text).then(
        () => tell(button, 'Copied'),
        () => tell(button, 'Select it and copy'),
      )
    })
  }
}

function tell(button: HTMLElement, text: string): void {
  button.textContent = text
  button.setAttribute('aria-live', 'polite')
}

/** Handles keys: `/` searches, `j` and `k` go through a list, `?` lists the keys. */
export function keys(): void {
  document.addEventListener('keydown', (event) => {
    const { key, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return
    if (target instanceof Element && target.closest('input, select, textarea')) {
      if (key === 'Escape' && target instanceof HTMLElement) target.blur()
      return
    }
    if (key === '/') {
      event.preventDefault()
      const search = document.querySelector<HTMLInputElement>('.search input')
      search?.focus()
      search?.select()
    }
    if (key === 'j' || key === 'k') step(key === 'j' ? 1 : -1)
    if (key === '?') document.querySelector<HTMLDialogElement>('#keys')?.showModal()
  })
}

function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const here = rows.findIndex((row) => row === document.activeElement)
  rows[here < 0 ? 0 : Math.min(Math.max(here + by, 0), rows.length - 1)]?.focus()
}

/** Events come in groups: one fetch serves all events within this time (ms). */
const TOGETHER = 150

/** Fetches the page again after each event of its stream, so that only the server writes texts. */
export function followLive(): void {
  const main = document.querySelector('main')
  const address = main?.dataset['live']
  if (!main) return
  const inTurn = turns()
  let timer: ReturnType<typeof setTimeout> | undefined

  const fetchAfter = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void inTurn((signal) => refresh(main, signal)).then(fetchLater), ms)
  }
  /** A page that changes without events has the seconds after which to fetch it again. */
  const fetchLater = (): void => {
    const seconds = Number(main.dataset['after'])
    if (seconds > 0 && !document.hidden) fetchAfter(seconds * 1000)
  }
  if (address)
    followStream({
      address,
      event: 'paymentjob',
      onEvent: () => fetchAfter(TOGETHER),
      // The session may have ended. Fetching the page shows that.
      onRefused: () => fetchAfter(0),
    })
  document.addEventListener('visibilitychange', fetchLater)
  fetchLater()
}

/**
 * Replaces only the parts that changed, so that a screen reader reads those and the focus stays.
 * Goes to the sign-in page when the session has ended.
 */
async function refresh(main: HTMLElement, signal: AbortSignal): Promise<void> {
  const answer = await fetch(location.pathname + location.search, { signal })
  if (answer.redirected) return location.assign(answer.url)
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const next = fresh.querySelector('main')?.dataset['after']
  if (next === undefined) delete main.dataset['after']
  else main.dataset['after'] = next
  document.documentElement.dataset['now'] = fresh.documentElement.dataset['now'] ?? ''
  localTimes(fresh)
  for (const part of main.querySelectorAll<HTMLElement>('[data-part]')) {
    const now = fresh.querySelector(`[data-part="${part.dataset['part']}"]`)
    // A part with the focus stays, so that nobody presses the wrong button.
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

const YEAR = 31_536_000

/** Writes times in the browser's zone, and sets a cookie so that the server does the same. */
export function localTimes(within: ParentNode): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const { dataset } = document.documentElement
  if (!zone || zone === dataset['zone']) return
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `hub-zone=${encodeURIComponent(zone)}; Path=/console; Max-Age=${YEAR}; SameSite=Strict${secure}`
  const now = Number(dataset['now'])
  for (const time of within.querySelectorAll<HTMLElement>('[data-at]')) {
    time.textContent = timeText(time.dataset['at'] ?? '', formOf(time.dataset['form']), zone, now)
  }
  for (const name of within.querySelectorAll('[data-zone-name]')) name.textContent = zone
}

const FORMS: readonly TimeForm[] = ['short', 'full', 'hour', 'day']
function formOf(name: string | undefined): TimeForm {
  return FORMS.find((form) => form === name) ?? 'short'
}
