import { type Theme, inBrowser, onContentUpdated } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'

// oxlint-disable-next-line import/no-unassigned-import -- styles have no name
import './style.css'

export default {
  extends: DefaultTheme,
  setup() {
    if (!inBrowser) return
    keepLanguage()
    onContentUpdated(markPlace)
  },
} satisfies Theme

/** Marks the link to this page, also for readers who cannot see its colour. */
function markPlace(): void {
  const here = location.pathname.replace(/\/$/, '')
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.VPSidebar a, .VPNavBarMenu a')) {
    if (link.pathname.replace(/\/$/, '') === here) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
}

const KEPT_AS = 'payment-hub.docs.language'

/** Shows all samples in the language that the reader chose last, on any page. */
function keepLanguage(): void {
  let chosen = read()
  const show = () => {
    for (const label of document.querySelectorAll<HTMLLabelElement>('.vp-code-group .tabs > label')) {
      if (label.textContent === chosen && label.control?.matches(':not(:checked)')) label.control.click()
    }
  }
  onContentUpdated(show)
  addEventListener('click', ({ target, isTrusted }) => {
    if (!isTrusted || !(target instanceof HTMLInputElement) || !target.matches('.vp-code-group input')) return
    chosen = target.labels?.[0]?.textContent ?? ''
    write(chosen)
    // The samples above change their height, so it scrolls back to what the reader looks at.
    const before = target.getBoundingClientRect().top
    show()
    scrollBy(0, target.getBoundingClientRect().top - before)
  })
}

/** Reads the choice. Where the browser refuses storage, it holds only for this visit. */
function read(): string | null {
  try {
    return localStorage.getItem(KEPT_AS)
  } catch {
    return null
  }
}

function write(language: string): void {
  try {
    localStorage.setItem(KEPT_AS, language)
  } catch {
    // Without storage the choice holds for this visit.
  }
}
