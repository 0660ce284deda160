import * as v from 'valibot'
import { AuditEntry } from '../contract/audit.ts'
import type { Result } from '../contract/result.ts'
import { utf8 } from '../platform/crypto/hash.ts'
import { storedShape } from '../platform/stored.ts'

/**
 * An entry's content: who did what to which subject, in which request, and the result. `token`: the
 * id of the operator's token, or of the one that began the session; empty for other proofs.
 */
const AuditContent = v.omit(AuditEntry, ['number', 'at', 'of', 'previous', 'hash'])
export type AuditContent = v.InferOutput<typeof AuditContent>

/** The values before or after a change, by name. None is ever a secret. */
export type AuditValues = NonNullable<AuditContent['before']>
type AuditValue = AuditValues[string]

/** An entry's content as the log stores it, next to its number, time, hash and `of`. */
export const storedAuditEntry = storedShape(AuditContent)

/** An entry to write. `of`: the number of the `begun` entry that this one ends. */
export type AuditRecord = AuditContent & { of: number | null }

/** An entry to hash. `number` counts from 1; `previous` is the hash of the previous entry. */
export type UnhashedEntry = Omit<AuditEntry, 'hash'>

export type AuditHead = { number: number; hash: string }

export const BEFORE_ALL: AuditHead = { number: 0, hash: '0'.repeat(64) }

/** Returns a netstring: the number of UTF-8 bytes, a colon, the text, a comma. Unambiguous. */
function net(text: string): string {
  return `${utf8(text).length}:${text},`
}

/** Returns the text to hash (docs/audit.md). Its form never changes, so that old entries stay valid. */
export function canonicalEntry(entry: UnhashedEntry): string {
  return [
    entry.previous,
    String(entry.number),
    entry.at,
    entry.by,
    entry.role,
    entry.via,
    entry.token,
    entry.action,
    entry.subject,
    entry.result,
    entry.of === null ? '' : String(entry.of),
    entry.request,
    canonicalValues(entry.before),
    canonicalValues(entry.after),
  ]
    .map(net)
    .join('')
}

/** Sorts by name, in ASCII. Null becomes an empty text, and an object without members `+`. */
function canonicalValues(values: AuditValues | null): string {
  return values === null
    ? ''
    : `+${Object.keys(values)
        .toSorted()
        .map((name) => net(name) + net(canonicalValue(values[name] ?? null)))
        .join('')}`
}

/** Returns a letter for the type, and the value. */
function canonicalValue(value: AuditValue): string {
  if (value === null) return 'z'
  if (typeof value === 'string') return `s${value}`
  if (typeof value === 'number') return `n${value}`
  if (typeof value === 'boolean') return value ? 't' : 'f'
  return `l${value.map(net).join('')}`
}

const LONGEST_TEXT = 200
const MOST_OF_A_LIST = 200

/** Shortens a text, and makes it valid UTF-8. */
function textOf(text: string): string {
  return text.slice(0, LONGEST_TEXT).toWellFormed()
}

/** Turns a number that is not a safe integer into a text: languages write such numbers differently. */
function valueOf(value: AuditValue): AuditValue {
  if (typeof value === 'string') return textOf(value)
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : String(value)
  return value !== null && typeof value === 'object' ? value.slice(0, MOST_OF_A_LIST).map(textOf) : value
}

function valuesOf(values: AuditValues | null): AuditValues | null {
  return values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueOf(value)]))
}

/** Returns an entry's content in the form that the log writes and hashes. */
export function entryContent(record: AuditContent): AuditContent {
  return {
    by: textOf(record.by),
    role: textOf(record.role),
    via: textOf(record.via),
    token: textOf(record.token),
    action: textOf(record.action),
    subject: textOf(record.subject),
    result: record.result,
    request: textOf(record.request),
    before: valuesOf(record.before),
    after: valuesOf(record.after),
  }
}

/** The log's head at the end of a day (`2026-01-31`, UTC), as D1 keeps it. */
export type DayHead = AuditHead & { day: string }

export type Wrong = { number: number; reason: string }

/** Returns what is wrong with the entry after a head, or null. `computed` is the hash that it should have. */
export function wrongAfter(
  last: AuditHead,
  number: number,
  hash: string,
  computed: Result<string, string>,
): Wrong | null {
  if (number !== last.number + 1) return { number: last.number + 1, reason: 'is missing' }
  if (!computed.ok) return { number, reason: computed.error }
  return hash === computed.value ? null : { number, reason: ALTERED }
}

export const ALTERED = 'is not what was written'

/** Returns the first head of a day that contradicts a log with these hashes, up to number `end`. */
export function wrongHead(
  heads: readonly DayHead[],
  end: number,
  hashes: ReadonlyMap<number, string>,
): Wrong | null {
  for (const { day, number, hash } of heads) {
    if (number > end) return { number: end + 1, reason: `is missing: the head of ${day} is entry ${number}` }
    if (hashes.get(number) !== hash) return { number, reason: `differs from the head of ${day} in D1` }
  }
  return null
}
