import { DurableObject } from 'cloudflare:workers'
import { sha256 } from '../platform/crypto/hash.ts'
import {
  ALTERED,
  type AuditEntry,
  type AuditHead,
  type AuditRecord,
  BEFORE_ALL,
  type DayHead,
  type Wrong,
  canonicalEntry,
  entryContent,
  storedAuditEntry,
  wrongAfter,
  wrongHead,
} from './audit-chain.ts'
import type { StoredAuditEntry } from '../contract/backup.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { namedObject } from '../platform/named-object.ts'

/** The most entries that one search looks through. */
export const MOST_LOOKED_AT = 5000

/** Entries older than the number `before`, created in a time (ms). Null is for any. */
type AuditSearch = {
  before: number
  from: number
  to: number
  by: string | null
  action: string | null
  subject: string | null
  limit: number
}

/**
 * `unfinished` began a change without an end. `unreadable` were looked at and cannot be read: they
 * may be what is searched. `next` is the next page's `before`.
 */
type AuditFound = {
  entries: AuditEntry[]
  unfinished: number[]
  unreadable: number[]
  next: number | null
}

/** In an export, an entry that cannot be read, and why. */
type UnreadableEntry = Pick<AuditEntry, 'number' | 'at' | 'of' | 'previous' | 'hash'> & { unreadable: string }

/** `head` is the last entry of the page that is right, `next` the `after` of the next page. */
type AuditChecked = {
  entries: number
  unfinished: number[]
  wrong: Wrong | null
  head: AuditHead
  next: number | null
}

type Row = {
  number: number
  at: number
  ends: number | null
  hash: string
  entry: string
  previous: string
  ended: number | null
}

const ROWS = `select e.*, coalesce(p.hash, '${BEFORE_ALL.hash}') as previous, x.number as ended from entries e
  left join entries p on p.number = e.number - 1 left join entries x on x.ends = e.number`

/** One object, so one chain. Entries never change: the hashes (docs/audit.md) would show it. */
export class AuditLog extends DurableObject<Env> {
  readonly #sql: SqlStorage

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    this.#sql.exec(`create table if not exists entries (number integer primary key, at integer not null,
      ends integer unique, hash text not null, entry text not null)`)
  }

  /**
   * Writes an entry, and returns its head. The end of a change is written once, however often it
   * is told. An entry that came in while this one was hashed goes first, and this one is hashed
   * again.
   */
  async append({ of, ...told }: AuditRecord): Promise<AuditHead> {
    const content = entryContent(told)
    const entry = JSON.stringify(storedAuditEntry.write(content))
    for (;;) {
      const known = of === null ? null : this.#head('where ends = ?', of)
      if (known) return { number: known.number, hash: known.hash }
      const last = this.#newest()
      const number = last.number + 1
      // The log's clock never goes back.
      const at = Math.max(Date.now(), last.at)
      const hash = await sha256(
        canonicalEntry({ ...content, of, number, at: isoTime(at), previous: last.hash }),
      )
      // From here on nothing else runs until the row is there.
      if (this.#newest().number !== last.number) continue
      this.#sql.exec('insert into entries values (?, ?, ?, ?, ?)', number, at, of, hash, entry)
      return { number, hash }
    }
  }

  /** The newest first, of a bounded part: changes wait for this object, so a page may be empty. */
  search({ before, from, to, by, action, subject, limit }: AuditSearch): AuditFound {
    const entries: AuditEntry[] = []
    const unfinished: number[] = []
    const unreadable: number[] = []
    const rows = this.#rows(
      'e.number < ? and e.at >= ? and e.at < ? order by e.number desc',
      before,
      from,
      to,
    )
    let looked = 0
    let last = before
    for (const row of rows) {
      if (looked === MOST_LOOKED_AT) return { entries, unfinished, unreadable, next: last }
      looked += 1
      last = row.number
      const read = readEntry(row)
      if (!read.ok) unreadable.push(row.number)
      if (!read.ok || !isWanted(read.value, { by, action, subject })) continue
      if (entries.length === limit)
        return { entries, unfinished, unreadable, next: entries.at(-1)?.number ?? null }
      entries.push(read.value)
      if (isUnfinished(row)) unfinished.push(row.number)
    }
    return { entries, unfinished, unreadable, next: null }
  }

  /** A page of the entries of a time, oldest first, after that of a number. */
  page(after: number, from: number, to: number, limit: number): (AuditEntry | UnreadableEntry)[] {
    const where = 'e.number > ? and e.at >= ? and e.at < ? order by e.number limit ?'
    return Array.from(this.#rows(where, after, from, to, limit), (row) => {
      const read = readEntry(row)
      return read.ok ? read.value : { ...placeOf(row), unreadable: read.error }
    })
  }

  /** Entries after that of a number as they are stored: a backup keeps them. */
  backUp(after: number, limit: number): StoredAuditEntry[] {
    const stored =
      'select number, at, ends, hash, entry from entries where number > ? order by number limit ?'
    return this.#sql.exec<StoredAuditEntry>(stored, after, limit).toArray()
  }

  /**
   * Writes entries of a backup behind the last one, each if its hash is right; those that are there
   * must be the same. Returns how many were written, or which entry is wrong and why.
   */
  async restore(entries: readonly StoredAuditEntry[]): Promise<Result<number, string>> {
    let written = 0
    for (const stored of entries) {
      const { number, at, ends, hash, entry } = stored
      const known = this.#head('where number = ?', number)
      if (known) {
        if (known.hash !== hash) return refuse(`${number} is another`)
        continue
      }
      const last = this.#newest()
      const computed = await hashOf({ ...stored, previous: last.hash, ended: null })
      const wrong = wrongAfter(last, number, hash, computed)
      if (wrong) return refuse(`${wrong.number} ${wrong.reason}`)
      // From here on nothing else runs until the row is there.
      if (this.#newest().number !== last.number) return refuse(`${number} came in meanwhile`)
      this.#sql.exec('insert into entries values (?, ?, ?, ?, ?)', number, at, ends, hash, entry)
      written += 1
    }
    return ok(written)
  }

  /** A page of the chain as it is stored, and the head before it; null where there is none. */
  chain(after: number, limit: number): { before: AuditHead | null; rows: Row[] } {
    const rows = this.#rows('e.number > ? order by e.number limit ?', after, limit).toArray()
    return { before: this.#head('where number = ?', after), rows }
  }

  /** The last entry of each day from a head on; null where the log does not have that head. */
  headsSince({ number, hash }: AuditHead): DayHead[] | null {
    if (number > 0 && this.#head('where number = ?', number)?.hash !== hash) return null
    // SQLite takes the other columns from the row that has the maximum.
    const ofDays = `select date(at / 1000, 'unixepoch') as day, max(number) as number, hash from entries
      where number > ? group by day order by day`
    return this.#sql.exec<DayHead>(ofDays, number).toArray()
  }

  #rows(where: string, ...values: number[]): SqlStorageCursor<Row> {
    return this.#sql.exec<Row>(`${ROWS} where ${where}`, ...values)
  }

  #newest(): TimedHead {
    return this.#head('') ?? { ...BEFORE_ALL, at: 0 }
  }

  #head(where: string, ...values: number[]): TimedHead | null {
    const newest = `select number, hash, at from entries ${where} order by number desc limit 1`
    const [entry] = this.#sql.exec<TimedHead>(newest, ...values)
    return entry ?? null
  }
}

type TimedHead = AuditHead & { at: number }

/**
 * Recomputes a page of the chain, and compares it with the heads of days from there on. Here, in
 * the Worker: a change waits for the object of the log, and not for those who check it.
 */
export async function verifyChain(
  log: DurableObjectStub<AuditLog>,
  after: number,
  heads: readonly DayHead[],
  limit: number,
): Promise<AuditChecked> {
  const { before, rows } = await log.chain(after, limit)
  const hashes = new Map<number, string>()
  let head: AuditHead = before ?? { ...BEFORE_ALL, number: after }
  let wrong: Wrong | null = after > 0 && before === null ? { number: after, reason: 'is missing' } : null
  for (const row of rows) {
    wrong ??= wrongAfter(head, row.number, row.hash, await hashOf(row))
    if (wrong) break
    head = row
    hashes.set(row.number, row.hash)
  }
  const isEnd = rows.length < limit
  // What comes after a wrong entry is not known yet.
  const told = heads.filter(({ number }) => number <= head.number || (isEnd && !wrong))
  wrong = wrongHead(told, head.number, hashes) ?? wrong
  return {
    entries: hashes.size,
    unfinished: rows.filter((row) => hashes.has(row.number) && isUnfinished(row)).map(({ number }) => number),
    wrong,
    head: { number: head.number, hash: head.hash },
    next: wrong || isEnd ? null : head.number,
  }
}

/** The audit log of this hub, in its jurisdiction: it names people and payments. */
export function auditLog(env: Env): DurableObjectStub<AuditLog> {
  return namedObject(env, env.AUDIT_LOG, 'log')
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

function isUnfinished({ ends, ended }: Row): boolean {
  return ends === null && ended === null
}

function isWanted(
  entry: AuditEntry,
  { by, action, subject }: Pick<AuditSearch, 'by' | 'action' | 'subject'>,
): boolean {
  return (
    (by === null || entry.by === by) &&
    (action === null || entry.action === action) &&
    (subject === null || entry.subject === subject)
  )
}

function placeOf({ number, at, ends, hash, previous }: Row) {
  return { number, at: isoTime(at), of: ends, previous, hash }
}

/** What an entry tells, or why this release cannot read it. It does not hide the others. */
function readEntry(row: Row): Result<AuditEntry, string> {
  const content = storedAuditEntry.read(jsonOf(row.entry))
  if (content.ok) return ok({ ...entryContent(content.value), ...placeOf(row) })
  return refuse(content.error.is === 'newer' ? content.error.detail : ALTERED)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The hash that an entry should have, or why it has none. Somebody has changed an entry whose text
 * is not, byte by byte, what the hub writes of it: with a member that is not hashed, or one twice.
 */
async function hashOf(row: Row): Promise<Result<string, string>> {
  const read = readEntry(row)
  if (!read.ok) return read
  const text = JSON.stringify(storedAuditEntry.write(entryContent(read.value)))
  return row.entry === text ? ok(await sha256(canonicalEntry(read.value))) : refuse(ALTERED)
}
