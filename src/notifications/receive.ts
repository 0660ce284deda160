import { waitUntil } from 'cloudflare:workers'
import { isAccountId, parseJobId, parseJobLink } from '../contract/ids.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { bounded } from '../platform/bounded.ts'
import { readText } from '../platform/http/body.ts'
import { lookUpId, networksOf } from '../platform/http/rate-limit.ts'
import type { Handler } from '../platform/http/routes.ts'
import { log } from '../platform/log.ts'
import { askJob } from '../job/call-job.ts'
import { openAccount } from '../psp/connect.ts'
import { payoutMessage } from '../psp/payout-messages.ts'
import type { NotifiedPayment } from '../psp/port.ts'
import { noteNotified, noteUnknown } from '../registry/account-notifications.ts'

/**
 * `POST /notifications/{account}`, and `…/{account}/{job}` for a PSP that takes an address with
 * each payment: payments changed. The PSP's word is a reason to ask. What is unknown gets a 200
 * too: a PSP switches an address off that answers errors, and nobody learns which jobs exist.
 */
export const receive: Handler<{ account?: string; job?: string }> = async (request, { env, params }) => {
  const { account = '', job: link = '' } = params
  const [body, psp] = await Promise.all([
    readText(request),
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
    log.warn('notification.unauthentic', { account, item: reading.item })
    note(noteNotified(env, account, 'refused'))
    return unsigned(reading.item)
  }
  if (reading.is === 'unavailable') return notNow
  // Those of the embedded sandbox have no address, so nobody outside is counted with them.
  const stranger = reading.unsigned
    ? { from: networksOf(request).map((network) => `${account} ${network}`), link }
    : null
  // The queue has taken them before the PSP is answered: it tells of a report once.
  for (const report of reading.reports ?? [])
    await env.BOOKS.send(payoutMessage.write({ account, report, done: 0 }))
  const answers = await Promise.all(reading.payments.map((payment) => ask(env, account, stranger, payment)))
  // What nobody signs counts where it is about a payment of the hub.
  if (!reading.unsigned || answers.includes('answered')) note(noteNotified(env, account, 'counted'))
  return answers.every((answer) => answer !== 'unanswered') ? ok(new Response(psp.accepted)) : notNow
}

/** The names of unknown accounts that were logged within the last minute. */
const logged = bounded<true>(MINUTE)

/**
 * The operator has to see notifications that were set up with a wrong account id: the PSP gets its
 * 200, and no payment hears of it. A name is counted, and logged once a minute: anybody may send
 * any name.
 */
function unknownAccount(env: Env, account: string): Result<Response, never> {
  if (isAccountId(account)) {
    note(noteUnknown(env, account))
    if (!logged.get(account)) log.warn('notification.account-unknown', { account })
    logged.set(account, true)
  }
  return ok(new Response('OK'))
}

/** Remembers something while nobody waits for it. */
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

const notNow = refuse({
  code: 'psp-unavailable',
  detail: 'The PSP could not be asked. Notify again.',
  retryAfter: 60,
})

/**
 * Asks about the payment that a notification is about. `unanswered`: let the PSP notify again. A
 * `stranger` who notified of too many jobs that there are not, without a signature, starts no more
 * objects, and gets the same answer.
 */
async function ask(
  env: Env,
  account: string,
  stranger: { from: readonly string[]; link: string } | null,
  { job, reference, claimedStatus, told }: NotifiedPayment,
): Promise<'answered' | 'unanswered' | 'unknown'> {
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
  const find = () => askJob(env, id, claimedStatus === null ? 'notified' : 'claim', notified)
  const synced = stranger
    ? await lookUpId(env, { id: stranger.link.toLowerCase(), to: 'notify', from: stranger.from }, find)
    : await find()
  if (synced === null || synced === 'too-many') return 'unknown'
  return synced.isAnswered ? 'answered' : 'unanswered'
}
