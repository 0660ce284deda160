import * as v from 'valibot'
import { PayoutPart } from '../contract/books.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import type { Unavailable } from '../psp/answer.ts'
import { unavailable } from '../psp/http-client.ts'
import type { LeftOut, ListedPayout } from '../psp/payouts.ts'
import type { Psp } from '../psp/port.ts'
import { matchLines } from './match-lines.ts'
import { sandboxPayouts } from './sandbox-payouts.ts'
import { storePart } from './store-part.ts'
import { isFetched, storeFetched, wholePayouts } from './store.ts'

/** `leftOut`: payouts that cannot be booked, and why. The next fetch tries them again. */
export type Fetched = { payouts: number; lines: number; leftOut: LeftOut[]; next: string | null }

/**
 * How far a PSP's list was read: the page that comes next ('' for the first), the number of pages
 * before it, and one page of these, the mark. A list that comes back to its mark has no end (R. P.
 * Brent, "An improved Monte Carlo factorization algorithm", 1980).
 */
const Pages = v.object({ next: v.string(), read: v.number(), mark: v.string() })
type Pages = v.InferOutput<typeof Pages>
const FIRST: Pages = { next: '', read: 0, mark: '' }

/** Goes on to a page. Null if the list has no end. */
function turned({ read, mark }: Pages, next: string): Pages | null {
  if (next === mark) return null
  const isPowerOfTwo = (read & (read - 1)) === 0
  return { next, read: read + 1, mark: isPowerOfTwo ? next : mark }
}

/**
 * Where a fetch goes on: at the payouts of a page that follow `payout`, or within that one where
 * `lines` has its next page, behind `count` lines. `isComplete`: when the fetch began, all payouts
 * older than a booked one were booked. `isWhole`: it has left out none.
 */
const Place = v.object({
  page: Pages,
  payout: v.nullable(v.string()),
  lines: v.nullable(Pages),
  count: v.number(),
  isComplete: v.boolean(),
  isWhole: v.boolean(),
})
type Place = v.InferOutput<typeof Place>
const PlaceText = v.pipe(v.string(), v.parseJson(), Place)

/** Returns whether a fetch goes on after this text: the `next` of its page before. */
export function isPlace(after: string): boolean {
  return v.is(PlaceText, after)
}

/** The form of a payout and its lines, whether an API or a file brings them. */
const PartForm = v.pick(PayoutPart, ['id', 'currency', 'amount', 'paidAt', 'lines'])

/** Returns why the books cannot take a part of a payout. Null if they can. */
export function whyUnfit(part: v.InferInput<typeof PartForm>): string | null {
  const { issues } = v.safeParse(PartForm, part)
  return issues ? `${v.getDotPath(issues[0]) ?? ''} ${issues[0].message}` : null
}

/**
 * Returns why a payout is none of the account's. Null if it is. Adyen numbers the batches of each
 * merchant account from one: a batch of another account would replace the booked one.
 */
export function whyForeign(
  { merchant: own = 'another one' }: Psp,
  { merchant = own }: { merchant?: string | undefined },
) {
  return merchant === own ? null : `It is of the merchant account ${merchant}, and this account is ${own}.`
}

/**
 * Books one page of lines that an account's API tells, of the first payout that is not booked yet.
 * One that cannot be booked is left out, and stops none behind it. The fetch ends at a page of
 * payouts that are all booked, if the fetches before have booked all that are older. Null where the
 * PSP has no API that tells payouts.
 */
export async function fetchPage(
  env: Env,
  account: string,
  psp: Psp,
  after: string | undefined,
): Promise<Result<Fetched, Unavailable> | null> {
  const { payouts: source } = psp
  if (!source) return null
  const read = v.safeParse(PlaceText, after)
  const place = read.success ? read.output : await firstPlace(env, account)
  const page = await source.payouts(place.page.next || null)
  if (!page.ok) return page
  const { payouts, next } = page.value
  const whole = await wholePayouts(
    env.DB,
    account,
    payouts.map(({ id }) => id),
  )
  // Each page reports what it leaves out only once: when it is new.
  const leftOut = place.payout === null ? (page.value.leftOut ?? []) : []
  const isWhole = place.isWhole && leftOut.length === 0
  const reached = payouts.findIndex(({ id }) => id === place.payout)
  const begin = place.lines === null ? reached + 1 : reached
  const payout = payouts.find(({ id }, at) => at >= begin && !whole.has(id))
  const answer = (going: Place | null, booked = { payouts: 0, lines: 0 }, passedOver: LeftOut[] = []) =>
    ok({ ...booked, leftOut: [...leftOut, ...passedOver], next: going && JSON.stringify(going) })
  if (!payout) {
    const isKnown = place.isComplete && place.payout === null && payouts.length > 0
    if (next === null || isKnown) {
      await storeFetched(env.DB, account, isWhole)
      return answer(null)
    }
    const following = turned(place.page, next)
    if (!following) return refuse(unavailable('The list of payouts comes back to a page that it had.'))
    return answer({ ...place, page: following, payout: null, lines: null, isWhole })
  }
  const isBegun = payout.id === place.payout
  // Until the end: a fetch that is broken off here leaves a gap behind what it has booked.
  if (!isBegun) await storeFetched(env.DB, account, false)
  const [lines, before] = isBegun ? [place.lines ?? FIRST, place.count] : [FIRST, 0]
  const booked = await bookLines(env, { ...payout, account }, psp, lines, before)
  const onward = { ...place, payout: payout.id, lines: null, isWhole }
  if ('why' in booked)
    return answer({ ...onward, isWhole: false }, undefined, [{ payout: payout.id, ...booked }])
  const { count, following } = booked
  const sums = { payouts: following ? 0 : 1, lines: count }
  return answer({ ...onward, lines: following, count: before + count }, sums)
}

/**
 * Books a page of a payout's lines, behind so many others. Returns their count and the page that
 * follows, null for none; or why the payout cannot be booked.
 */
async function bookLines(
  env: Env,
  payout: ListedPayout & { account: string },
  psp: Psp,
  page: Pages,
  before: number,
): Promise<{ count: number; following: Pages | null } | { why: string }> {
  const found = payout.withoutLines ? null : await psp.payouts?.lines(payout, page.next || null)
  if (found && !found.ok) return { why: found.error.message }
  const { lines: told, next } = found?.value ?? { lines: [], next: null }
  const following = next === null ? null : turned(page, next)
  if (next !== null && !following) return { why: 'The list of its lines comes back to a page that it had.' }
  const why = whyUnfit({ ...payout, lines: told })
  if (why !== null) return { why }
  const part = { ...payout, from: before + 1 }
  const lines = await matchLines(env, part, told, async (reference) => (await psp.jobOf?.(reference)) ?? null)
  const total = following ? null : before + lines.length
  const stored = await storePart(env.DB, { ...part, total, lines })
  return stored === (following ? 'partial' : 'whole')
    ? { count: lines.length, following }
    : { why: 'It changed while it was read, or something else is booking it.' }
}

async function firstPlace(env: Env, account: string): Promise<Place> {
  const isComplete = await isFetched(env.DB, account)
  return { page: FIRST, payout: null, lines: null, count: 0, isComplete, isWhole: true }
}

/** Books what the sandbox pays out now. */
export async function fetchSandbox(env: Env, account: string, now: number): Promise<Fetched> {
  const found = await sandboxPayouts(env, now)
  for (const { payout, lines } of found) {
    const part = { ...payout, account, from: 1 }
    await storePart(env.DB, { ...part, total: lines.length, lines: await matchLines(env, part, lines) })
  }
  const lines = found.reduce((sum, one) => sum + one.lines.length, 0)
  return { payouts: found.length, lines, leftOut: [], next: found.length === 0 ? null : 'more' }
}
