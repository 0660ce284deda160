import { DurableObject } from 'cloudflare:workers'
import { sha256 } from '../platform/crypto/hash.ts'
import {
  ALTERED,
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
import type { AuditEntry, AuditList, AuditVerified } from '../contract/audit.ts'
import type { StoredAuditEntry } from '../contract/backup.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { isoTime } from '../contract/timestamp.ts'
import { namedObject } from '../platform/named-object.ts'

/** The most entries that one search reads. */
export const MOST_LOOKED_AT = 5000

/** How many entries a verification hashes before other requests of its isolate, such as changes, have their turn. */
const AT_ONCE = 10

/** A search for entries older than the number `before`, from a time range (ms). Null: any. */
type AuditSearch = {
  before: number
  from: number
  to: number
  by: string | null
  action: string | null
  subject: string | null
  limit: number
}

/** A page of a search. `next`: the `before` of the next page. */
type AuditFound = Omit<AuditList, 'next'> & { next: number | null }

/** An entry of an export that this release cannot read, and why. */
type UnreadableEntry = Pick<AuditEntry, 'number' | 'at' | 'of' | 'previous' | 'hash'> & { unreadable: string }

/** A checked page. `head`: its last valid entry; `next`: the `after` of the next page. */
type AuditChecked = Omit<AuditVerified, 'head' | 'next'> & { head: AuditHead; next: number | null }

/** A stored entry, with the hash of the previous one, and the number of the entry that ends it. */
type Row = StoredAuditEntry & { previous: string; ended: number | null }

/** A member of an entry, or null if somebody changed the entry so that it is no JSON. */
function member(name: 'action' | 'subject' | 'after' | 'result'): string {
  return `json_extract(iif(json_valid(entry), entry, '{}'), '$.${name}')`
}
const ACTION = member('action')

/** Keys: the newest entry from a backup, who restored it, and the newest entry when D1 was lost. */
const RESTORED = 'restored'
const RESTORED_BY = 'restored-by'
const LOST_AT = 'lost-at'

/** A change that took something away. `after` is JSON. */
export type TakenAway = { number: number; at: number; action: string; subject: string; after: string | null }

const ROWS = `select e.*, coalesce(p.hash, '${BEFORE_ALL.hash}') as previous, x.number as ended from entries e
  left join entries p on p.number = e.number - 1 left join entries x on x.ends = e.number`

/**
 * The audit log. One object holds it, so there is one chain. If an entry is changed, the hashes show it
 * (docs/audit.md).
 */
export class AuditLog extends DurableObject<Env> {
  readonly #sql: SqlStorage

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    this.#sql.exec(`create table if not exists entries (number integer primary key, at integer not null,
      ends integer unique, hash text not null, entry text not null)`)
    this.#sql.exec(`create index if not exists entries_action on entries (${ACTION})`)
  }

  /**
   * Writes an entry, and returns its head. Writes the end of a change only once, even if called again.
   * If another entry came in between, hashes this one again, behind that one.
   */
  async append(record: AuditRecord): Promise<AuditHead> {
    const { kv } = this.ctx.storage
    const restored = kv.get<AuditRecord>(RESTORED_BY)
    if (restored) await this.#write(restored, () => kv.delete(RESTORED_BY))
    return this.#write(record)
  }

  async #write({ of, ...told }: AuditRecord, done = () => {}): Promise<AuditHead> {
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
      // No `await` from here on, so nothing else runs before the row is written.
      if (this.#newest().number !== last.number) continue
      this.#sql.exec('insert into entries values (?, ?, ?, ?, ?)', number, at, of, hash, entry)
      done()
      return { number, hash }
    }
  }

  /**
   * Searches, newest first. Reads a limited part, because changes wait for this object: a page may be
   * empty and still have a `next`.
   */
  search({ before, from, to, limit, ...wanted }: AuditSearch): AuditFound {
    const entries: AuditEntry[] = []
    const unfinished: number[] = []
    const unreadable: number[] = []
    const where = 'e.number < ? and e.at >= ? and e.at < ? order by e.number desc'
    let looked = 0
    let last = before
    for (const row of this.#rows(where, before, from, to)) {
      if (looked === MOST_LOOKED_AT) return { entries, unfinished, unreadable, next: last }
      looked += 1
      last = row.number
      const read = readEntry(row)
      if (!read.ok) unreadable.push(row.number)
      if (!read.ok || !isWanted(read.value, wanted)) continue
      if (entries.length === limit)
        return { entries, unfinished, unreadable, next: entries.at(-1)?.number ?? null }
      entries.push(read.value)
      if (isUnfinished(row)) unfinished.push(row.number)
    }
    return { entries, unfinished, unreadable, next: null }
  }

  /** Returns a page of the entries of a time range, oldest first, after a number. */
  page(after: number, from: number, to: number, limit: number): (AuditEntry | UnreadableEntry)[] {
    const where = 'e.number > ? and e.at >= ? and e.at < ? order by e.number limit ?'
    return Array.from(this.#rows(where, after, from, to, limit), (row) => {
      const read = readEntry(row)
      return read.ok ? read.value : { ...placeOf(row), unreadable: read.error }
    })
  }

  /** Returns stored entries after a number, for a backup. */
  backUp(after: number, limit: number): StoredAuditEntry[] {
    const stored =
      'select number, at, ends, hash, entry from entries where number > ? order by number limit ?'
    return this.#sql.exec<StoredAuditEntry>(stored, after, limit).toArray()
  }

  /**
   * Returns why the hub takes no backup; null if it does. A hub that has made a change of its own is in
   * use, and takes none. After D1 was lost, it takes only the registry: from the first call with
   * `isLost` until the next change. A restore that was broken off can go on.
   */
  refusal(isLost: boolean | null): string | null {
    const { kv } = this.ctx.storage
    const own = this.#ownChange(kv.get<number>(RESTORED) ?? 0)
    if (!own) return null
    const lostAt = kv.get<number>(LOST_AT)
    if (isLost !== null && lostAt !== undefined && !this.#ownChange(lostAt)) return null
    if (isLost) kv.put(LOST_AT, this.#newest().number)
    return isLost ? null : `The hub is in use: entry ${own.number} of its audit log is a change of its own.`
  }

  /** Returns the first change after an entry, except those of a restore, of sessions and of backups. */
  #ownChange(after: number): { number: number } | undefined {
    const own = `select number from entries where number > ? and ${ACTION} not like 'restore.%'
      and ${ACTION} not like 'session.%' and ${ACTION} not like 'backup.%' order by number limit 1`
    return this.#sql.exec<{ number: number }>(own, after).toArray()[0]
  }

  /** Returns the newest done changes of a kind after an entry. An index finds them, whatever else was done since. */
  newestDone(action: string, after: number, limit: number): { number: number; subject: string }[] {
    const done = `select number, ${member('subject')} as subject from entries where ${ACTION} = ?
      and ${member('result')} = 'done' and number > ? order by number desc limit ?`
    return this.#sql.exec<{ number: number; subject: string }>(done, action, after, limit).toArray()
  }

  /** Returns a page of the changes of these kinds after an entry, oldest first; it is empty at the end. */
  takenAway(actions: readonly string[], after: number): TakenAway[] {
    const done = `select number, at, ${ACTION} as action, json_extract(entry, '$.subject') as subject,
      json_extract(entry, '$.after') as after from entries where json_extract(entry, '$.result') = 'done'
      and ${ACTION} in (select value from json_each(?)) and number > ? order by number limit ${MOST_LOOKED_AT}`
    return this.#sql.exec<TakenAway>(done, JSON.stringify(actions), after).toArray()
  }

  /**
   * Restores entries behind the last one. Each must have a valid hash, and the log must have been able
   * to write it. Existing entries must be the same. The next entry records the restore. Returns how
   * many it wrote, or which entry is wrong and why.
   */
  async restore(entries: readonly StoredAuditEntry[], told: AuditRecord): Promise<Result<number, string>> {
    let written = 0
    for (const stored of entries) {
      const { number, at, ends, hash, entry } = stored
      const known = this.#head('where number = ?', number)
      if (known) {
        if (known.hash !== hash) return refuse(`${number} is a different one`)
        continue
      }
      const last = this.#newest()
      const computed = await hashOf({ ...stored, previous: last.hash, ended: null })
      const wrong = wrongAfter(last, number, hash, computed)
      if (wrong) return refuse(`${wrong.number} ${wrong.reason}`)
      if (at > Date.now() || at < last.at) return refuse(`${number} has an impossible time`)
      if (ends !== null && !this.#isBegun(ends)) return refuse(`${number} ends a change that had not begun`)
      // No `await` from here on, so nothing else runs before the row is written.
      if (this.#newest().number !== last.number) return refuse(`${number} was written in the meantime`)
      this.#sql.exec('insert into entries values (?, ?, ?, ?, ?)', number, at, ends, hash, entry)
      this.ctx.storage.kv.put(RESTORED, number)
      this.ctx.storage.kv.put(RESTORED_BY, { ...told, after: { entries: number, head: hash } })
      written += 1
    }
    return ok(written)
  }

  /** Returns whether an entry began a change that no entry has ended. */
  #isBegun(number: number): boolean {
    const [begun] = this.#rows(`e.number = ? and json_extract(e.entry, '$.result') = 'begun'`, number)
    return begun !== undefined && begun.ended === null
  }

  /** Returns a page of the chain as stored, and the head before it; null if that is missing. */
  chain(after: number, limit: number): { before: AuditHead | null; rows: Row[] } {
    const rows = this.#rows('e.number > ? order by e.number limit ?', after, limit).toArray()
    return { before: this.#head('where number = ?', after), rows }
  }

  /** Returns the last entry of each day since a head; null if the log lacks that head. */
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
 * Checks a page of the chain, and the heads of days from there on. The Worker computes the hashes,
 * because the log's object must stay free for changes.
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
    if (hashes.size % AT_ONCE === 0) await scheduler.wait(0)
  }
  const isEnd = rows.length < limit
  // Later heads count only at the end of a valid chain: after a wrong entry nothing is certain.
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

/** Returns the audit log of this hub, in its jurisdiction, because it names people and payments. */
export function auditLog(env: Env): DurableObjectStub<AuditLog> {
  return namedObject(env, env.AUDIT_LOG, 'log')
}

function isUnfinished({ ends, ended }: Row): boolean {
  return ends === null && ended === null
}

function isWanted(entry: AuditEntry, wanted: Pick<AuditSearch, 'by' | 'action' | 'subject'>): boolean {
  const names = ['by', 'action', 'subject'] as const
  return names.every((name) => wanted[name] === null || entry[name] === wanted[name])
}

function placeOf({ number, at, ends, hash, previous }: Row) {
  return { number, at: isoTime(at), of: ends, previous, hash }
}

/** Reads an entry, or returns why this release cannot, so that it does not hide the others. */
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
 * Returns the hash that an entry should have, or why it has none. The stored text must be exactly
 * what the hub writes: otherwise someone has added a member that the hash does not cover, or has
 * doubled one.
 */
async function hashOf(row: Row): Promise<Result<string, string>> {
  const read = readEntry(row)
  if (!read.ok) return read
  const text = JSON.stringify(storedAuditEntry.write(entryContent(read.value)))
  return row.entry === text ? ok(await sha256(canonicalEntry(read.value))) : refuse(ALTERED)
}
