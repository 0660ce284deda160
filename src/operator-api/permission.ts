import { type Operator, type Role, hasRole } from '../domain/operator.ts'
import { refuse } from '../domain/result.ts'
import type { Answer, Context, Handler } from '../http/routes.ts'
import { log } from '../log.ts'
import { authenticateOperator } from './authenticate.ts'

/** A handler for operators that are known: who asks is an argument, so it cannot be served without. */
export type OperatorHandler<Params> = (
  request: Request,
  context: Context<Params>,
  operator: Operator,
) => Answer | Promise<Answer>

/** What anybody with a role may see. */
export const see = <Params>(handler: OperatorHandler<Params>): Handler<Params> => allowed('viewer', handler)

/** What changes something, and who may do it. `action` is what the audit log calls it. */
export const change = <Params>(
  role: Role,
  action: string,
  handler: OperatorHandler<Params>,
): Handler<Params> =>
  allowed(role, async (request, context, operator) => {
    const answer = await handler(request, context, operator)
    log.info('operator.changed', { action, by: operator.name, done: answer.ok })
    return answer
  })

const allowed =
  <Params>(role: Role, handler: OperatorHandler<Params>): Handler<Params> =>
  async (request, context): Promise<Answer> => {
    const operator = await authenticateOperator(request, context.env)
    if (!operator.ok) return operator
    if (hasRole(operator.value, role)) return handler(request, context, operator.value)
    log.warn('operator.forbidden', { by: operator.value.name, role: operator.value.role, needed: role })
    const detail = `This needs the role ${role}. ${operator.value.name} has the role ${operator.value.role}.`
    return refuse({ code: 'role-insufficient', detail })
  }
