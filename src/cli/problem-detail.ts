import * as v from 'valibot'

const Problem = v.pipe(v.string(), v.parseJson(), v.object({ detail: v.string() }))

/** What a hub says of why it refuses (the `detail` of a problem, RFC 9457), or null for an answer that is no problem. */
export const problemDetail = (text: string): string | null => {
  const problem = v.safeParse(Problem, text)
  return problem.success ? problem.output.detail : null
}
