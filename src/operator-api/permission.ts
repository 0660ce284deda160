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

/** What anybody with a role may see, unless it names one. */
export const see = <Params>(handler: OperatorHandler<Params>, role: Role = 'viewer'): Handler<Params> =>
  allowed(role, handler)

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
    const { name: by, role: theirs } = operator.value
    log.warn('operator.forbidden', { by, role: theirs, needed: role, path: context.pattern })
    const detail = `This needs the role ${role}. ${by} has the role ${theirs}.`
    return refuse({ code: 'role-insufficient', detail })
  }
