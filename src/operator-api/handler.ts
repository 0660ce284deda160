import type { AuditValues } from '../audit/audit-chain.ts'
import type { Operation, OutputOf } from '../contract/operation.ts'
import type { Operator } from '../contract/operator.ts'
import type { OPERATOR_OPERATIONS } from '../contract/operator-operations.ts'
import type { Asked, Replied, Reply } from '../platform/http/operations.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { ok, type Result } from '../contract/result.ts'

type Table = typeof OPERATOR_OPERATIONS

/**
 * What a change did: to what (`subject`, an id), and what the audit log tells of it before and
 * after. Null is for what was not there before, or is not there after. No secret, no credential and
 * nothing of a customer may be in them.
 */
export type Difference = { subject: string; before: AuditValues | null; after: AuditValues | null }

/**
 * What the handler of a change answers: data, which it cannot give without saying what was changed.
 */
export type Changed<Data> = Reply<Data> & { difference: Difference }

/** The handler of an operation: who asks is an argument, so it cannot be served without. */
export type OperatorHandler<Name extends keyof Table> = (
  asked: Asked<Table[Name]>,
  operator: Operator,
) => Promise<Answered<Table[Name]>>

type Answered<Row extends Operation> = Row extends { audit: object }
  ? Result<Changed<OutputOf<Row>>, Refusal>
  : Replied<Row>

/**
 * A handler for each operation of the table: one that is missing, or that the table has not, does
 * not compile.
 */
export type OperatorHandlers = { [Name in keyof Table]: OperatorHandler<Name> }

/** A reply as the router gets it: what `OperatorHandlers` says of each is checked there. */
export type AnyReply = Response | (Reply<object> & { difference?: Difference })
export type AnyOperatorHandler = (asked: Asked, operator: Operator) => Promise<Result<AnyReply, Refusal>>

/** An answer, with what was changed. */
export function changed<Data>(
  data: Data,
  difference: Difference,
  headers: Readonly<Record<string, string>> = {},
): { ok: true; value: Changed<Data> } {
  return ok({ data, headers, difference })
}
