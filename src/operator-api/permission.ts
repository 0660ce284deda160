import { type Operator, type Role, hasRole } from '../contract/operator.ts'
import { type Result, refuse } from '../platform/result.ts'
import { countRequest } from '../platform/http/rate-limit.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import type { Answer, Context, Guard, Handler } from '../platform/http/routes.ts'
import { log } from '../platform/log.ts'
import { audited } from './audited.ts'
import { authenticateOperator } from './authenticate.ts'
import type { ChangeHandler } from './changed.ts'
import { OPERATOR_QUOTAS } from './quotas.ts'
import { subjectOf, wantedOf } from './wanted.ts'

const SESSIONS = OPERATOR_QUOTAS.sessionsPerOperator

/** A handler for operators that are known: who asks is an argument, so it cannot be served without. */
export type OperatorHandler<Params> = (
  request: Request,
  context: Context<Params>,
  operator: Operator,
) => Answer | Promise<Answer>

/** What anybody with a role may see, unless it names one. */
export function see<Params>(handler: OperatorHandler<Params>, role: Role = 'viewer'): Handler<Params> {
  return allowed(role, handler)
}

/**
 * What changes something, and who may do it. `action` is what the audit log calls it; of the request's query and body it tells the
 * values that `told` names. One that is refused for its role is told by the Worker's log alone: it would have changed nothing.
 */
export function change<Params extends object>(
  role: Role,
  action: string,
  handler: ChangeHandler<Params>,
  told: readonly string[] = [],
): Handler<Params> {
  return allowed(role, async (request, context, operator) => {
    // What everybody may do is to begin and end sessions. Each is two entries: nobody is to fill the audit log with them.
    if (role === 'viewer') {
      const key = `${action} ${operator.name}`
      const limit = await countRequest(context.env.SESSIONS_PER_OPERATOR, SESSIONS, key)
      if (!limit.ok) return limit
    }
    const intent = {
      operator,
      action,
      subject: subjectOf(context.params),
      wanted: await wantedOf(request, told),
    }
    return audited(context.env, intent, () => handler(request, context, operator))
  })
}

/** Lets operators pass, whatever their role. */
export const refuseOthers: Guard = async (request, { env }) => {
  const operator = await authenticateOperator(request, env)
  return operator.ok ? null : operator
}

function allowed<Params>(role: Role, handler: OperatorHandler<Params>): Handler<Params> {
  return async (request, context): Promise<Answer> => {
    const operator = await authenticateOperator(request, context.env)
    if (!operator.ok) return operator
    return lackOf(role, operator.value, context) ?? handler(request, context, operator.value)
  }
}

/** Refuses an operator whose role is not enough, and logs it; null where it is. */
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
