/** The texts of a form, without spaces around them. */
export type Values = {
  /** The first text of a name; empty without one. */
  get: (name: string) => string
  all: (name: string) => readonly string[]
  entries: () => readonly (readonly [name: string, value: string])[]
}

export function valuesOf(form: URLSearchParams): Values {
  const entries = Array.from(form, ([name, text]) => [name, text.trim()] as const)
  const all = (name: string) => entries.flatMap(([one, text]) => (one === name ? [text] : []))
  return { get: (name) => all(name)[0] ?? '', all, entries: () => entries }
}

export const NOTHING_FILLED_IN = valuesOf(new URLSearchParams())
