/** The time (ms) of an answer with one of these headers. */
export const NOW = Date.UTC(2026, 10, 6, 8, 49, 37)
const DAY = 86_400

/** What a `Retry-After` means to a client, in seconds. */
export const TEXTS: readonly [text: string, seconds: number | null][] = [
  ['120', 120],
  ['Fri, 06 Nov 2026 08:51:07 GMT', 90],
  ['Friday, 06-Nov-26 08:51:07 GMT', 90],
  ['Fri Nov  6 08:51:07 2026', 90],
  ['Fri, 06 Nov 2026 08:49:37 GMT', null],
  ['Sun, 06 Nov 1994 08:49:37 GMT', null],
  ['Fri, 31 Dec 9999 23:59:59 GMT', DAY],
  ['99999999999999999999', DAY],
  ['9'.repeat(400), DAY],
  ['0', null],
  ['-5', null],
  ['2.5', null],
  ['1e3', null],
  ['3, 5', null],
  ['soon', null],
  ['soon 2099', null],
  ['tomorrow', null],
  ['2099-01-01T00:00:00Z', null],
  ['Fri, 06 Nov 99999 08:49:37 GMT', null],
  ['Fri, 06 Foo 2099 08:49:37 GMT', null],
  ['', null],
]
