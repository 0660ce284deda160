import * as v from 'valibot'
import { type Result, refuse } from '../result.ts'
import type { FieldError, Refusal } from './refusal.ts'

/** What a schema found wrong, as a refusal: the first error of each field. */
export function invalid(issues: readonly v.BaseIssue<unknown>[]): Result<never, Refusal> {
  const errors = new Map(
    issues.toReversed().map((issue) => [v.getDotPath(issue) ?? 'body', messageOf(issue)]),
  )
  const [first, ...others] = Array.from(errors, ([field, error]): FieldError => ({
    field,
    error,
  })).toReversed()
  return refuse({
    code: 'fields-invalid',
    errors: [first ?? { field: 'body', error: 'is invalid' }, ...others],
  })
}

/** A missing member is told in our words: a schema's own message for it is Valibot's. */
function messageOf(issue: v.BaseIssue<unknown>): string {
  return issue.received === 'undefined' ? 'is required' : issue.message
}

/** One field that is invalid for a reason that no schema knows. */
export function invalidField(field: string, error: string): Result<never, Refusal> {
  return refuse({ code: 'fields-invalid', errors: [{ field, error }] })
}
