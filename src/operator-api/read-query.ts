import { type Result, ok } from '../contract/result.ts'
import { invalidField, type Refusal } from '../platform/http/refusal.ts'
import { nearest } from '../contract/nearest.ts'
import { type PointOfSale, listPointsOfSale } from '../registry/points-of-sale.ts'
import { monthSpan } from '../platform/pages/zoned-time.ts'

const MOST_NAMED = 5

/** Returns the points of sale that a text names by id or name; without an exact match, in any case. */
export async function posNamed(database: D1Database, text: string): Promise<PointOfSale[]> {
  return namedOf(await listPointsOfSale(database), text)
}

/**
 * Returns the id of the one point of sale that a query names, or null if it names none. The error
 * lists the candidates.
 */
export async function onePosNamed(
  database: D1Database,
  text: string | undefined,
): Promise<Result<string | null, Refusal>> {
  if (text === undefined) return ok(null)
  const all = await listPointsOfSale(database)
  const named = namedOf(all, text)
  const [first] = named
  // A removed point of sale still has jobs under its id.
  if (!first && /^[0-9a-f]{32}$/.test(text)) return ok(text)
  if (first && named.length === 1) return ok(first.id)
  if (first) return invalidField('pos', `is the name of ${named.length} points of sale: ${listOf(named)}`)
  const names = all.map(({ name }) => name.toLowerCase())
  const near = nearest(text.toLowerCase(), names)
  const like = all.filter(({ name }) => name.toLowerCase() === near || lower(name).includes(lower(text)))
  const hint = like.length === 0 ? '' : `. Did you mean ${listOf(like)}?`
  return invalidField('pos', `must be the id or the name of a point of sale${hint}`)
}

function lower(text: string): string {
  return text.trim().toLowerCase()
}

function namedOf(all: readonly PointOfSale[], text: string): PointOfSale[] {
  const exact = all.filter(({ id, name }) => id === text || name === text)
  return exact.length > 0 ? exact : all.filter(({ name }) => lower(name) === lower(text))
}

function listOf(some: readonly PointOfSale[]): string {
  return some
    .slice(0, MOST_NAMED)
    .map(({ id, name }) => `${name} (${id})`)
    .concat(some.length > MOST_NAMED ? ['…'] : [])
    .join(', ')
}

type QueriedTime = { from?: number | undefined; to?: number | undefined; month?: string | undefined }

/** Returns the span (ms) that a query names: by its ends, or as a month in the hub's time zone. */
export function timeOf(
  { from, to, month }: QueriedTime,
  zone: string,
): Result<{ from?: number | undefined; to?: number | undefined }, Refusal> {
  if (month === undefined) return ok({ from, to })
  return from === undefined && to === undefined
    ? ok(monthSpan(month, zone))
    : invalidField('month', 'cannot be combined with `from` or `to`')
}
