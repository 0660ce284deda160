import type { State } from '../job/core/state.ts'
import { parseJobLink } from '../contract/ids.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { clientNetwork } from '../platform/http/rate-limit.ts'
import { tooManyPage, unknownPage } from './notices.tsx'
import { lookUpId } from '../platform/http/unknown-ids.ts'

/**
 * The job that a customer's link leads to; or the page for a link that leads to none, or that comes
 * after too many such.
 */
export async function findJob(
  request: Request,
  env: Env,
  link: { id: string; to: 'pay' | 'return' },
  find: (id: string) => Promise<State | null>,
): Promise<Result<State, Response>> {
  const id = parseJobLink(link.id)
  const visit = { id: link.id.toLowerCase(), to: link.to, from: clientNetwork(request) }
  const job = id && (await lookUpId(env, visit, () => find(id)))
  if (job && job !== 'too-many') return ok(job)
  return refuse(await (job ? tooManyPage(request) : unknownPage(request)))
}
