import type { AuditValues } from '../audit/audit-chain.ts'
import type { Operator } from '../contract/operator.ts'
import { type Result, ok } from '../platform/result.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import type { Context } from '../platform/http/routes.ts'

/**
 * What a change did: to what (`subject`, an id), and what the audit log tells of it before and after. Null is for what was not there
 * before, or is not there after. No secret, no credential and nothing of a customer may be in them.
 */
type Difference = { subject: string; before: AuditValues | null; after: AuditValues | null }

/** What the handler of a change answers: a response, which it cannot give without saying what was changed. */
export type Changed = Difference & { response: Response }

/** A handler that changes something, for operators that are known. */
export type ChangeHandler<Params = object> = (
  request: Request,
  context: Context<Params>,
  operator: Operator,
) => Promise<Result<Changed, Refusal>>

/** An answer, with what was changed. */
export function changed(answer: Result<Response, never>, difference: Difference): Result<Changed, never> {
  return answer.ok ? ok({ response: answer.value, ...difference }) : answer
}
