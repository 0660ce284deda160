import * as v from 'valibot'
import { PayoutPart } from '../contract/books.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import type { Unavailable } from '../psp/answer.ts'
import { unavailable } from '../psp/http-client.ts'
import type { LeftOut, ListedPayout } from '../psp/payouts/payouts.ts'
import type { Psp } from '../psp/port.ts'
import { matchLines } from './match-lines.ts'
import { sandboxPayouts } from './sandbox-payouts.ts'
import { storePart } from './store-part.ts'
import { isFetched, markReturned, storeFetched, wholePayouts } from './store.ts'

/** `leftOut`: payouts that the books cannot take, which the next fetch tries again, or that the bank returned. */
export type FetchResult = { payouts: number; lines: number; leftOut: LeftOut[]; next: string | null }

/**
 * A place in a PSP's list: the next page ('' for the first), the number of pages before it, and one
 * of those pages as a mark. A list that returns to its mark has no end (R. P. Brent, "An improved
 * Monte Carlo factorization algorithm", 1980).
 */
const Pages = v.object({ next: v.string(), read: v.number(), mark: v.string() })
type Pages = v.InferOutput<typeof Pages>
const FIRST: Pages = { next: '', read: 0, mark: '' }

/** Returns the place with `next` as the next page, or null if the list has no end. */
function advance({ read, mark }: Pages, next: string): Pages | null {
  if (next === mark) return null
  const isPowerOfTwo = (read & (read - 1)) === 0
  return { next, read: read + 1, mark: isPowerOfTwo ? next : mark }
}

/**
 * Where a fetch continues: with the payouts of a page after `payout`, or within that payout at the
 * page `lines`, after `count` lines. `isComplete`: when the fetch began, all payouts older than a
 * booked one were booked. `isWhole`: the fetch has left out none.
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

const RETURNED =
  'The bank returned it after it was booked. Look for the line of a later payout that gives it back.'

/** Returns whether a text is a place where a fetch continues: the `next` of its previous page. */
export function isPlace(after: string): boolean {
  return v.is(PlaceText, after)
}

/** The form of a payout and its lines, from an API or a file. */
const PartForm = v.pick(PayoutPart, ['id', 'currency', 'amount', 'paidAt', 'lines'])

/** Returns why the books cannot take a part of a payout, or null if they can. */
export function whyUnfit(part: v.InferInput<typeof PartForm>): string | null {
  const { issues } = v.safeParse(PartForm, part)
  return issues ? `${v.getDotPath(issues[0]) ?? ''} ${issues[0].message}` : null
}

/**
 * Returns why a payout does not belong to an account, or null if it does. Adyen numbers the batches
 * of each merchant account from one, so a batch of another account would replace the booked one.
 */
export function whyForeign(
  { merchant: own = 'another one' }: Psp,
  { merchant = own }: { merchant?: string | undefined },
) {
  return merchant === own
    ? null
    : `It belongs to the merchant account ${merchant}, but this account is ${own}.`
}

/**
 * Books one page of lines of the first payout in an account's API that is not booked yet. Leaves out
 * a payout that the books cannot take, and goes on with the next. The fetch ends at a page whose
 * payouts are all booked, if earlier fetches have booked everything older. Null if the PSP has no API
 * for payouts.
 */
export async function fetchPage(
  env: Env,
  account: string,
  psp: Psp,
  after: string | undefined,
): Promise<Result<FetchResult, Unavailable> | null> {
  const { payouts: source } = psp
  if (!source) return null
  const read = v.safeParse(PlaceText, after)
  const place = read.success ? read.output : await firstPlace(env, account)
  const page = await source.payouts(place.page.next || null)
  if (!page.ok) return page
  const { payouts, next, returned = [], leftOut: unfit = [] } = page.value
  const ids = payouts.map(({ id }) => id)
  const whole = await wholePayouts(env.DB, account, [...ids, ...returned])
  // These stay booked: the PSP pays their money out again, with a line that says so.
  const back = returned.filter((id) => whole.has(id)).map((id) => ({ payout: id, why: RETURNED }))
  if (back.length > 0) await markReturned(env.DB, account, returned, Date.now())
  // Each page reports what it leaves out only once: when it is new.
  const isNew = place.payout === null
  const leftOut = isNew ? [...unfit, ...back] : []
  const isWhole = place.isWhole && !(isNew && unfit.length > 0)
  const reached = payouts.findIndex(({ id }) => id === place.payout)
  const begin = place.lines === null ? reached + 1 : reached
  const payout = payouts.find(({ id }, at) => at >= begin && !whole.has(id))
  const answer = (going: Place | null, booked = { payouts: 0, lines: 0 }, passedOver: LeftOut[] = []) =>
    ok({ ...booked, leftOut: [...leftOut, ...passedOver], next: going && JSON.stringify(going) })
  if (!payout) {
    const isKnown = place.isComplete && isNew && payouts.length > 0
    if (next === null || isKnown) {
      await storeFetched(env.DB, account, isWhole)
      return answer(null)
    }
    const following = advance(place.page, next)
    if (!following) return refuse(unavailable('The list of payouts returns to an earlier page.'))
    return answer({ ...place, page: following, payout: null, lines: null, isWhole })
  }
  const isBegun = payout.id === place.payout
  // Until its end: a fetch that is broken off here leaves a gap after what it has booked.
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
 * Books a page of a payout's lines, after the `before` lines that are booked. Returns their count
 * and the following page, null for none; or why the books cannot take the payout.
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
  const { lines: read, next } = found?.value ?? { lines: [], next: null }
  const following = next === null ? null : advance(page, next)
  if (next !== null && !following) return { why: 'The list of its lines returns to an earlier page.' }
  const why = whyUnfit({ ...payout, lines: read })
  if (why !== null) return { why }
  const part = { ...payout, from: before + 1 }
  const lines = await matchLines(env, part, read, async (reference) => (await psp.jobOf?.(reference)) ?? null)
  const total = following ? null : before + lines.length
  const stored = await storePart(env.DB, { ...part, total, lines })
  return stored === (following ? 'partial' : 'whole')
    ? { count: lines.length, following }
    : { why: 'It changed while the hub read it, or another call is booking it.' }
}

async function firstPlace(env: Env, account: string): Promise<Place> {
  const isComplete = await isFetched(env.DB, account)
  return { page: FIRST, payout: null, lines: null, count: 0, isComplete, isWhole: true }
}

/** Books what the sandbox pays out now. */
export async function fetchSandbox(env: Env, account: string, now: number): Promise<FetchResult> {
  const found = await sandboxPayouts(env, now)
  for (const payout of found) {
    const part = { ...payout, account, from: 1, total: payout.lines.length }
    await storePart(env.DB, { ...part, lines: await matchLines(env, part, part.lines) })
  }
  const lines = found.reduce((sum, one) => sum + one.lines.length, 0)
  return { payouts: found.length, lines, leftOut: [], next: found.length === 0 ? null : 'more' }
}
