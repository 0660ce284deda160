import * as v from 'valibot'
import { RELEASE_0_1_0 } from './release-0.1.0.ts'

/** What release 0.2.0 could read, copied from it: what 0.1.0 could, and what came with it. It never changes. */
const Integer = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const Status = v.picklist(['PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED'])
const Action = v.picklist(['Start', 'Return', 'Statuspull', 'Expire', 'Cancel'])
const Stage = v.picklist(['underway', 'authorized'])

const Job = v.object({
  ...RELEASE_0_1_0.job.entries,
  steps: v.array(
    v.object({
      at: Integer,
      action: Action,
      status: Status,
      paid: Integer,
      stage: v.exactOptional(Stage),
    }),
  ),
  reports: v.array(
    v.object({
      ...RELEASE_0_1_0.job.entries.reports.item.entries,
      again: v.exactOptional(v.literal(true)),
    }),
  ),
  stage: v.exactOptional(v.object({ is: Stage, since: Integer, until: Integer })),
  closed: v.exactOptional(v.literal(true)),
  late: v.exactOptional(v.literal(true)),
  askedForPullAt: v.exactOptional(Integer),
})

const MoneyBack = v.object({
  refunded: Integer,
  chargedBack: Integer,
  elsewhere: Integer,
  steps: v.array(
    v.object({
      at: Integer,
      action: v.picklist(['Refund', 'Chargeback']),
      refunded: Integer,
      chargedBack: Integer,
    }),
  ),
  refunds: v.array(
    v.object({
      id: v.string(),
      fingerprint: v.string(),
      call: v.string(),
      amount: Integer,
      description: v.string(),
      at: Integer,
      state: v.picklist(['asking', 'pending', 'done', 'failed']),
      reference: v.nullable(v.string()),
      error: v.nullable(v.string()),
      checks: Integer,
      checkAt: v.nullable(Integer),
    }),
  ),
  moves: v.array(
    v.object({
      id: v.string(),
      kind: v.picklist(['refund', 'refund-failed', 'chargeback', 'chargeback-reversed']),
      amount: Integer,
      currency: v.exactOptional(v.string()),
      refund: v.exactOptional(v.string()),
      reference: v.exactOptional(v.string()),
      error: v.exactOptional(v.string()),
    }),
  ),
  payment: v.nullable(v.string()),
})

const OtherPayments = v.object({
  payments: v.array(
    v.object({
      account: v.string(),
      reference: v.nullable(v.string()),
      paid: Integer,
      tries: Integer,
      at: v.nullable(Integer),
    }),
  ),
})

const Times = { asOf: v.number(), tokensSince: v.number() }
const Profile = v.object({
  ...RELEASE_0_1_0.profile.entries,
  formerSecretUntil: v.exactOptional(v.number()),
  access: v.exactOptional(v.object({ ...Times, generations: v.array(v.string()) })),
})

const JobKey = v.object({ id: v.string(), created: v.number(), pos: v.string() })
const Outcome = v.picklist(['paid', 'failed', 'canceled', 'expired', 'open'])

export const RELEASE_0_2_0 = {
  ...RELEASE_0_1_0,
  job: Job,
  'money-back': MoneyBack,
  'other-payments': OtherPayments,
  tombstone: v.object({ fingerprint: v.string(), at: v.number() }),
  token: v.object({ expires: v.number(), profile: Profile, generation: v.exactOptional(v.string()) }),
  profile: Profile,
  'api-key': v.object({ pos: v.string(), ...Times }),
  'profile-refresh-message': v.object({ pos: v.string(), account: v.exactOptional(v.string()) }),
  'sweep-message': v.object({
    sweep: v.object({
      status: v.nullable(Status),
      from: v.number(),
      to: v.number(),
      changedBefore: v.nullable(v.number()),
    }),
    after: v.nullable(JobKey),
  }),
  'sandbox-payment': v.object({
    ...RELEASE_0_1_0['sandbox-payment'].entries,
    status: Outcome,
    stage: v.exactOptional(v.picklist(['pending', 'authorized'])),
    next: v.exactOptional(v.object({ status: v.picklist(['paid', 'failed']), at: v.number() })),
    captured: v.exactOptional(Integer),
    refunds: v.exactOptional(
      v.array(
        v.object({
          id: v.string(),
          amount: Integer,
          description: v.string(),
          metadata: v.string(),
          createdAt: Integer,
          key: v.nullable(v.string()),
          fingerprint: v.string(),
          failed: v.boolean(),
        }),
      ),
    ),
    chargedBack: v.exactOptional(Integer),
  }),
}
