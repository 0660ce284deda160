import { waitUntil } from 'cloudflare:workers'
import { MINUTE } from '../../contract/timestamp.ts'
import { bounded } from '../../platform/bounded.ts'
import { within } from '../../platform/deadline.ts'
import { log } from '../../platform/log.ts'
import { storedShape } from '../../platform/stored.ts'
import { type Account, SANDBOX_ACCOUNT } from '../../registry/profile.ts'
import { readJson } from '../../registry/copies.ts'
import {
  type Breaker,
  CLOSED,
  type Call,
  Hint,
  afterCall,
  afterCheck,
  afterHint,
  openFor,
  waitFor,
} from './breaker.ts'
import { connect } from '../connect.ts'
import { saidTooMany } from './paces.ts'

/** Why the hub announces a job: its creation, or a wait that is over. */
export type Cause = 'create' | 'again'

/**
 * `sealed`: the credentials, because new ones start a new entry. `readAt`, `checkedAt`: when (ms) this
 * isolate last read KV and last checked the account. `hintUntil`: the end of the pause that KV has.
 */
type Entry = { sealed: string; breaker: Breaker; readAt: number; checkedAt: number; hintUntil: number }

/** For this long (ms) after an answer or a read of KV the isolate reads no hint. */
const FRESH = 20_000
/** Another check begins only this long (ms) after the last one. */
const LONGEST_CHECK = 10_000
/** A payment waits this long (ms) for a hint, so that a slow KV costs no more. */
const HINT_WAIT = 200
/**
 * How long (s) KV keeps a hint. The hint of an open breaker outlives the longest pause, so that a shop
 * with one payment a minute finds it in any isolate.
 */
const OPEN_KEPT = 300
const CLOSED_KEPT = 120

export const breakerHint = storedShape(Hint)

/**
 * The breakers of this isolate. When a breaker opens, the isolate leaves a hint in KV for some minutes,
 * which other isolates read before they ask the account. A lost hint costs another isolate one wait.
 */
export const breakers = bounded<Entry>()

function entryOf({ id, sealed }: Account): Entry {
  const entry = breakers.get(id)
  return entry?.sealed === sealed ? entry : { sealed, breaker: CLOSED, readAt: 0, checkedAt: 0, hintUntil: 0 }
}

/** Returns since when (ms) an account's breaker has been open for a shop, or null if it is closed. */
async function openSince(env: Env, account: Account, pos: string): Promise<number | null> {
  // The sandbox is part of the hub, and answers as long as the hub does.
  if (account.id === SANDBOX_ACCOUNT.id) return null
  const entry = entryOf(account)
  const now = Date.now()
  const open = openFor(entry.breaker, pos, now)
  if (open || now - Math.max(entry.breaker.answeredAt, entry.readAt) < FRESH) return open && open.since
  const hint = await within(HINT_WAIT, readHint(env, account.id))
  // Other requests may have called the account in the meantime.
  const known = entryOf(account)
  const breaker = hint ? afterHint(known.breaker, hint) : known.breaker
  breakers.set(account.id, { ...known, breaker, readAt: now, hintUntil: hint?.until ?? known.hintUntil })
  return openFor(breaker, pos, Date.now())?.since ?? null
}

/**
 * Keeps the breaker after a call or a check, and leaves a hint for other isolates: `closed` if this
 * closes it. KV takes one write per second and key, so while a breaker stays open the hint may lag by a
 * minute.
 */
function keep(env: Env, account: Account, after: Breaker, closed: Hint | null): void {
  const entry = entryOf(account)
  const { open, level, by } = after
  const isSame = stateOf(after) === stateOf(entry.breaker)
  const isKnown = isSame && (open === null || open.until - entry.hintUntil < MINUTE)
  const hintUntil = isKnown ? entry.hintUntil : (open?.until ?? 0)
  breakers.set(account.id, { ...entry, breaker: after, hintUntil })
  if (!isSame) log.warn('psp.breaker', { account: account.id, is: stateOf(after) })
  if (!isKnown) waitUntil(leaveHint(env, account.id, open ? { ...open, level, by } : closed))
}

/** Checks in the background whether an account with an open breaker answers again. */
function check(env: Env, account: Account): void {
  const entry = entryOf(account)
  const now = Date.now()
  if (entry.breaker.open === null || now < entry.breaker.open.until) return
  if (now - entry.checkedAt < LONGEST_CHECK) return
  breakers.set(account.id, { ...entry, checkedAt: now })
  waitUntil(
    connect(env, account, '')
      .then((psp) => psp.check())
      .then(({ is }) => {
        const { breaker } = entryOf(account)
        if (breaker.open === null) return
        const closed = { since: breaker.open.since, until: null, level: breaker.level, by: breaker.by }
        const isAnswered = is !== 'unavailable' || saidTooMany(account, now)
        keep(env, account, afterCheck(breaker, isAnswered, Date.now(), Math.random()), closed)
      })
      .catch((error: unknown) => log.fault('psp.check-failed', error, { account: account.id })),
  )
}

/**
 * Puts the accounts of a route in turns. A `create` leaves out those with an open breaker; a job that is
 * announced again asks them last.
 */
export async function turnsOf(
  env: Env,
  route: readonly Account[],
  pos: string,
  cause: Cause,
): Promise<{ turns: Account[]; skipped: { account: Account; since: number }[] }> {
  const looks = await Promise.all(
    route.map(async (account) => ({ account, since: await openSince(env, account, pos) })),
  )
  const closed = looks.filter(({ since }) => since === null)
  const skipped = looks.flatMap(({ account, since }) => (since === null ? [] : [{ account, since }]))
  if (cause === 'create') for (const { account } of skipped) check(env, account)
  return { turns: [...closed, ...(cause === 'again' ? skipped : [])].map(({ account }) => account), skipped }
}

/** Returns how long (ms) a new payment waits for an account: at most its share of the time. */
export function patienceFor(account: Account, pos: string, share: number): number {
  return waitFor(entryOf(account).breaker, pos, share)
}

export function rememberCall(env: Env, account: Account, call: Call): void {
  if (account.id === SANDBOX_ACCOUNT.id || (!call.answered && saidTooMany(account, call.began))) return
  keep(env, account, afterCall(entryOf(account).breaker, call, Math.random()), null)
}

function stateOf({ open, by }: Breaker): string {
  return open === null ? 'closed' : by === null ? 'open' : `open for ${by}`
}

/** Reads the hint about an account; null if there is none or KV does not answer. */
export async function readHint(env: Env, account: string): Promise<Hint | null> {
  try {
    const hint = breakerHint.read(await readJson(env.TOKENS, `breaker:${account}`))
    return hint.ok ? hint.value : null
  } catch (error) {
    log.fault('kv.read-failed', error)
    return null
  }
}

/** Closes the breaker of an account that has just answered a check, here and by a hint elsewhere. */
export async function closeBreaker(env: Env, account: string): Promise<void> {
  const entry = breakers.get(account)
  if (entry) breakers.set(account, { ...entry, breaker: afterCheck(entry.breaker, true, Date.now(), 0) })
  const hint = await readHint(env, account)
  if (hint !== null && hint.until !== null) await leaveHint(env, account, { ...hint, until: null })
}

/** Writes a hint; null deletes it. Does not throw, so that no payment fails because of it. */
async function leaveHint(env: Env, account: string, hint: Hint | null): Promise<void> {
  const name = `breaker:${account}`
  const expirationTtl = hint?.until === null ? CLOSED_KEPT : OPEN_KEPT
  const written = hint
    ? env.TOKENS.put(name, JSON.stringify(breakerHint.write(hint)), { expirationTtl })
    : env.TOKENS.delete(name)
  await written.catch((error: unknown) => log.fault('kv.write-failed', error, { name }))
}
