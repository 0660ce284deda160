import { ok, type Result } from '../contract/result.ts'
import type { Unavailable } from '../psp/answer.ts'
import type { Psp } from '../psp/port.ts'
import { matchLines } from './match-lines.ts'
import { sandboxPayouts } from './sandbox-payouts.ts'
import { storePart } from './store-part.ts'
import { wholePayouts } from './store.ts'

export type Fetched = { payouts: number; lines: number; next: string | null }

/**
 * Where a fetch goes on: the page of payouts, how many of it are done, and within the next one the
 * page of lines and the number of lines before it.
 */
type Place = { page: string; done: number; lines: string; count: number }

const START: Place = { page: '', done: 0, lines: '', count: 0 }

function readPlace(text: string | undefined): Place {
  const [page = '', done = '0', lines = '', count = '0'] = (text ?? '').split('|')
  return { page, done: Number(done) || 0, lines, count: Number(count) || 0 }
}

function writePlace({ page, done, lines, count }: Place): string {
  return [page, done, lines, count].join('|')
}

/**
 * Books one page of lines that an account's API tells, of the first payout that is not booked yet.
 * It ends at a page of payouts that are all booked: older ones are too. Null where the PSP has no
 * API that tells payouts.
 */
export async function fetchPage(
  env: Env,
  account: string,
  psp: Psp,
  after: string | undefined,
): Promise<Result<Fetched, Unavailable> | null> {
  const { payouts: source } = psp
  if (!source) return null
  const jobOf = async (reference: string) => (await psp.jobOf?.(reference)) ?? null
  const place = readPlace(after)
  const page = await source.payouts(place.page || null)
  if (!page.ok) return page
  const { payouts, next } = page.value
  const whole = await wholePayouts(
    env.DB,
    account,
    payouts.map(({ id }) => id),
  )
  const at = payouts.findIndex(({ id }, index) => index >= place.done && !whole.has(id))
  const payout = payouts[at]
  if (!payout) {
    // A page may have none that was paid out yet: the payouts come behind it.
    const isKnown = payouts.length > 0 && place.done === 0
    const goesOn = next !== null && !isKnown
    return ok({ payouts: 0, lines: 0, next: goesOn ? writePlace({ ...START, page: next }) : null })
  }
  const begun = at === place.done ? place : { ...place, lines: '', count: 0 }
  const found = await source.lines(payout, begun.lines || null)
  if (!found.ok) return found
  const part = { ...payout, account, from: begun.count + 1 }
  const lines = await matchLines(env, part, found.value.lines, jobOf)
  const count = begun.count + lines.length
  const isLast = found.value.next === null
  const stored = await storePart(env.DB, { ...part, total: isLast ? count : null, lines })
  const following = isLast
    ? { page: place.page, done: at + 1, lines: '', count: 0 }
    : { page: place.page, done: at, lines: found.value.next ?? '', count }
  return ok({ payouts: stored === 'whole' ? 1 : 0, lines: lines.length, next: writePlace(following) })
}

/** Books what the sandbox pays out now. */
export async function fetchSandbox(env: Env, account: string, now: number): Promise<Fetched> {
  const found = await sandboxPayouts(env, now)
  for (const { payout, lines } of found) {
    const part = { ...payout, account, from: 1 }
    await storePart(env.DB, { ...part, total: lines.length, lines: await matchLines(env, part, lines) })
  }
  const lines = found.reduce((sum, one) => sum + one.lines.length, 0)
  return { payouts: found.length, lines, next: found.length === 0 ? null : 'more' }
}
