import { openJobsAtTerminals } from '../job-index/at-terminals.ts'
import { within } from '../platform/deadline.ts'
import { reply } from '../platform/http/operations.ts'
import { seenTerminals } from '../psp/listed-terminals.ts'
import type { PosHandler } from './handler.ts'

/** How long (ms) the index may take: a till needs its terminals also without what they are busy with. */
const LONGEST = 2000

/** Lists the terminals of the point of sale. Shows it no job but its own. */
export const listTerminals: PosHandler<'listTerminals'> = async ({ request, env }, profile) => {
  const [terminals, jobs] = await Promise.all([
    seenTerminals(env, profile, new URL(request.url).origin),
    within(
      LONGEST,
      openJobsAtTerminals(env, profile.pos).catch(() => null),
    ),
  ])
  return reply({
    terminals: terminals.map(({ id, name, isDefault, isOn }) => ({
      id,
      name,
      isDefault,
      isOn,
      busyWith: jobs?.get(id) ?? null,
    })),
  })
}
