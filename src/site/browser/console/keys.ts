/** Keys for who does not want to reach for the mouse: `/` searches, `j` and `k` go down and up a list, Enter opens what is chosen. */
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
  })
}

function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const here = rows.findIndex((row) => row === document.activeElement)
  rows[here < 0 ? 0 : Math.min(Math.max(here + by, 0), rows.length - 1)]?.focus()
}
