import { apply } from './apply.ts'
import { type Job, createdAt, isFinal } from './job.ts'
import type { OtherPayment } from './other-payment.ts'
import type { PullAnswer } from '../../psp/answer.ts'
import { nextOtherLookAt } from './schedule.ts'
import { DAY } from '../../contract/timestamp.ts'

/** What a look at another account found: no payment, one as it stands, or no answer. */
export type OtherFound =
  | { is: 'none' }
  | { is: 'held'; reference: string; answer: PullAnswer }
  | { is: 'unavailable' }

/** How long (ms) after the creation of its job another account is looked after at most. */
const LONGEST = 30 * DAY

/** Where another payment may be. `reference` is null while nobody knows whether there is one. */
export type OtherPlace = { account: string; reference: string | null }

/** Remembers where a payment may be beside the job's own. */
export function rememberOthers(job: Job, places: readonly OtherPlace[], now: number): Job {
  const known = job.otherPayments ?? []
  const fresh = places
    .filter((place) => !known.some((other) => isSame(other, place)))
    .map(({ account, reference }): OtherPayment => ({ account, reference, paid: 0, tries: 0, at: now }))
  const others = [...known, ...fresh].filter((place) => !isOwn(job, place))
  const isChanged = others.length !== known.length || others.some((other, at) => other !== known[at])
  return isChanged ? { ...job, otherPayments: others } : job
}

function isSame(one: OtherPlace, other: OtherPlace): boolean {
  return one.account === other.account && one.reference === other.reference
}

function isOwn({ account, announcement }: Job, place: OtherPlace): boolean {
  return (
    announcement.is === 'announced' &&
    place.account === account &&
    (place.reference === null || place.reference === announcement.reference)
  )
}

/**
 * The payment to look after next, and when (ms); null when there is none. While the job is still to be announced it may yet
 * become the job's own.
 */
export function nextOtherLook(job: Job): { other: OtherPayment; at: number } | null {
  return job.announcement.is === 'due' && !isFinal(job.status)
    ? null
    : ((job.otherPayments ?? [])
        .flatMap((other) => (other.at === null ? [] : [{ other, at: other.at }]))
        .toSorted((one, another) => one.at - another.at)[0] ?? null)
}

/** Plans the look after one, whatever that one finds. */
export function planOtherLook(job: Job, place: OtherPlace, now: number, random: number): Job {
  return changeOther(job, place, (other) => ({
    ...other,
    tries: other.tries + 1,
    at: now >= createdAt(job) + LONGEST ? null : nextOtherLookAt(other.tries, now, random),
  }))
}

/** Records what was found there. Money that was paid there counts for the job. */
export function recordOther(job: Job, place: OtherPlace, found: OtherFound, now: number): Job {
  const other = job.otherPayments?.find((candidate) => isSame(candidate, place))
  if (!other || found.is === 'unavailable') return job
  if (found.is === 'none') return changeOther(job, place, () => ({ ...other, at: null }))
  const { reference, answer } = found
  const there = { account: place.account, reference }
  const isKnown = !isSame(other, there) && job.otherPayments?.some((candidate) => isSame(candidate, there))
  if (isKnown) return changeOther(job, place, () => ({ ...other, at: null }))
  if (answer.is !== 'observed') return changeOther(job, place, () => ({ ...other, reference }))
  const paid = Math.max(other.paid, answer.paid)
  const isOver = isFinal(answer.status) && (answer.closed ?? answer.status === 'SUCCESS')
  const known = changeOther(job, place, () => ({ ...other, reference, paid, at: isOver ? null : other.at }))
  if (paid === other.paid) return known
  const total = job.paid + paid - other.paid
  // A part that is paid leaves the job as it stands.
  const counted = apply(known, 'Statuspull', { status: 'SUCCESS', paid: total }, now)
  // The job's own payment may be open still: the next pull stops it.
  const isToBeClosed =
    counted.status === 'SUCCESS' && counted.announcement.is === 'announced' && !counted.closed
  return isToBeClosed ? { ...counted, pullAt: now, askedForPullAt: now } : counted
}

function changeOther(job: Job, place: OtherPlace, change: (other: OtherPayment) => OtherPayment): Job {
  return {
    ...job,
    otherPayments: (job.otherPayments ?? []).map((other) => (isSame(other, place) ? change(other) : other)),
  }
}

/** Brings a look forward to now: the account has notified of a payment of the job. */
export function lookSooner(job: Job, account: string, now: number): Job {
  const isLater = (other: OtherPayment): boolean => other.account === account && (other.at ?? Infinity) > now
  return (job.otherPayments ?? [])
    .filter(isLater)
    .reduce((changed, place) => changeOther(changed, place, (other) => ({ ...other, at: now })), job)
}

/** What was paid at other accounts, in minor units. */
export function paidElsewhere({ otherPayments = [] }: Job): number {
  return otherPayments.reduce((sum, { paid }) => sum + paid, 0)
}
