import { REQUESTS } from 'virtual:openapi'

/** A rule that JSON Schema cannot express: `why`, and which bodies it concerns. */
export type Unsayable<Body> = { what: string; why: string; isIn: (body: Body) => boolean }

/** Whether a body matches a schema of the published document. */
export function documentAccepts(schema: string, body: unknown): boolean {
  const accepts = REQUESTS[schema]
  if (!accepts) throw new Error(`the document has no schema ${schema}`)
  return accepts(body)
}

function texts(value: unknown): string[] {
  return typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(texts)
      : []
}

/** Rules for every body. */
export const OF_ALL_TEXTS: readonly Unsayable<object>[] = [
  {
    what: 'a half of a surrogate pair',
    why: 'patterns are of characters, and it is none: the hub refuses it, as it cannot be stored or shown',
    isIn: (body) => texts(body).some((text) => !text.isWellFormed()),
  },
  {
    what: 'characters beyond U+FFFF',
    why: 'JSON Schema counts characters, the hub UTF-16 code units, of which these have two',
    isIn: (body) => texts(body).some((text) => /[\u{10000}-\u{10FFFF}]/u.test(text)),
  },
]
