import { knownIds, limitedLookUps, missedIds } from '../platform/http/limited-look-ups.ts'
import { UNKNOWN_QUOTAS } from '../platform/http/unknown-quotas.ts'
import { isMarkedJobId } from './marked-id.ts'

const known = knownIds()
/** Nobody but its PSP knows the id of a job before the job is there. */
const misses = missedIds()

/**
 * Returns have a limit of their own: what neighbours do at `/pay/` must not hold up who has paid. Notifications remember no
 * misses: a PSP may notify before the job is there.
 */
const lookUps = {
  pay: limitedLookUps(UNKNOWN_QUOTAS.unknownJobsPerAddress, { known, misses }),
  return: limitedLookUps(UNKNOWN_QUOTAS.unknownReturnsPerAddress, { known, misses }),
  notify: limitedLookUps(UNKNOWN_QUOTAS.unknownReturnsPerAddress, { known }),
}

/** Why somebody asks for a job, to pay, to come back, or to notify of it without a signature, and whom that is counted as. */
type Visit = { id: string; to: keyof typeof lookUps; from: string }

/**
 * Finds a job by an id that anybody may send; null when there is none, and `too-many` where `from` has asked for too many
 * that nobody has. Ids with the hub's mark, and those that were found here before, are always looked up.
 */
export function visitJob<T extends object>(
  env: Env,
  { id, to, from }: Visit,
  find: () => Promise<T | null>,
): Promise<T | null | 'too-many'> {
  return lookUps[to](
    {
      id,
      key: `${to} ${from}`,
      binding: to === 'pay' ? env.UNKNOWN_JOBS_PER_ADDRESS : env.UNKNOWN_RETURNS_PER_ADDRESS,
      isSure: () => isMarkedJobId(env.SIGNING_ROOT, id),
    },
    find,
  )
}
