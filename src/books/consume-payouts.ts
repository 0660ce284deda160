import { HOUR } from '../contract/timestamp.ts'
import { log } from '../platform/log.ts'
import { eachMessage, sendAll } from '../platform/queues.ts'
import { openAccount } from '../psp/connect.ts'
import { type PayoutMessage, payoutMessage } from '../psp/payouts/payout-messages.ts'
import { payoutParts } from '../psp/payouts/payouts.ts'
import type { Psp } from '../psp/port.ts'
import { accountIds } from '../registry/accounts.ts'
import { fetchPage, whyForeign, whyUnfit } from './fetch-payouts.ts'
import { matchLines } from './match-lines.ts'
import { storePart } from './store-part.ts'

/** The hour (UTC) in which the hub fetches payouts. Banks have booked them by then. */
const FETCHED_AT = 5

/** Starts the daily fetch of every account's payouts. It skips accounts without an API for them. */
export async function startFetches(env: Env, now: number): Promise<void> {
  if (Math.floor(now / HOUR) % 24 !== FETCHED_AT) return
  try {
    const accounts = await accountIds(env.DB)
    await sendAll(
      env.BOOKS,
      accounts.map((account) => ({ body: payoutMessage.write({ account, after: null }) })),
    )
  } catch (error) {
    log.fault('queue.send-failed', error)
  }
}

/** Consumes the `books` queue: each message is a part, and comes again if the PSP does not answer. */
export function consumeBooks(batch: MessageBatch, env: Env): Promise<void> {
  return eachMessage(batch, payoutMessage, (message) => bookPart(env, message))
}

async function bookPart(env: Env, message: PayoutMessage): Promise<void> {
  const psp = await openAccount(env, message.account, '')
  const next =
    psp && ('report' in message ? await bookReport(env, psp, message) : await bookPage(env, psp, message))
  if (next) await env.BOOKS.send(payoutMessage.write(next))
}

type PageMessage = Extract<PayoutMessage, { after: string | null }>

async function bookPage(env: Env, psp: Psp, { account, after }: PageMessage): Promise<PageMessage | null> {
  const fetched = await fetchPage(env, account, psp, after ?? undefined)
  if (!fetched) return null
  if (!fetched.ok) throw new Error(fetched.error.message)
  const { payouts, lines, leftOut, next } = fetched.value
  for (const { payout, why } of leftOut) log.warn('books.left-out', { account, payout, reason: why })
  if (lines > 0) log.info('books.fetched', { account, payouts, lines })
  return next === null ? null : { account, after: next }
}

type ReportMessage = Extract<PayoutMessage, { report: string }>

/** Books one part of a report. Downloads the report for each part, because nothing keeps it in between. */
async function bookReport(env: Env, psp: Psp, message: ReportMessage): Promise<ReportMessage | null> {
  const { account, report, done } = message
  const read = await psp.readReport?.(report)
  if (!read) return null
  if (!read.ok) {
    if (read.error.is === 'unavailable') throw new Error(`${report} could not be downloaded`)
    log.error('books.report-refused', { account, report, reason: read.error.why })
    return null
  }
  const parts = read.value.flatMap(payoutParts)
  const part = parts[done]
  if (!part) return null
  const why = whyForeign(psp, part) ?? whyUnfit(part)
  const lines = why === null ? await matchLines(env, { ...part, account }, part.lines) : []
  const stored = why === null ? await storePart(env.DB, { ...part, account, lines }) : 'other'
  const isLeftOut = stored === 'other'
  if (isLeftOut) {
    const reason = why ?? 'It is booked in another currency, or another call is booking it.'
    log.warn('books.left-out', { account, payout: part.id, reason })
  } else log.info('books.fetched', { account, payouts: stored === 'whole' ? 1 : 0, lines: lines.length })
  // A payout that is left out is skipped with all its parts.
  const next = parts.findIndex(({ from }, at) => at > done && (from === 1 || !isLeftOut))
  return next < 0 ? null : { ...message, done: next }
}
