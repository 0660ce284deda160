import { type Job, waitsUntil } from '../job.ts'
import { nextPspWork } from '../timers.ts'
import { MINUTE } from '../../../contract/timestamp.ts'
import type { Unanswered } from '../unanswered.ts'
import { type Finding, at, money, quoted, times } from './causes.ts'

/** A pull that is late by less than this (ms) may still be under way. */
const GRACE = MINUTE / 2

/** Why a payment is PENDING. */
export function whyPending(job: Job, now: number): Finding {
  if (job.announcement.is === 'due') return unannounced(job, job.announcement)
  if (job.unanswered) return unansweredPulls(job, job.unanswered)
  if (job.lastPulls > 0 && now >= waitsUntil(job) + GRACE) return endUnknown(job)
  if (job.stage) return staged(job, job.stage)
  if (job.paid > 0) {
    const rest = money(job, job.order.amount - job.paid)
    const happened = `The customer has paid ${money(job, job.paid)}; ${rest} is still due.`
    return { cause: 'part-is-due', happened, todo: toPay(job) }
  }
  return open(job)
}

function unannounced(
  { account, error, passedOver = [], asked }: Job,
  { tries, at: nextTry, accountRefused }: Extract<Job['announcement'], { is: 'due' }>,
): Finding {
  const others = passedOver.length > 0 ? ` So it was with ${passedOver.join(', ')}.` : ''
  const isTried = tries > 1 || asked?.skipped?.some((one) => one.account === account) !== true
  const tried = isTried ? `tried ${times(tries)}` : 'not tried yet, for it had not answered others'
  const again = `The hub tries again at ${at(nextTry)}, and when the customer opens payUrl.`
  return accountRefused
    ? {
        cause: 'psp-refuses-credentials',
        happened: `The PSP refused the credentials of ${account}, so nobody can pay yet; tried ${times(tries)}.${quoted('It said', error)}${others} ${again}`,
        todo: `Run psp check ${account}, then psp rekey ${account}.`,
      }
    : {
        cause: 'psp-silent-at-announcement',
        happened: `The PSP of ${account} has not answered, so nobody can pay yet; ${tried}.${quoted('The last was', error)}${others} ${again}`,
        todo: `Wait, and look at the PSP's status. pos route adds an account that takes over.`,
      }
}

function unansweredPulls(job: Job, { is, since, last, pulls, message }: Unanswered): Finding {
  const span = pulls === 1 ? `at ${at(last)}` : `${times(pulls)} since ${at(since)}, last at ${at(last)}`
  switch (is) {
    case 'refused':
      return {
        cause: 'psp-refuses-credentials',
        happened: `The PSP refused the credentials of ${job.account} when the hub asked how the payment stands: ${span}.${quoted('It said', message)}${next(job)}`,
        todo: `Run psp check ${job.account}, then psp rekey ${job.account}.`,
      }
    case 'unknown':
      return {
        cause: 'psp-knows-no-payment',
        happened: `The PSP of ${job.account} said that it does not know the payment: ${span}.${next(job)}`,
        todo: `See whether ${job.account} has the credentials of another account: psp check ${job.account}.`,
      }
    case 'silent':
      return {
        cause: 'psp-silent-at-pulls',
        happened: `The PSP of ${job.account} did not answer when the hub asked how the payment stands: ${span}.${quoted('The last was', message)}${next(job)}`,
        todo: ASK_AGAIN,
      }
  }
}

/** The time is over, and the PSP has not said how the payment ended. */
function endUnknown(job: Job): Finding {
  return {
    cause: 'psp-end-unknown',
    happened: `The time to pay ended at ${at(waitsUntil(job))}, and the PSP of ${job.account} has not said yet how the payment ended.${next(job)}`,
    todo: ASK_AGAIN,
  }
}

const ASK_AGAIN = "Look at the PSP's status. Run job pull to ask at once. Nobody gives the goods away yet."

function next(job: Job): string {
  const work = nextPspWork(job)
  return work ? ` The hub asks again at ${at(work.at)}.` : ''
}

function staged(job: Job, { is, since, until }: NonNullable<Job['stage']>): Finding {
  return is === 'underway'
    ? {
        cause: 'money-underway',
        happened: `The customer has paid by ${job.order.paymentMethod} at ${job.account}, and the money is under way since ${at(since)}. The PSP says by ${at(until)} how it ended.`,
        todo: 'Wait. Nobody is to pay again.',
      }
    : {
        cause: 'money-reserved',
        happened: `The money is reserved at ${job.account} since ${at(since)}, and is still to be captured. The reservation ends at ${at(until)}.`,
        todo: 'Run job pull, which captures it. Where that changes nothing, capture it at the PSP.',
      }
}

function open(job: Job): Finding {
  const back = job.steps.findLast(({ action }) => action === 'Return')
  return back
    ? {
        cause: 'customer-came-back',
        happened: `The customer came back from the PSP at ${at(back.at / 1000)}, and had not paid. The PSP of ${job.account} says that the payment is open.`,
        todo: toPay(job),
      }
    : {
        cause: 'customer-not-back',
        happened: `The customer has not paid, and has not come back from the PSP's page. The payment is open at ${job.account}.`,
        todo: toPay(job),
      }
}

function toPay(job: Job): string {
  return `The customer can pay at payUrl until ${at(waitsUntil(job))}. If they say that they have, run job pull.`
}
