/** How a PSP counts the length of a text: an emoji is one code point, but two UTF-16 units. */
type Unit = 'code points' | 'UTF-16 units'

/** Cuts a text to the length that a PSP takes, never within a character. */
export function shorten(text: string, length: number, unit: Unit = 'code points'): string {
  return unit === 'code points'
    ? Array.from(text).slice(0, length).join('')
    : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}
