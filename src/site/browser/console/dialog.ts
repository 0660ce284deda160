/** Shows the page that asks before a change as a dialog. Where that fails, the link leads to the page. */
export function clickedDialog(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (
    !link ||
    event.defaultPrevented ||
    event.button !== 0 ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey
  )
    return
  const open = link.closest('dialog')
  if (open && link.hasAttribute('data-close')) {
    event.preventDefault()
    open.close()
  } else if (link.hasAttribute('data-dialog')) {
    event.preventDefault()
    void show(link.href)
  }
}

async function show(address: string): Promise<void> {
  try {
    const answer = await fetch(address)
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const question = page.querySelector('[data-confirm]')
    const heading = question?.querySelector('h1')
    if (answer.redirected || !question || !heading) return location.assign(address)
    const dialog = document.createElement('dialog')
    heading.id = 'question'
    dialog.setAttribute('aria-labelledby', heading.id)
    dialog.append(document.adoptNode(question))
    dialog.addEventListener('close', () => dialog.remove())
    document.body.append(dialog)
    dialog.showModal()
  } catch {
    location.assign(address)
  }
}
