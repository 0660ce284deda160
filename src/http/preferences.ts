/** The longest (s) that an answer is waited for; a client that asks for more gets this. */
export const LONGEST_WAIT = 60

/** An element of a comma-separated list, in which quoted texts may hold commas. */
const ELEMENT = /(?:[^,"]|"(?:[^"\\]|\\.)*")+/g

/**
 * The seconds that a client wants to wait for an answer at most, by `Prefer: wait=N` (RFC 7240, section 4.3), or null. The first
 * of several counts, and what is malformed is ignored, as section 2 says.
 */
export const waitOf = ({ headers }: Request): number | null => {
  const elements = headers.get('prefer')?.match(ELEMENT) ?? []
  const first = elements.find((element) => /^\s*wait\s*([=;]|$)/i.test(element))
  const [, seconds, quoted] = /^\s*wait\s*=\s*(?:(\d+)|"(\d+)")\s*(?:;|$)/i.exec(first ?? '') ?? []
  const wait = Math.min(Number(seconds ?? quoted ?? 0), LONGEST_WAIT)
  return wait > 0 ? wait : null
}

/**
 * Whether a client wants server-sent events more than JSON, by its `Accept` (RFC 9110, section 12.5.1). Who takes both alike
 * gets JSON.
 */
export const wantsEvents = ({ headers }: Request): boolean => {
  const ranges = (headers.get('accept') ?? '').split(',').map((range) => range.toLowerCase())
  const weightOf = (type: string): number => {
    const range = ranges.find((candidate) => candidate.split(';')[0]?.trim() === type)
    if (range === undefined) return 0
    return Number(/;\s*q\s*=\s*([\d.]+)/.exec(range)?.[1] ?? 1)
  }
  return weightOf('text/event-stream') > weightOf('application/json')
}

/**
 * Whether `If-None-Match` names an entity tag: then the client has this content already (RFC 9110, section 13.1.2). The
 * comparison is the weak one.
 */
export const hasContent = ({ headers }: Request, etag: string): boolean => {
  const field = headers.get('if-none-match')
  if (field === null) return false
  return field.trim() === '*' || Array.from(field.matchAll(/"[^"]*"/g), ([tag]) => tag).includes(etag)
}
