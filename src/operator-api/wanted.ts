import * as v from 'valibot'
import type { AuditValues } from '../audit/audit-chain.ts'
import { readOptionalJsonObject } from '../platform/http/body.ts'

/** An id of whatever kind. A text of another form may be a secret in the wrong place, and is not told. */
const Id = v.pipe(v.string(), v.regex(/^[a-z\d-]{1,40}$/))

/** What the audit log calls the thing that a path names; empty where it names none. */
export function subjectOf(params: object): string {
  return Object.values(params).find((value): value is string => v.is(Id, value)) ?? ''
}

/** A word, an amount or a time, for the same reason; the name of a shop is what its operator likes. */
const Word = v.pipe(v.string(), v.regex(/^[a-zA-Z\d.:*-]{1,36}$/))
const Telling = v.union([Word, v.number(), v.boolean(), v.array(Word)])
const Name = v.pipe(v.string(), v.maxLength(100))
const FORMS: Readonly<Record<string, v.GenericSchema<unknown, AuditValues[string]>>> = { id: Id, name: Name }

/**
 * What a request wants, as far as the audit log tells it: of its query and its body, the values of these names. All others may be
 * secrets. It is not judged yet, so what has not the form of a value is left out.
 */
export async function wantedOf(request: Request, names: readonly string[]): Promise<AuditValues | null> {
  if (names.length === 0) return null
  const body = await readOptionalJsonObject(request.clone())
  const given = { ...Object.fromEntries(new URL(request.url).searchParams), ...(body.ok ? body.value : {}) }
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = v.safeParse(FORMS[name] ?? Telling, given[name])
      return value.success ? [[name, value.output]] : []
    }),
  )
}
