import { keepDigits } from '../contract/values.ts'
import type { Operation } from '../contract/operation.ts'
import type { POS_OPERATIONS } from '../contract/pos-operations.ts'
import type { Answer, Context } from '../platform/http/routes.ts'
import { bearerOf } from '../platform/http/bearer.ts'
import { type Asked, readAsked, type Replied, type Reply } from '../platform/http/operations.ts'
import { countRequest } from '../platform/http/rate-limit.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { unexpected } from '../platform/http/unexpected.ts'
import { ok, type Result } from '../contract/result.ts'
import type { Profile } from '../registry/profile.ts'
import { authenticate } from './authenticate.ts'
import { QUOTAS } from './quotas.ts'
import { signed, signedJson } from './signed.ts'

type Table = typeof POS_OPERATIONS
type TakesToken<Row extends Operation> = 'accessToken' extends Row['credentials'][number] ? true : false

/**
 * The handler of an operation. One that takes an access token is told the point of sale, so it
 * cannot be served without one.
 */
export type PosHandler<Name extends keyof Table> =
  TakesToken<Table[Name]> extends true
    ? (asked: Asked<Table[Name]>, profile: Profile) => Promise<Replied<Table[Name]>>
    : (asked: Asked<Table[Name]>) => Promise<Replied<Table[Name]>>

/**
 * A handler for each operation of the table: one that is missing, or that the table has not, does
 * not compile.
 */
export type PosHandlers = { [Name in keyof Table]: PosHandler<Name> }

/** A handler as the router calls it: what `PosHandlers` says of each is checked there. */
export type AnyPosHandler = (
  asked: Asked,
  profile: Profile | null,
) => Promise<Result<Response | Reply<object>, Refusal>>

/**
 * Serves one operation. All that a known point of sale is answered is signed, refusals and faults
 * of ours included.
 */
export async function servePos(
  row: Operation,
  handler: AnyPosHandler,
  request: Request,
  context: Context,
): Promise<Answer> {
  if (!row.credentials.includes('accessToken')) return answer(row, handler, request, context, null)
  const profile = await authenticate(request, context.env, bearerOf(request))
  if (!profile.ok) return profile
  const served = await answer(row, handler, request, context, profile.value).catch(unexpected)
  return signed(context.env, profile.value, served)
}

async function answer(
  row: Operation,
  handler: AnyPosHandler,
  request: Request,
  context: Context,
  profile: Profile | null,
): Promise<Answer> {
  const [limit, asked] = await Promise.all([
    countLimit(row, context.env, profile),
    readAsked(row, request, context, row.keepsDigits ? keepDigits : undefined),
  ])
  if (!limit.ok) return limit
  if (!asked.ok) return asked
  const replied = await handler(asked.value, profile)
  if (!replied.ok) return replied
  if (replied.value instanceof Response) return ok(replied.value)
  const { data, headers } = replied.value
  return profile
    ? signedJson(context.env, profile, row.answer.status, data, headers)
    : ok(Response.json(data, { status: row.answer.status, ...(headers ? { headers } : {}) }))
}

async function countLimit(
  { limit }: Operation,
  env: Env,
  profile: Profile | null,
): Promise<Result<null, Refusal>> {
  if (!limit || !profile) return ok(null)
  return limit === 'create'
    ? countRequest(env.CREATE_PER_POS, QUOTAS.createPerPos, profile.pos)
    : countRequest(env.SEARCH_PER_POS, QUOTAS.searchPerPos, profile.pos)
}
