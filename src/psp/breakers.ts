import { waitUntil } from 'cloudflare:workers'
import * as v from 'valibot'
import { MINUTE } from '../contract/timestamp.ts'
import { bounded } from '../platform/bounded.ts'
import { within } from '../platform/deadline.ts'
import { log } from '../platform/log.ts'
import { storedShape } from '../platform/stored.ts'
import { type Account, SANDBOX_ACCOUNT } from '../registry/profile.ts'
import { readJson } from '../registry/copies.ts'
import {
  type Breaker,
  CLOSED,
  type Call,
  type Hint,
  afterCall,
  afterCheck,
  afterHint,
  openFor,
  waitFor,
} from './breaker.ts'
import { connect } from './connect.ts'

/** Whether a job is created, or announced again: for its customer, or by its alarm. */
export type Cause = 'create' | 'again'

/**
 * `sealed`: new credentials are another account. `readAt`, `checkedAt`: when (ms) this isolate last
 * read KV, or checked.
 */
type Entry = { sealed: string; breaker: Breaker; readAt: number; checkedAt: number }

/** How long (ms) an account that answered, or a hint that was read, needs no look into KV. */
const FRESH = 20_000
/** How long (ms) a check may be under way before another one begins. */
const LONGEST_CHECK = 10_000
/** How long (ms) a payment waits for a hint: a slow KV costs no more than that. */
const HINT_WAIT = 200
/**
 * How long (s) KV keeps a hint. That of an open breaker outlives its longest pause, so that a shop
 * with one payment a minute finds it, whichever isolate it comes to.
 */
const OPEN_KEPT = 300
const CLOSED_KEPT = 120

/** What KV tells other isolates of an account that does not answer. */
export const breakerHint = storedShape(
  v.object({
    since: v.number(),
    until: v.nullable(v.number()),
    level: v.number(),
    by: v.optional(v.nullable(v.string()), null),
  }),
)

/**
 * The breakers of one isolate. When one opens, the isolate leaves a hint in KV for some minutes,
 * which the others read before they ask the account. Losing a hint costs another isolate one wait.
 */
export function breakersOfIsolate() {
  const entries = bounded<Entry>()

  const entryOf = ({ id, sealed }: Account): Entry => {
    const entry = entries.get(id)
    return entry?.sealed === sealed ? entry : { sealed, breaker: CLOSED, readAt: 0, checkedAt: 0 }
  }

  const look = async (env: Env, account: Account, pos: string): Promise<Entry> => {
    const entry = entryOf(account)
    const now = Date.now()
    const isOpen = openFor(entry.breaker, pos, now) !== null
    if (isOpen || now - Math.max(entry.breaker.answeredAt, entry.readAt) < FRESH) return entry
    const hint = await within(HINT_WAIT, readHint(env, account.id))
    // Others may have called the account in the meantime.
    const { breaker } = entryOf(account)
    const read = { ...entry, readAt: now, breaker: hint ? afterHint(breaker, hint) : breaker }
    entries.set(account.id, read)
    return read
  }

  /** `closed` is what others are told when this closes the breaker. */
  const keep = (env: Env, account: Account, after: Breaker, closed: Hint | null): void => {
    const entry = entryOf(account)
    entries.set(account.id, { ...entry, breaker: after })
    const { open, level, by } = after
    const isSame = stateOf(after) === stateOf(entry.breaker)
    if (!isSame) log.warn('psp.breaker', { account: account.id, is: stateOf(after) })
    if (isSame && open?.until === entry.breaker.open?.until) return
    tell(env, account.id, open ? { ...open, level, by } : closed, isSame)
  }

  /** Asks the PSP of an open breaker whether it answers again, behind the back of the payment. */
  const check = (env: Env, account: Account): void => {
    const entry = entryOf(account)
    const now = Date.now()
    if (entry.breaker.open === null || now < entry.breaker.open.until) return
    if (now - entry.checkedAt < LONGEST_CHECK) return
    entries.set(account.id, { ...entry, checkedAt: now })
    waitUntil(
      connect(env, account, '')
        .then((psp) => psp.check())
        .then(({ is }) => {
          const { breaker } = entryOf(account)
          if (breaker.open === null) return
          const { open, level, by } = breaker
          const closed = { since: open.since, until: null, level, by }
          keep(env, account, afterCheck(breaker, is !== 'unavailable', Date.now(), Math.random()), closed)
        })
        .catch((error: unknown) => log.fault('psp.check-failed', error, { account: account.id })),
    )
  }

  return {
    /**
     * The accounts of a route in the order in which they are asked. A `create` leaves out those
     * whose breaker is open; a job that is announced again asks them last.
     */
    async turns(
      env: Env,
      route: readonly Account[],
      pos: string,
      cause: Cause,
    ): Promise<{ turns: Account[]; skipped: { account: string; since: number }[] }> {
      const looks = await Promise.all(
        route.map(async (account) => ({
          account,
          open: hasBreaker(account)
            ? openFor((await look(env, account, pos)).breaker, pos, Date.now())
            : null,
        })),
      )
      const closed = looks.filter(({ open }) => open === null)
      const open = looks.filter((one) => one.open !== null)
      if (cause === 'create') for (const { account } of open) check(env, account)
      return {
        turns: [...closed, ...(cause === 'again' ? open : [])].map(({ account }) => account),
        skipped: open.map((one) => ({ account: one.account.id, since: Math.floor(one.open?.since ?? 0) })),
      }
    },

    /** How long (ms) a payment waits for an account, of its share of the time. */
    waitFor(account: Account, pos: string, share: number, cause: Cause): number {
      const isShort = cause === 'create' && hasBreaker(account)
      return isShort ? waitFor(entryOf(account).breaker, pos, share) : share
    },

    /** Remembers how a call to an account ended. */
    record(env: Env, account: Account, call: Call): void {
      if (hasBreaker(account))
        keep(env, account, afterCall(entryOf(account).breaker, call, Math.random()), null)
    },
  }
}

/** The sandbox is part of the hub, and answers as long as the hub does. */
function hasBreaker({ id }: Account): boolean {
  return id !== SANDBOX_ACCOUNT.id
}

function stateOf({ open, by }: Breaker): string {
  return open === null ? 'closed' : by === null ? 'open' : `open for ${by}`
}

function keyOf(account: string): string {
  return `breaker:${account}`
}

/** What KV says of an account; null where it says nothing, or does not answer. */
export async function readHint(env: Env, account: string): Promise<Hint | null> {
  try {
    const hint = breakerHint.read(await readJson(env.TOKENS, keyOf(account)))
    return hint.ok ? hint.value : null
  } catch (error) {
    log.fault('kv.read-failed', error)
    return null
  }
}

/** Writes behind the back of the payment, and never makes it fail. Null takes the hint away. */
function tell(env: Env, account: string, hint: Hint | null, isRepeated: boolean): void {
  const written = hint ? write(env, account, hint, isRepeated) : env.TOKENS.delete(keyOf(account))
  waitUntil(written.catch((error: unknown) => log.fault('kv.write-failed', error, { name: keyOf(account) })))
}

/**
 * KV takes one write a second of a name: while a breaker stays open, a hint less than a minute
 * behind will do.
 */
async function write(env: Env, account: string, hint: Hint, isRepeated: boolean): Promise<void> {
  if (isRepeated && hint.until !== null) {
    const known = await readHint(env, account)
    if (known && known.until !== null && hint.until - known.until < MINUTE) return
  }
  const expirationTtl = hint.until === null ? CLOSED_KEPT : OPEN_KEPT
  await env.TOKENS.put(keyOf(account), JSON.stringify(breakerHint.write(hint)), { expirationTtl })
}

export const breakers = breakersOfIsolate()
