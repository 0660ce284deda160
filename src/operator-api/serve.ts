import * as v from 'valibot'
import type { AuditRecord, AuditValues } from '../audit/audit-chain.ts'
import { auditLog } from '../audit/audit-log.ts'
import { type Operation, type Operator, type OutputOf, type Role, hasRole } from '../contract/operation.ts'
import { OPERATOR_OPERATIONS } from '../contract/operator-operations.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { isoTime } from '../contract/timestamp.ts'
import {
  type OperationRequest,
  type OperationResult,
  type Reply,
  readRequest,
  respond,
} from '../platform/http/operations.ts'
import { countRequest } from '../platform/http/rate-limit.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import type { RouteResult, Context, Guard } from '../platform/http/routes.ts'
import { log } from '../platform/log.ts'
import { currentRequestId } from '../platform/request-context.ts'
import { authenticateOperator, OPERATOR_QUOTAS } from './authenticate.ts'

type Table = typeof OPERATOR_OPERATIONS

/**
 * The audit log's view of a change: the id of what changed (`subject`), and any values before and
 * after it. None may be a secret, a credential or a customer's data.
 */
type Difference = { subject: string; before?: AuditValues | null; after?: AuditValues | null }

/** The answer to a change, which must say what changed. */
type ChangeReply<Data> = Reply<Data> & { difference: Difference }

/** The handler of an operation. It needs the operator, so it cannot serve an unauthenticated caller. */
export type OperatorHandler<Name extends keyof Table> = (
  asked: OperationRequest<Table[Name]>,
  operator: Operator,
) => Promise<OperatorResult<Table[Name]>>

/** The result of an audited change says what changed. A file need not: its query says what was exported. */
type OperatorResult<Row extends Operation> = Row extends { audit: object; answer: { schema: object } }
  ? Result<ChangeReply<OutputOf<Row>>, Refusal>
  : OperationResult<Row>

type AnyReply = Response | (Reply<unknown> & { difference?: Difference })

/** Returns the answer to a change, with its `difference` for the audit log. */
export function changed<Data>(
  data: Data,
  difference: Difference,
  headers: Readonly<Record<string, string>> = {},
): { ok: true; value: ChangeReply<Data> } {
  return ok({ data, headers, difference })
}

/**
 * Serves an operation to an operator whose role allows it. The audit log records a change before it
 * is made. A change that the role does not allow is only in the Worker's log, because it changes
 * nothing.
 */
export async function serveOperator<Name extends keyof Table>(
  name: Name,
  handler: OperatorHandler<Name>,
  request: Request,
  context: Context,
): Promise<RouteResult> {
  const { env, params, isHead } = context
  const known = await authenticateOperator(request, env)
  if (!known.ok) return known
  const operator = known.value
  const row = OPERATOR_OPERATIONS[name]
  const { role, audit }: Operation = row
  const lack = lackOf(role, operator, context)
  if (lack) return lack
  const asked = await readRequest(row, request, context)
  const serve = async () => (asked.ok ? handler(asked.value, operator) : asked)
  // A HEAD exports nothing, so it is not audited.
  if (!audit || isHead) return respond(row, await serve())
  const { action, keeps = [] } = audit
  // Every role may begin and end sessions, and export. Each such call adds two entries to the audit
  // log, so their number is limited.
  if (role === 'viewer') {
    const quota = OPERATOR_QUOTAS.sessionsPerOperator
    const limit = await countRequest(env.SESSIONS_PER_OPERATOR, quota, `${action} ${operator.name}`)
    if (!limit.ok) return limit
  }
  const wanted = asked.ok && keeps.length > 0 ? wantedOf(asked.value, keeps) : null
  const intent = { operator, action, subject: subjectOf(params), wanted }
  return respond(row, await audited(env, intent, serve))
}

export const refuseOthers: Guard = async (request, { env }) => {
  const operator = await authenticateOperator(request, env)
  return operator.ok ? null : operator
}

/** Refuses an operator whose role is not enough, and logs that; null if it is enough. */
export function lackOf(
  needed: Role,
  { name: by, role }: Operator,
  { pattern }: Pick<Context, 'pattern'>,
): Result<never, Refusal> | null {
  if (hasRole({ role }, needed)) return null
  log.warn('operator.forbidden', { by, role, needed, path: pattern })
  const detail = `This needs the role ${needed}. ${by} has the role ${role}.`
  return refuse({ code: 'role-insufficient', detail })
}

/** A change that an operator asks for. `wanted` has the values that it should have. */
type Intent = { operator: Operator; action: string; subject: string; wanted: AuditValues | null }

/**
 * Makes a change between two entries of the audit log: `begun`, and its result. If the log does not
 * take the first, nothing changes. If it does not take the second, the answer stays the same, and
 * the first entry still says that the change began.
 */
async function audited(
  env: Env,
  { operator, action, subject, wanted }: Intent,
  make: () => Promise<Result<AnyReply, Refusal>>,
): Promise<Result<AnyReply, Refusal>> {
  const { name: by, role, via, token = '' } = operator
  const change = { by, role, via, token, action, request: currentRequestId() }
  const of = await begin(env, { ...change, subject, result: 'begun', of: null, before: null, after: wanted })
  if (of === null) return refuse(unrecorded)
  const entry = { ...change, subject, of, before: null, after: null }
  try {
    const made = await make()
    if (made.ok) {
      const difference = 'difference' in made.value ? made.value.difference : { after: wanted }
      await end(env, { ...entry, ...difference, result: 'done' })
    } else {
      await end(env, { ...entry, after: { code: made.error.code }, result: 'refused' })
    }
    return made
  } catch (error) {
    await end(env, { ...entry, result: 'failed' })
    throw error
  }
}

const unrecorded: Refusal = {
  code: 'unavailable',
  detail: 'The audit log does not answer, and the hub changes nothing without it. Try again in a moment.',
  retryAfter: 2,
}

/** Returns the number of the entry, or null if the log does not confirm it. */
async function begin(env: Env, record: AuditRecord): Promise<number | null> {
  try {
    return (await auditLog(env).append(record)).number
  } catch (error) {
    log.fault('audit.unavailable', error, { action: record.action, by: record.by })
    return null
  }
}

/** Writes the second entry. The log ignores a repeated one. */
async function end(env: Env, record: AuditRecord, tries = 2): Promise<void> {
  const { action, by, subject, result, of } = record
  try {
    const { number, hash } = await auditLog(env).append(record)
    log.info('operator.changed', { action, by, subject, result, entry: number, hash })
  } catch (error) {
    if (tries > 1) return end(env, record, tries - 1)
    log.fault('audit.end-lost', error, { action, by, subject, result, entry: of })
  }
}

/** An id of any kind. The log leaves out any other text, because it may be a secret in the wrong place. */
const Id = v.pipe(v.string(), v.regex(/^[a-z\d-]{1,40}$/))

/** Returns the id in a path, for the audit log; an empty text for none. */
function subjectOf(params: object): string {
  return Object.values(params).find((value): value is string => v.is(Id, value)) ?? ''
}

/** A word or an amount, limited for the same reason. `FORMS` has a form for the free names of shops. */
const ShortText = v.pipe(v.string(), v.regex(/^[a-zA-Z\d.:*-]{1,36}$/))
const ShortValue = v.union([ShortText, v.number(), v.boolean(), v.array(ShortText)])
const Time = v.pipe(
  v.number(),
  v.transform((at: number) => isoTime(at)),
)
const FORMS: Readonly<Record<string, v.GenericSchema<unknown, AuditValues[string]>>> = {
  id: Id,
  name: v.pipe(v.string(), v.maxLength(100)),
  pos: v.pipe(v.string(), v.maxLength(100)),
  // The forms of the PSPs' terminal ids, two of which have an underscore. No secret fits them.
  terminal: v.pipe(v.string(), v.regex(/^((term|tmr)_)?[a-zA-Z\d.-]{1,40}$/)),
  refundLimits: v.array(v.pipe(v.string(), v.regex(/^[A-Z]{3} [\d.]{1,20}$/))),
  from: Time,
  to: Time,
}

/** Returns the named values of a request's query and body. All others may be secrets. */
function wantedOf(asked: { query: object; body: object | undefined }, names: readonly string[]): AuditValues {
  const { query, body } = asked
  const given = new Map<string, unknown>([query, body ?? {}].flatMap((part) => Object.entries(part)))
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = v.safeParse(FORMS[name] ?? ShortValue, given.get(name))
      return value.success ? [[name, value.output]] : []
    }),
  )
}
