import type { ProblemCode } from '../../contract/problems.ts'
import { problem } from '../../platform/http/refusal.ts'
import { inRequest } from '../../platform/request-context.ts'
import { HUB } from '../../site/placeholder.ts'
import { REFUSAL_EXAMPLES } from './refusal-examples.ts'

/** An answer with a problem, as the hub itself writes it: its status, its headers and its body. */
export async function problemExample(code: ProblemCode): Promise<string> {
  const response = inRequest(() => problem(REFUSAL_EXAMPLES[code]), { origin: HUB })
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  const body = JSON.stringify(await response.json(), null, 2)
  return [`HTTP/1.1 ${response.status}`, ...headers, '', body].join('\n')
}
