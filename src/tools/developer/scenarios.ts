import type { TriggeredJob } from './pos-api.ts'

/** What a scenario lets happen: an action of the sandbox (docs: "Try slow, late, reserved and returned money"), or the customer's return. */
export type Move =
  | { act: string; options?: { after?: number; outcome?: 'failed' } }
  | { return: true }
  /** The moves after it come once the sandbox has notified the hub of this status. */
  | { until: string }

export type Scenario = { does: string; moves: readonly Move[]; isEnd: (job: TriggeredJob) => boolean }

/** Seconds until money that is slow or late arrives. */
const SLOW = 5

function ends(status: string) {
  return (job: TriggeredJob): boolean => job.status === status
}

/** What `npx hub trigger` can play, by the word that chooses it. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  paid: {
    does: 'the customer pays, and comes back',
    moves: [{ act: 'pay' }, { return: true }],
    isEnd: ends('SUCCESS'),
  },
  failed: { does: 'the payment fails', moves: [{ act: 'fail' }, { return: true }], isEnd: ends('FAILURE') },
  cancelled: {
    does: 'the customer cancels',
    moves: [{ act: 'cancel' }, { return: true }],
    isEnd: ends('CANCELLED'),
  },
  expired: { does: 'nobody pays in time', moves: [{ act: 'expire' }], isEnd: ends('EXPIRED') },
  late: {
    does: 'the payment expires, and is paid after that',
    moves: [{ act: 'late', options: { after: SLOW } }, { until: 'EXPIRED' }],
    isEnd: ends('SUCCESS'),
  },
  underway: {
    does: 'the money is on its way, and arrives',
    moves: [{ act: 'underway', options: { after: SLOW } }, { return: true }],
    isEnd: ends('SUCCESS'),
  },
  bounced: {
    does: 'the money is on its way, and never arrives',
    moves: [{ act: 'underway', options: { after: SLOW, outcome: 'failed' } }, { return: true }],
    isEnd: ends('FAILURE'),
  },
  reserved: {
    does: 'the money is reserved, and the hub captures it',
    moves: [{ act: 'authorize' }, { return: true }],
    isEnd: ends('SUCCESS'),
  },
  refund: {
    does: 'the customer pays, and gets it back',
    moves: [{ act: 'pay' }, { return: true }, { until: 'SUCCESS' }, { act: 'refund' }],
    isEnd: ({ amountRefunded }) => amountRefunded !== undefined,
  },
  chargeback: {
    does: 'the customer pays, and their bank takes it back',
    moves: [{ act: 'pay' }, { return: true }, { until: 'SUCCESS' }, { act: 'chargeback' }],
    isEnd: ({ amountChargedBack }) => amountChargedBack !== undefined,
  },
}
