import * as v from 'valibot'

const Json = v.pipe(v.string(), v.parseJson())

/** What every problem of a hub has (RFC 9457): the words for why it refuses. */
export const Refusal = v.object({ detail: v.string() })

/** A hub's answer as the problem that a schema says, or null for an answer that is none. */
export function problemOf<Problem extends v.GenericSchema>(
  text: string,
  problem: Problem,
): v.InferOutput<Problem> | null {
  const read = v.safeParse(v.pipe(Json, problem), text)
  return read.success ? read.output : null
}
