import { type Job, type Step, isFinal } from '../job.ts'
import { LAST_PULL_PATIENCE } from '../schedule.ts'
import { type Finding, NOTHING_TO_DO, at, money, quoted } from './causes.ts'

const ANEW = 'To be paid after all, the shop makes a new payment job.'

/** How a payment ended. */
export function whyEnded(job: Job): Finding {
  const end = job.steps.findLast((step, place) => isFinal(step.status) && isChange(job, step, place))
  const when = at((end?.at ?? job.updated) / 1000)
  switch (job.status) {
    case 'SUCCESS': {
      const happened = `The customer paid ${money(job, job.paid)} at ${job.account}; the hub learnt it at ${when}.`
      return { cause: 'paid', happened, todo: NOTHING_TO_DO }
    }
    case 'FAILURE':
      return job.announcement.is === 'refused'
        ? {
            cause: 'psp-refused-order',
            happened: `The PSP of ${job.account} refused the order at ${when}.${quoted('It said', job.error)}`,
            todo: todoFor(job),
          }
        : { cause: 'payment-failed', happened: `The payment failed at ${job.account}: ${when}.`, todo: ANEW }
    case 'CANCELLED':
      return cancelled(job, end, when)
    case 'EXPIRED':
    case 'PENDING':
      return expired(job, end, when)
  }
}

function isChange({ steps }: Job, { status }: Step, place: number): boolean {
  return steps[place - 1]?.status !== status
}

/** The reason at the beginning of the error says who can mend it. */
function todoFor({ account, error }: Job): string {
  return error?.startsWith('refused_account')
    ? `Set the account up for this at the PSP, or route the payment method to another one than ${account}.`
    : 'The shop changes the order, or offers another payment method, and makes a new payment job.'
}

function cancelled(job: Job, end: Step | undefined, when: string): Finding {
  if (end?.action !== 'Cancel') {
    const happened = `The customer cancelled the payment at ${job.account}; the hub learnt it at ${when}.`
    return { cause: 'cancelled-by-customer', happened, todo: ANEW }
  }
  if (job.cancelledBy === 'operator') {
    const happened = `An operator cancelled the payment at ${when}.`
    return { cause: 'cancelled-by-operator', happened, todo: ANEW }
  }
  return { cause: 'cancelled-by-shop', happened: `The shop cancelled the payment at ${when}.`, todo: ANEW }
}

function expired(job: Job, end: Step | undefined, when: string): Finding {
  if (job.announcement.is !== 'announced') {
    return {
      cause: 'expired-unannounced',
      happened: `The PSP of ${job.account} never took the order, so nobody could pay; the job ended at ${when}.${quoted('The last was', job.error)}`,
      todo: `Run psp check ${job.account}. The shop makes a new payment job.`,
    }
  }
  if (isUnconfirmed(job, end)) {
    return {
      cause: 'expired-unconfirmed',
      happened: `The PSP of ${job.account} did not say for three days after the end how the payment ended; the job ended at ${when}. The customer may have paid.`,
      todo: `Look at payment ${job.announcement.reference} at the PSP. job pull asks once more.`,
    }
  }
  const why = wasUnderWay(job, end) ? 'The money did not come in time' : 'The customer did not pay in time'
  return { cause: 'expired', happened: `${why}; the job ended at ${when}.`, todo: ANEW }
}

/** Nobody but the end of the hub's patience ends a job so long after its time. */
function isUnconfirmed(job: Job, end: Step | undefined): boolean {
  return (
    end?.action === 'Expire' &&
    !job.closed &&
    !wasUnderWay(job, end) &&
    end.at / 1000 >= job.expiresAt + LAST_PULL_PATIENCE
  )
}

function wasUnderWay({ steps }: Job, end: Step | undefined): boolean {
  return end !== undefined && steps[steps.indexOf(end) - 1]?.stage !== undefined
}
