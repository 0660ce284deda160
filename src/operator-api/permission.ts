import type { Operation } from '../contract/operation.ts'
import { hasRole, type Operator, type Role } from '../contract/operator.ts'
import { type Asked, readAsked } from '../platform/http/operations.ts'
import { countRequest } from '../platform/http/rate-limit.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import type { Answer, Context, Guard } from '../platform/http/routes.ts'
import { log } from '../platform/log.ts'
import { ok, refuse, type Result } from '../contract/result.ts'
import { audited } from './audited.ts'
import { authenticateOperator } from './authenticate.ts'
import type { AnyOperatorHandler, AnyReply } from './handler.ts'
import { OPERATOR_QUOTAS } from './quotas.ts'
import { subjectOf, wantedOf } from './pos-named.ts'

const SESSIONS = OPERATOR_QUOTAS.sessionsPerOperator

/**
 * Serves one operation to an operator who may. A change stands in the audit log before it is made. One that is refused for its role is
 * told by the Worker's log alone: it would have changed nothing.
 */
export async function serveOperator(
  row: Operation,
  handler: AnyOperatorHandler,
  request: Request,
  context: Context,
): Promise<Answer> {
  const known = await authenticateOperator(request, context.env)
  if (!known.ok) return known
  const operator = known.value
  const { role = 'operator', audit } = row
  const lack = lackOf(role, operator, context)
  if (lack) return lack
  const serve = async (): Promise<Result<AnyReply, Refusal>> => {
    const asked = await readAsked(row, request, context)
    return asked.ok ? handler(asked.value, operator) : asked
  }
  if (!audit) return respond(row, await serve())
  const { action, keeps = [] } = audit
  // What everybody may do is to begin and end sessions. Each is two entries: nobody is to fill the audit log with them.
  if (role === 'viewer') {
    const limit = await countRequest(
      context.env.SESSIONS_PER_OPERATOR,
      SESSIONS,
      `${action} ${operator.name}`,
    )
    if (!limit.ok) return limit
  }
  const wanted = await wantedOf(request, keeps)
  const intent = { operator, action, subject: subjectOf(context.params), wanted }
  return respond(row, await audited(context.env, intent, serve))
}

function respond({ answer }: Operation, replied: Result<AnyReply, Refusal>): Answer {
  if (!replied.ok) return replied
  if (replied.value instanceof Response) return ok(replied.value)
  const { data, headers = {} } = replied.value
  return ok(Response.json(data, { status: answer.status, headers }))
}

/** Lets operators pass, whatever their role. */
export const refuseOthers: Guard = async (request, { env }) => {
  const operator = await authenticateOperator(request, env)
  return operator.ok ? null : operator
}

/** Refuses an operator whose role is not enough, and logs it; null where it is. */
export function lackOf(
  needed: Role,
  { name: by, role }: Operator,
  { pattern }: Pick<Asked, 'pattern'>,
): Result<never, Refusal> | null {
  if (hasRole({ role }, needed)) return null
  log.warn('operator.forbidden', { by, role, needed, path: pattern })
  const detail = `This needs the role ${needed}. ${by} has the role ${role}.`
  return refuse({ code: 'role-insufficient', detail })
}
