import type { Status } from '../../contract/values.ts'
import { apply } from './apply.ts'
import type { AskedAccounts } from './asked-accounts.ts'
import { type Job, createdAt, isFinal } from './job.ts'
import type { Order } from '../../contract/order.ts'
import { firstRow, markIndexDue, restingRow } from './job-row.ts'
import type { AnnounceOutcome, Announced, Unavailable } from '../../psp/answer.ts'
import { type OtherPlace, rememberOthers } from './other-payments.ts'
import { queueReport } from './reporting.ts'
import { askedFor, DEFAULT_LIFE, EXPIRY_GRACE, nextAnnounceAt, nextPullAt } from './schedule.ts'
import { stampAfter } from '../../contract/timestamp.ts'

/** What is known of a job before it exists. `fingerprint` tells a repeated order from another one under the same id. */
export type NewJob = {
  id: string
  transactionId: string
  fingerprint: string
  pos: string
  account: string
  origin: string
  order: Order
  answer: AnnounceOutcome
  /** Accounts that did not answer: each may hold a payment all the same. */
  unsure?: readonly string[]
  /** Accounts that were tried in vain before this one. */
  passedOver?: readonly string[]
  /** How the announcement went. */
  asked?: AskedAccounts
  /** Set by Workers that know it: then the row of a job that is well may rest. */
  isLive?: boolean
}

/** A job with its `Start` step. It is `FAILURE` when the PSP refused; its announcement is due when the PSP was silent. */
export function createJob(wanted: NewJob, now: number, random: number): Job {
  const { answer, unsure = [], passedOver = [], isLive = false, asked, ...known } = wanted
  const created = now * 1000
  const startedAt = stampAfter(created, now)
  const status: Status = answer.is === 'refused' ? 'FAILURE' : 'PENDING'
  const pullAt = answer.is === 'announced' ? nextPullAt(now, now, random) : null
  const isWell = unsure.length + passedOver.length === 0
  const job: Job = {
    ...known,
    status,
    paid: 0,
    error: answer.is === 'announced' ? null : answer.message,
    created,
    updated: startedAt,
    steps: [{ at: startedAt, action: 'Start', status, paid: 0 }],
    announcement:
      answer.is === 'announced'
        ? announcementOf(answer)
        : answer.is === 'refused'
          ? { is: 'refused' }
          : {
              is: 'due',
              tries: 1,
              at: Math.max(nextAnnounceAt(1, now, random), askedFor(answer, now)),
              ...refusalOf(answer),
            },
    expiresAt: answer.is === 'announced' ? endOf(answer, now) : now + DEFAULT_LIFE,
    lastPulls: 0,
    pullAt,
    revision: 1,
    listed: false,
    ...(isLive && isWell && pullAt !== null ? restingRow(pullAt) : firstRow(now)),
    reports: [],
    flight: null,
    alarmAt: null,
    ...(asked ? { asked } : {}),
  }
  const started = rememberOthers(passOver(job, passedOver), unsure.map(unsureAt), now)
  return isFinal(status) ? queueReport(started, now) : started
}

/**
 * Takes in the answer of the PSP of an account to a repeated announcement. The first payment announced is the job's;
 * later ones are ignored.
 */
export function recordAnnouncement(
  job: Job,
  account: string,
  answer: AnnounceOutcome,
  now: number,
  random: number,
  unsure: readonly string[] = [],
  passedOver: readonly string[] = [],
): Job {
  if (!isDue(job) || isFinal(job.status)) return afterTheFirst(job, account, answer, unsure, now)
  const next = passOver(afterAnswer(job, account, answer, now, random), passedOver)
  return rememberOthers(next, unsure.map(unsureAt), now)
}

/** A payment that is announced once more, or too late, is looked after, so that nobody can pay it. */
function afterTheFirst(
  job: Job,
  account: string,
  answer: AnnounceOutcome,
  unsure: readonly string[],
  now: number,
): Job {
  const announced = answer.is === 'announced' ? [{ account, reference: answer.reference }] : []
  return rememberOthers(job, [...announced, ...unsure.map(unsureAt)], now)
}

/** A job that is still to be announced. */
type DueJob = Job & { announcement: Extract<Job['announcement'], { is: 'due' }> }

function isDue(job: Job): job is DueJob {
  return job.announcement.is === 'due'
}

function unsureAt(account: string): OtherPlace {
  return { account, reference: null }
}

function afterAnswer(
  job: DueJob,
  account: string,
  answer: AnnounceOutcome,
  now: number,
  random: number,
): Job {
  switch (answer.is) {
    case 'announced': {
      const held: Job = {
        ...job,
        account,
        error: null,
        updated: stampAfter(job.updated, now),
        announcement: announcementOf(answer),
        expiresAt: endOf(answer, now),
        pullAt: nextPullAt(createdAt(job), now, random),
      }
      return markIndexDue(held, now)
    }
    case 'refused':
      return apply(
        { ...job, account, error: answer.message, announcement: { is: 'refused' } },
        'Statuspull',
        { status: 'FAILURE', paid: 0 },
        now,
      )
    case 'unavailable': {
      const { tries, at, accountRefused } = job.announcement
      const next = Math.max(at, askedFor(answer, now))
      const isSame = accountRefused === answer.accountRefused
      if (next === at && isSame) return job
      const announcement = { is: 'due', tries, at: next, ...refusalOf(answer) } as const
      return { ...job, announcement, error: isSame ? job.error : answer.message }
    }
  }
}

function refusalOf({ accountRefused }: Unavailable) {
  return accountRefused ? { accountRefused } : {}
}

/** Remembers which accounts were tried in vain, each once, and not the one that the job is at. */
function passOver(job: Job, accounts: readonly string[]): Job {
  const known = job.passedOver ?? []
  const all = [...new Set([...known, ...accounts])].filter((account) => account !== job.account)
  const isSame = all.length === known.length && all.every((account, place) => account === known[place])
  return isSame ? job : { ...job, passedOver: all }
}

function announcementOf({ reference, checkoutUrl }: Announced) {
  return { is: 'announced', reference, checkoutUrl } as const
}

function endOf(answer: Announced, now: number): number {
  return (answer.expiresAt ?? now + DEFAULT_LIFE) + EXPIRY_GRACE
}
