import { readWeighted, splitUnquoted } from './weighted-list.ts'

/** The longest (s) that an answer is waited for; a client that asks for more gets this. */
export const LONGEST_WAIT = 60

/**
 * The seconds that a client wants to wait for an answer at most, by `Prefer: wait=N` (RFC 7240, section 4.3), or null. The first
 * of several counts, and what is malformed is ignored, as section 2 says.
 */
export function waitOf({ headers }: Request): number | null {
  const elements = splitUnquoted(headers.get('prefer') ?? '', ',')
  const first = elements.find((element) => /^\s*wait\s*([=;]|$)/i.test(element))
  const [, seconds, quoted] = /^\s*wait\s*=\s*(?:(\d+)|"(\d+)")\s*(?:;|$)/i.exec(first ?? '') ?? []
  const wait = Math.min(Number(seconds ?? quoted ?? 0), LONGEST_WAIT)
  return wait > 0 ? wait : null
}

/** Whether a client wants the head of the job's trace, by `Prefer: trace-head`: a preference of the hub's own (RFC 7240, section 2). */
export function wantsTraceHead({ headers }: Request): boolean {
  return splitUnquoted(headers.get('prefer') ?? '', ',').some((element) =>
    /^\s*trace-head\s*(;|$)/i.test(element),
  )
}

/**
 * Whether a client wants server-sent events more than JSON, by its `Accept` (RFC 9110, section 12.5.1). It has to name them: a
 * stream does not end, and who takes anything expects an answer that does. Of the same weight they win over JSON that a wildcard
 * stands for, and JSON that is named wins over them.
 */
export function wantsEvents({ headers }: Request): boolean {
  const ranges = readWeighted(headers.get('accept'))
  const weightOf = (type: string): number | undefined => {
    return ranges.find(({ value }) => value === type)?.weight
  }
  const events = weightOf('text/event-stream') ?? 0
  const named = weightOf('application/json')
  if (events === 0) return false
  return named === undefined ? events >= (weightOf('application/*') ?? weightOf('*/*') ?? 0) : events > named
}

/**
 * Whether `If-None-Match` names an entity tag: then the client has this content already (RFC 9110, section 13.1.2). The
 * comparison is the weak one.
 */
export function hasContent({ headers }: Request, etag: string): boolean {
  const field = headers.get('if-none-match')
  if (field === null) return false
  return field.trim() === '*' || Array.from(field.matchAll(/"[^"]*"/g), ([tag]) => tag).includes(etag)
}
