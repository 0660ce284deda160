import { randomBytes } from 'node:crypto'
import { PAYS, DAY, HOUR, PAYMENTS, type Scenario } from '../scenarios.ts'
import { act, isReported, later, move } from '../moves.ts'
import {
  answersTooLate,
  comesThreeTimes,
  downFor,
  forges,
  getsMoreMembers,
  newerComesFirst,
  opensForgedReturn,
  opensReturn,
  returnsBeforeTheReport,
  signedBy,
  waited,
} from './moves.ts'
import type { AtShop, PlayedOrder } from './order.ts'

/** A scenario that a shop takes part in. */
export type ShopScenario = Scenario<PlayedOrder> &
  AtShop & {
    /** Somebody signs as the hub does, by the shop's own secret. */
    needsSecret?: true
  }

const NO_PROOF = 'A return proves nothing. Read the job, or wait for its report.'
const AGAIN = 'Accept the report that the hub sends again.'
const ONCE = 'Answer each with 2xx, and handle the order once.'
const REFUSE =
  'Refuse it with 400 or 401: verify the signature over the raw body with your own secret, before you read it.'
const WAIT = 'Wait as long as Retry-After says, and send the create again with the same key.'

/** Everything that a certificate can try. */
export const SCENARIOS: Readonly<Record<string, ShopScenario>> = {
  ...PAYMENTS,

  // How customers come back.
  'report-first': {
    does: 'The report comes first, and the customer later.',
    should: 'Handle the order by the report, and show the customer that it is paid.',
    moves: [...PAYS, move('comeBack'), isReported('SUCCESS')],
  },
  'return-first': {
    does: 'The customer comes back first, and the report comes later.',
    should: 'Show the customer a page, and call the order paid once the report is there.',
    moves: [returnsBeforeTheReport, isReported('SUCCESS')],
  },
  'never-returns': {
    does: 'The customer pays, and never comes back.',
    should: 'Handle the order by the report, without waiting for the customer.',
    moves: PAYS,
  },
  'unpaid-return': {
    does: 'The customer opens the return address without having paid.',
    should: NO_PROOF,
    moves: [opensReturn, move('isUnpaid')],
  },
  'forged-return': {
    does: 'The customer forges the return, as if the order were paid.',
    should: `${NO_PROOF} Verify the signature of a return that has one.`,
    moves: [opensForgedReturn, move('isUnpaid')],
  },

  // A bad network.
  'three-times': {
    does: 'The same report comes three times.',
    should: ONCE,
    moves: [comesThreeTimes, act('pay'), isReported('SUCCESS', 3)],
  },
  'out-of-order': {
    does: 'The payment expires and is then paid, and the report of the expiry comes last.',
    should: 'Compare lastUpdate, or read the job: the newer state counts, not the newer report.',
    moves: [newerComesFirst, isReported('SUCCESS')],
  },
  'hour-late': {
    does: 'The report comes an hour late.',
    should: AGAIN,
    moves: downFor(HOUR, 'no connection', later(DAY)),
  },
  'down-for-a-day': {
    does: 'The receiver is down for a day.',
    should: AGAIN,
    moves: downFor(DAY, 'no connection', later(DAY)),
  },
  'given-up': {
    does: 'The receiver is down until the hub gives up the report. Then the shop asks for it again.',
    should: AGAIN,
    moves: downFor(5 * DAY, 'no connection', (order) => order.resendReport()),
  },
  'answers-500': {
    does: 'The receiver answers 500 for an hour.',
    should: AGAIN,
    moves: downFor(HOUR, 500, later(DAY)),
  },
  'answers-slowly': {
    does: 'The receiver answers too late, so the hub sends the report again.',
    should: ONCE,
    moves: [answersTooLate, later(HOUR), isReported('SUCCESS', 2)],
  },
  'unknown-members': {
    does: 'A report has members and an action that are new to the shop.',
    should: 'Ignore what you do not know: later releases add members.',
    needsSecret: true,
    moves: [getsMoreMembers, ...PAYS],
  },

  // Reports that are not the hub's.
  unsigned: {
    does: 'An attacker sends a report without a signature.',
    should: REFUSE,
    moves: [forges(async () => ({ 'content-type': 'application/json' }))],
  },
  tampered: {
    does: 'An attacker changes a report on its way: the signature belongs to another body.',
    should: REFUSE,
    needsSecret: true,
    moves: [forges(({ id, before, secret }) => signedBy(secret, id, Date.now(), before))],
  },
  'another-shop': {
    does: "A report is signed with another shop's secret.",
    should: REFUSE,
    moves: [forges(({ id, body }) => signedBy(randomBytes(48).toString('base64'), id, Date.now(), body))],
  },
  stale: {
    does: 'An attacker repeats a signed report of three hours ago.',
    should:
      'Verify webhook-signature, and refuse a webhook-timestamp older than five minutes. Or read the job.',
    needsSecret: true,
    moves: [
      // A shop that reads the job at each report may answer 2xx: it loses nothing.
      forges(({ id, body, secret }) => signedBy(secret, id, Date.now() - 3 * HOUR * 1000, body), 'or takes'),
    ],
  },

  // The shop's own client. A fault hits the next create, whoever makes it.
  'two-clicks': {
    does: 'The customer clicks Pay twice, quickly.',
    should: 'Save one key with the order, and send it with both creates: there is one payment.',
    clicks: 2,
    moves: PAYS,
  },
  'answer-lost': {
    does: 'The answer to a create is lost, though the hub made the payment.',
    should: 'Send the create again with the same Idempotency-Key and body: there is one payment.',
    fault: 'the answer is lost',
    moves: PAYS,
  },
  'token-expired': {
    does: 'The access token has expired: the hub answers a create with 401.',
    should: 'Get a new token from the guardian, once, and send the create again.',
    fault: 'the token has expired',
    moves: PAYS,
  },
  'too-many-requests': {
    does: 'The hub answers a create with 429 and Retry-After.',
    should: WAIT,
    fault: 'too many requests',
    moves: [waited, ...PAYS],
  },
  unavailable: {
    does: 'The hub answers a create with 503 and Retry-After.',
    should: WAIT,
    fault: 'unavailable',
    moves: [waited, ...PAYS],
  },
}
