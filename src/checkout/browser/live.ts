import { followStream, turns } from '../../platform/browser/follow.ts'

/**
 * Keeps a customer's page up to date with its payment, by attributes of its `main`. `data-live` is
 * the address of the events, and `data-shown` the event that the page already shows. The script
 * loads the page at `data-page` again when an event differs from that, and after `data-after`
 * seconds if the page has them. All texts and amounts come from the server.
 */

function follow(main: HTMLElement): void {
  const inTurn = turns()
  let timer: ReturnType<typeof setTimeout> | undefined

  const askIf = (isNeeded: () => boolean): void =>
    void inTurn(async (signal) => isNeeded() && ask(main, signal)).then(askLater)
  /** A page that waits for an outcome also reloads from time to time, which makes the hub ask the PSP. */
  const askLater = (): void => {
    const seconds = Number(main.dataset['after'])
    clearTimeout(timer)
    if (seconds > 0) timer = setTimeout(() => askIf(() => true), seconds * 1000)
  }

  const address = main.dataset['live']
  if (address)
    followStream({
      address,
      event: 'status',
      onEvent: (data) => askIf(() => data !== main.dataset['shown']),
      onRefused: () => askIf(() => true),
    })
  askLater()
}

/** Shows the present page of the hub, or follows a redirect. */
async function ask(main: HTMLElement, signal: AbortSignal): Promise<void> {
  const { page } = main.dataset
  if (!page) return
  const answer = await fetch(page, { redirect: 'manual', signal })
  if (answer.type === 'opaqueredirect') return location.replace(page)
  if (answer.status === 404) return location.reload()
  if (answer.ok) show(main, new DOMParser().parseFromString(await answer.text(), 'text/html'))
}

/** Replaces only changed parts, so that a screen reader reads those and the focus stays. */
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
