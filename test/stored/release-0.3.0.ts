import * as v from 'valibot'
import { RELEASE_0_2_0 } from './release-0.2.0.ts'

/** What release 0.3.0 could read, copied from it: what 0.2.0 could, and what came with it. It never changes. */
const Integer = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const Clock = v.object({ speed: v.pipe(Integer, v.minValue(1), v.maxValue(100_000)), since: Integer })

const Profile = v.object({ ...RELEASE_0_2_0.profile.entries, name: v.exactOptional(v.string()) })

export const RELEASE_0_3_0 = {
  ...RELEASE_0_2_0,
  job: v.object({ ...RELEASE_0_2_0.job.entries, clock: v.exactOptional(Clock) }),
  profile: Profile,
  token: v.object({ ...RELEASE_0_2_0.token.entries, profile: Profile }),
  'sandbox-payment': v.object({
    ...RELEASE_0_2_0['sandbox-payment'].entries,
    notifyNext: v.exactOptional(v.number()),
    clock: v.exactOptional(Clock),
  }),
  /** What an object tells the Workers that watch its job: in a gradual deployment they may be of that release. */
  snapshot: v.object({
    version: v.literal(1),
    pos: v.string(),
    isFinal: v.boolean(),
    stage: v.exactOptional(v.picklist(['underway', 'authorized'])),
    job: v.object({
      status: v.picklist(['PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED']),
      amountDue: v.string(),
      amountPaid: v.string(),
      amountRefunded: v.exactOptional(v.string()),
      amountChargedBack: v.exactOptional(v.string()),
      payments: v.object({ steps: v.array(v.object({ creationDate: v.string() })) }),
    }),
  }),
}
