import { waitUntil } from 'cloudflare:workers'
import { knownLoss, registryLost } from '../registry/lost-registry.ts'
import { isAccountId, parseJobId, parseJobLink } from '../contract/ids.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { bounded } from '../platform/bounded.ts'
import { readNotifiedText } from '../platform/http/body.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { lookUpId, networksOf } from '../platform/http/rate-limit.ts'
import { type Handler, routes, unexpected } from '../platform/http/routes.ts'
import { log } from '../platform/log.ts'
import { askJob } from '../job/call-job.ts'
import { returnLimit } from '../job/link.ts'
import { openAccount } from '../psp/connect.ts'
import { payoutMessage } from '../psp/payouts/payout-messages.ts'
import type { NotifiedPayment } from '../psp/port.ts'
import { noteNotified, noteUnknown } from '../registry/account-notifications.ts'

/**
 * Takes `POST /notifications/{account}`, and `…/{account}/{job}` from PSPs that take an address
 * with each payment. A notification is a reason to ask, not the truth. Unknown accounts and jobs
 * get a 200 too: a PSP switches off an address that answers errors, and nobody may learn which jobs
 * exist.
 */
const receive: Handler<{ account?: string; job?: string }> = async (request, { env, params }) => {
  const { account = '', job: link = '' } = params
  const [body, psp] = await Promise.all([
    readNotifiedText(request),
    openAccount(env, account, new URL(request.url).origin),
  ])
  if (!body.ok) return body
  if (!psp) return unknownAccount(env, account)
  const reading = await psp.readNotification({
    job: parseJobLink(link),
    headers: request.headers,
    body: body.value,
    at: Date.now(),
  })
  if (reading.is === 'unauthentic') {
    if (mayLog(` forged ${account}`)) log.warn('notification.unauthentic', { account, item: reading.item })
    note(noteNotified(env, account, 'refused'))
    return unsigned(reading.item)
  }
  if (reading.is === 'unavailable') return notNow
  // Notifications of the embedded sandbox have no network, so they do not count against outsiders.
  const stranger = reading.unsigned
    ? { from: networksOf(request).map((network) => `${account} ${network}`), link }
    : null
  if (reading.item !== undefined) log.warn('notification.unauthentic', { account, item: reading.item })
  // A fault of one holds up no other. The PSP repeats all, and what the hub has counts once.
  const answers = await Promise.all([
    ...reading.payments.map((payment) => orUnanswered(ask(env, account, stranger, payment))),
    // Queues reports before the answer, because the PSP tells of a report only once.
    ...(reading.reports ?? []).map((report) =>
      orUnanswered(env.BOOKS.send(payoutMessage.write({ account, report, done: 0 })).then(() => 'answered')),
    ),
  ])
  // An unsigned notification counts only if it is about a payment of the hub.
  if (!reading.unsigned || answers.includes('answered')) note(noteNotified(env, account, 'counted'))
  return answers.every((answer) => answer !== 'unanswered') ? ok(new Response(psp.accepted)) : notNow
}

/** The lines that this isolate logged within the last minute: strangers must not fill the log. */
const logged = bounded<number>(MINUTE)
/** The most lines of a kind that strangers cause in a minute. */
const MOST_LINES = 20

/** Returns whether there is room for one more line, of which anybody can cause any number. */
function mayLog(kind: string): boolean {
  const lines = (logged.get(kind) ?? 0) + 1
  if (lines <= MOST_LINES) logged.set(kind, lines)
  return lines <= MOST_LINES
}

/**
 * Counts a notification for an unknown account, so that the operator sees a wrong address at the
 * PSP, which gets its 200 all the same. Logs each name once a minute, because anybody may send any
 * name. While the registry is lost the PSP has to notify again: the account may be one of the lost.
 */
async function unknownAccount(env: Env, account: string): Promise<Result<Response, Refusal>> {
  if (isAccountId(account)) {
    if (await knownLoss(env)) return registryLost
    note(noteUnknown(env, account))
    if (!logged.get(account) && mayLog(' unknown')) log.warn('notification.account-unknown', { account })
    logged.set(account, 1)
  }
  return ok(new Response('OK'))
}

/** Writes in the background. */
function note(written: Promise<void>): void {
  waitUntil(written.catch((error: unknown) => log.fault('kv.write-failed', error)))
}

function unsigned(item: number | undefined) {
  return refuse({
    code: 'signature-invalid',
    detail:
      item === undefined
        ? 'The notification is not signed by the PSP.'
        : `Item ${item} of the notification is not signed by the PSP.`,
  })
}

type NotificationOutcome = 'answered' | 'unanswered' | 'unknown'

/** Logs a fault of the hub, so that the PSP notifies again. */
function orUnanswered(answer: Promise<NotificationOutcome>): Promise<NotificationOutcome> {
  return answer.catch((error: unknown) => {
    unexpected(error)
    return 'unanswered'
  })
}

const notNow = refuse({
  code: 'psp-unavailable',
  detail: 'The PSP could not be asked. Notify again.',
  retryAfter: 60,
})

/**
 * Asks about the notified payment. `unanswered`: the PSP should notify again. For a `stranger` who
 * sent too many unknown jobs without a signature, calls no more objects, and answers the same.
 */
async function ask(
  env: Env,
  account: string,
  stranger: { from: readonly string[]; link: string } | null,
  { job, reference, claimedStatus, told }: NotifiedPayment,
): Promise<NotificationOutcome> {
  const id = parseJobId(job)
  if (id === null) return 'unknown'
  const notified = {
    is: 'notified' as const,
    came: Date.now(),
    account,
    reference,
    ...(told?.payment === undefined ? {} : { payment: told.payment }),
    ...(told?.moves === undefined ? {} : { moves: [...told.moves] }),
    ...(claimedStatus === null ? {} : { claims: claimedStatus }),
  }
  const isEnd = claimedStatus !== null && claimedStatus !== 'SUCCESS'
  const find = () => askJob(env, id, isEnd ? 'claim' : 'notified', notified, stranger === null)
  const synced = stranger
    ? await lookUpId(
        env,
        { id: stranger.link.toLowerCase(), purpose: 'notify', from: stranger.from },
        find,
        returnLimit(env),
      )
    : await find()
  if (synced === null || synced === 'too-many') return 'unknown'
  return synced.isAnswered ? 'answered' : 'unanswered'
}

export const notifications = routes((table) => table.post('/notifications/:account?/:job?', receive))
