import { followStream } from './follow.ts'

/**
 * Keeps one of the customer's pages as its payment stands. The attributes of its `main` say how:
 * `data-live` is an address of server-sent events, and `data-shown` the event that the page shows
 * already. `data-page` is the address that is asked for the page as it is now, when an event tells
 * something else, and after `data-after` seconds where the page has that. All words and amounts are
 * the server's.
 */

function follow(main: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let turn: Promise<unknown> = Promise.resolve()

  /** One after the other: what is asked for after an event must be as new as that. */
  const askInTurn = (isNeeded: () => boolean): void => {
    turn = turn.then(async () => isNeeded() && ask(main)).catch(() => {})
    void turn.then(askLater)
  }
  /** A page that waits for an outcome asks by itself too: that makes the hub ask the PSP. */
  const askLater = (): void => {
    const seconds = Number(main.dataset['after'])
    clearTimeout(timer)
    if (seconds > 0) timer = setTimeout(() => askInTurn(() => true), seconds * 1000)
  }

  const address = main.dataset['live']
  if (address)
    followStream({
      address,
      event: 'status',
      onEvent: (data) => askInTurn(() => data !== main.dataset['shown']),
      onRefused: () => askInTurn(() => true),
    })
  askLater()
}

/** Shows the page as the hub has it now, or goes on to where the hub sends the customer. */
async function ask(main: HTMLElement): Promise<void> {
  const { page } = main.dataset
  if (!page) return
  const answer = await fetch(page, { redirect: 'manual' })
  if (answer.type === 'opaqueredirect') return location.replace(page)
  if (answer.status === 404) return location.reload()
  if (answer.ok) show(main, new DOMParser().parseFromString(await answer.text(), 'text/html'))
}

/** Replaces what has changed alone: a screen reader tells that, and the focus stays where it is. */
function show(main: HTMLElement, fresh: Document): void {
  const next = fresh.querySelector('main')
  if (!next) return
  document.title = fresh.title
  Object.assign(main.dataset, next.dataset)
  for (const part of main.querySelectorAll<HTMLElement>('[data-part]')) {
    const now = next.querySelector(`[data-part="${part.dataset['part']}"]`)
    if (!now || now.innerHTML === part.innerHTML) continue
    const focused = linksOf(part).findIndex((link) => link === document.activeElement)
    part.replaceChildren(...now.childNodes)
    if (focused >= 0) linksOf(part).at(focused)?.focus()
  }
}

function linksOf(part: HTMLElement): HTMLElement[] {
  return [...part.querySelectorAll('a')]
}

const main = document.querySelector('main')
if (main) follow(main)
