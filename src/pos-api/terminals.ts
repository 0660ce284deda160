import { openJobsAtTerminals } from '../job-index/at-terminals.ts'
import { within } from '../platform/deadline.ts'
import { reply } from '../platform/http/operations.ts'
import { seenTerminals } from '../psp/listed-terminals.ts'
import type { PosHandler } from './handler.ts'

/** How long (ms) the index may take: without it, a till still sees its terminals, but not their jobs. */
const LONGEST = 2000

/** Lists the terminals of the point of sale. It sees only its own jobs there. */
export const listTerminals: PosHandler<'listTerminals'> = async ({ request, env }, profile) => {
  const open = openJobsAtTerminals(env, profile.pos).catch(() => null)
  const [seen, jobs] = await Promise.all([
    seenTerminals(env, profile, new URL(request.url).origin),
    within(LONGEST, open),
  ])
  const terminals = seen.map(({ id, name, isDefault, isOn }) => {
    return { id, name, isDefault, isOn, busyWith: jobs?.get(id) ?? null }
  })
  return reply({ terminals })
}
