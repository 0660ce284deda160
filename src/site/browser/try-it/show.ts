import type { Exchange } from './ask.ts'

/** Shows what was asked and what came back, the newest first. All of it is text: nothing of an answer is taken for HTML. */
export function showExchange(
  into: HTMLElement,
  { request, status, statusText, headers, text, body }: Exchange,
): void {
  const answer = [
    `${status} ${statusText}`.trim(),
    ...headers,
    '',
    body === null ? text : JSON.stringify(hidden(body), null, 2),
  ]
  into.prepend(block('You sent', request), block('The hub answered', answer.join('\n')))
}

/** Shows a sentence, with a link behind it where there is one. */
export function showText(into: HTMLElement, text: string, kind: 'good' | 'bad', link?: string): void {
  const paragraph = document.createElement('p')
  paragraph.className = kind
  paragraph.textContent = text
  if (link !== undefined) {
    const anchor = document.createElement('a')
    Object.assign(anchor, { href: link, textContent: 'pay', target: '_blank', rel: 'noopener' })
    paragraph.append(anchor)
  }
  into.prepend(paragraph)
}

function block(title: string, text: string): HTMLElement {
  const figure = document.createElement('figure')
  const caption = document.createElement('figcaption')
  caption.textContent = title
  const pre = document.createElement('pre')
  pre.tabIndex = 0
  pre.textContent = text
  figure.append(caption, pre)
  return figure
}

/** A token is as good as a key for 24 hours: a screen that others see does not show it. */
function hidden(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'token' in body ? { ...body, token: '…' } : body
}
