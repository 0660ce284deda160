/**
 * On a phone the list of sections is wider than the screen: it is scrolled to where one is. Not by `scrollIntoView`, after which Tab would
 * go on from there and pass by the link that skips the list.
 */
export function showSection(): void {
  const here = document.querySelector<HTMLElement>('nav [aria-current=page]')
  const nav = here?.closest('nav')
  if (here && nav) nav.scrollLeft = here.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2
}
