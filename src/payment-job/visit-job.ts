import { knownIds, limitedLookUps, missedIds } from '../http/limited-look-ups.ts'
import { isMarkedJobId } from './marked-id.ts'
import { UNKNOWN_QUOTAS } from './quotas.ts'

const known = knownIds()
/** Nobody but its PSP knows the id of a job before the job is there. */
const misses = missedIds()

/** Returns have a limit of their own: what neighbours do at `/pay/` must not hold up who has paid. */
const lookUps = {
  pay: limitedLookUps(UNKNOWN_QUOTAS.unknownJobsPerAddress, { known, misses }),
  return: limitedLookUps(UNKNOWN_QUOTAS.unknownReturnsPerAddress, { known, misses }),
}

/** Who asks for a job: a customer of a network who wants to pay, or who comes back. */
type Visit = { id: string; to: 'pay' | 'return'; network: string }

/**
 * Finds a job by an id that anybody may send; null when there is none, and `too-many` where its network has asked for too many
 * that nobody has. Ids with the hub's mark, and those that were found here before, are always looked up.
 */
export const visitJob = <T extends object>(
  env: Env,
  { id, to, network }: Visit,
  find: () => Promise<T | null>,
): Promise<T | null | 'too-many'> =>
  lookUps[to](
    {
      id,
      key: `${to} ${network}`,
      binding: to === 'pay' ? env.UNKNOWN_JOBS_PER_ADDRESS : env.UNKNOWN_RETURNS_PER_ADDRESS,
      isSure: () => isMarkedJobId(env.SIGNING_ROOT, id),
    },
    find,
  )
