import { type TimeForm, timeText } from '../../../platform/pages/time-text.ts'

const YEAR = 31_536_000

/**
 * Writes times in the browser's zone where the server wrote them in another, and tells the server
 * which it is from now on.
 */
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

const FORMS: readonly TimeForm[] = ['short', 'full', 'clock', 'hour', 'day']
function formOf(name: string | undefined): TimeForm {
  return FORMS.find((form) => form === name) ?? 'short'
}
