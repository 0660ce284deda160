import * as v from 'valibot'
import type { AuditValues } from '../audit/audit-chain.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { readOptionalJsonObject } from '../platform/http/body.ts'
import { nearest } from '../platform/nearest.ts'
import { type PointOfSale, listPointsOfSale } from '../registry/points-of-sale.ts'

const MOST_TOLD = 5

/**
 * The points of sale that a text names: the one of that id, or those of that name, whatever its
 * capitals.
 */
export async function posNamed(database: D1Database, text: string): Promise<PointOfSale[]> {
  return namedOf(await listPointsOfSale(database), text)
}

/** The id of the one point of sale that a text names. The error lists those that may be meant. */
export async function onePosNamed(database: D1Database, text: string): Promise<Result<string, string>> {
  const all = await listPointsOfSale(database)
  const named = namedOf(all, text)
  const [first] = named
  // An id that is of none any more still has jobs.
  if (!first && /^[0-9a-f]{32}$/.test(text)) return ok(text)
  if (first && named.length === 1) return ok(first.id)
  if (first) return refuse(`is the name of ${named.length} points of sale: ${told(named)}`)
  const near = nearest(
    text.toLowerCase(),
    all.map(({ name }) => name.toLowerCase()),
  )
  const like = all.filter(({ name }) => name.toLowerCase() === near || lower(name).includes(lower(text)))
  const hint = like.length === 0 ? '' : `; there is ${told(like)}`
  return refuse(`must be the id or the name of a point of sale${hint}`)
}

function lower(text: string): string {
  return text.trim().toLowerCase()
}

function namedOf(all: readonly PointOfSale[], text: string): PointOfSale[] {
  const exact = all.filter(({ id, name }) => id === text || name === text)
  return exact.length > 0 ? exact : all.filter(({ name }) => lower(name) === lower(text))
}

function told(some: readonly PointOfSale[]): string {
  return some
    .slice(0, MOST_TOLD)
    .map(({ id, name }) => `${name} (${id})`)
    .concat(some.length > MOST_TOLD ? ['…'] : [])
    .join(', ')
}

/**
 * An id of whatever kind. A text of another form may be a secret in the wrong place, and is not
 * told.
 */
const Id = v.pipe(v.string(), v.regex(/^[a-z\d-]{1,40}$/))

/** What the audit log calls the thing that a path names; empty where it names none. */
export function subjectOf(params: object): string {
  return Object.values(params).find((value): value is string => v.is(Id, value)) ?? ''
}

/**
 * A word, an amount or a time, for the same reason; the name of a shop is what its operator likes.
 */
const Word = v.pipe(v.string(), v.regex(/^[a-zA-Z\d.:*-]{1,36}$/))
const Telling = v.union([Word, v.number(), v.boolean(), v.array(Word)])
const Name = v.pipe(v.string(), v.maxLength(100))
const FORMS: Readonly<Record<string, v.GenericSchema<unknown, AuditValues[string]>>> = { id: Id, name: Name }

/**
 * What a request wants, as far as the audit log tells it: of its query and its body, the values of
 * these names. All others may be secrets. It is not judged yet, so what has not the form of a value
 * is left out.
 */
export async function wantedOf(request: Request, names: readonly string[]): Promise<AuditValues | null> {
  if (names.length === 0) return null
  const body = await readOptionalJsonObject(request.clone())
  const given = { ...Object.fromEntries(new URL(request.url).searchParams), ...(body.ok ? body.value : {}) }
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = v.safeParse(FORMS[name] ?? Telling, given[name])
      return value.success ? [[name, value.output]] : []
    }),
  )
}
