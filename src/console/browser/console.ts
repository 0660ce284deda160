import { copyButtons, followLive, keys, localTimes, showSection } from './live-parts.ts'

/** The console's script. Each page works without it. */

localTimes(document)
keys()
copyButtons()
dragRoutes()
followLive()
document.addEventListener('click', clickedDialog)
document.addEventListener('input', chooseTyped)
showSection()
// Disables the buttons of a form that is being sent, because sending twice may change twice.
document.addEventListener('submit', ({ target }) => {
  if (!(target instanceof HTMLFormElement) || target.method !== 'post') return
  setTimeout(() => target.querySelectorAll('button').forEach((button) => (button.disabled = true)))
})
// A page from the browser's back cache would have disabled buttons, so this reloads it.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

/** Typing an amount also chooses the option next to it. Choosing another option empties the amount. */
function chooseTyped({ target }: Event): void {
  if (!(target instanceof HTMLInputElement)) return
  const field = target.form?.querySelector<HTMLInputElement>('[data-chooses]')
  const own = target.form?.querySelector<HTMLInputElement>(`[value="${field?.dataset['chooses']}"]`)
  if (!field || !own) return
  if (target === field) own.checked = true
  else if (target.name === own.name && target !== own) field.value = ''
}

/**
 * Shows the page that asks before a change as a dialog. If that fails, the browser follows the
 * link.
 */
function clickedDialog(event: MouseEvent): void {
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

/** Lets an operator drag a route's accounts into order. Their numbers, which are sent, follow. */
function dragRoutes(): void {
  for (const list of document.querySelectorAll<HTMLElement>('[data-order]')) {
    for (const item of list.children) if (item instanceof HTMLElement) makeDraggable(list, item)
  }
}

function makeDraggable(list: HTMLElement, item: HTMLElement): void {
  const grip = document.createElement('span')
  grip.className = 'grip'
  grip.setAttribute('aria-hidden', 'true')
  item.append(grip)
  grip.addEventListener('pointerdown', (event) => {
    grip.setPointerCapture(event.pointerId)
    item.classList.add('dragged')
  })
  grip.addEventListener('pointermove', ({ clientY }) => {
    if (!item.classList.contains('dragged')) return
    // Moves the other items around the dragged one: an element that leaves the page, even for a
    // moment, loses the pointer.
    while (item.previousElementSibling && clientY < middleOf(item.previousElementSibling))
      item.after(item.previousElementSibling)
    while (item.nextElementSibling && clientY > middleOf(item.nextElementSibling))
      item.before(item.nextElementSibling)
  })
  const drop = (): void => {
    if (!item.classList.contains('dragged')) return
    item.classList.remove('dragged')
    number(list, item)
  }
  grip.addEventListener('pointerup', drop)
  grip.addEventListener('pointercancel', drop)
}

function middleOf(element: Element): number {
  const { top, height } = element.getBoundingClientRect()
  return top + height / 2
}

/** Numbers the dragged account and the accounts that had a number. */
function number(list: HTMLElement, dragged: HTMLElement): void {
  let place = 0
  for (const item of list.children) {
    const input = item.querySelector('input')
    if (input && (item === dragged || input.value !== '')) input.value = String(++place)
  }
}
