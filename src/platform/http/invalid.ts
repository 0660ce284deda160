import * as v from 'valibot'
import { refuse, type Result } from '../../contract/result.ts'
import type { FieldError, Refusal } from './refusal.ts'

/** What a schema found wrong: the first error of each field, in the order of the schema. */
export function errorsOf(issues: readonly v.BaseIssue<unknown>[]): Map<string, string> {
  const errors = new Map<string, string>()
  for (const issue of issues) {
    const field = v.getDotPath(issue) ?? 'body'
    // A missing member is told in our words: a schema's own message for it is Valibot's.
    if (!errors.has(field)) errors.set(field, issue.received === 'undefined' ? 'is required' : issue.message)
  }
  return errors
}

/** What a schema found wrong, as a refusal. */
export function invalid(issues: readonly v.BaseIssue<unknown>[]): Result<never, Refusal> {
  return invalidFields(errorsOf(issues))
}

/** Errors of fields as a refusal, in the order of `fields` where that is given. */
export function invalidFields(
  errors: ReadonlyMap<string, string>,
  fields: readonly string[] = [...errors.keys()],
): Result<never, Refusal> {
  const [first = { field: 'body', error: 'is invalid' }, ...others] = fields.flatMap(
    (field): FieldError[] => {
      const error = errors.get(field)
      return error === undefined ? [] : [{ field, error }]
    },
  )
  return refuse({ code: 'fields-invalid', errors: [first, ...others] })
}

/** One field that is invalid for a reason that no schema knows. */
export function invalidField(field: string, error: string): Result<never, Refusal> {
  return invalidFields(new Map([[field, error]]))
}
