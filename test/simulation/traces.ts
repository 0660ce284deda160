import type { JobJson } from '../support/hub/hub.ts'
import type { keepJournals } from './journal-promises.ts'
import { checkMoneyBack } from './money-traces.ts'
import { checkEnd } from './payment-promises.ts'
import { checkAtTerminal } from './terminal-promises.ts'
import { AMOUNT, type Currency, minorOf } from './amounts.ts'
import { HELD, type Payment } from './payments.ts'
import type { PspStatus } from './played-psp.ts'
import type { ModelPsps } from './psp.ts'
import { promise } from './violation.ts'

type Step = JobJson['payments']['steps'][number] & { amountAuthorized?: string }

const ENDS: ReadonlySet<string> = new Set(['FAILURE', 'CANCELLED', 'EXPIRED', 'SUCCESS'])
/** The status that the PSP must have had before a job can have its own. */
const NEEDED: Readonly<Record<string, PspStatus>> = {
  SUCCESS: 'paid',
  FAILURE: 'failed',
  CANCELLED: 'canceled',
}

/** Keeps the longest trace of each job, and compares every other one with it. */
export function keepTraces(
  psp: ModelPsps,
  journals: ReturnType<typeof keepJournals>,
  wasShown: (payment: Payment) => boolean,
) {
  const longest = new Map<string, Step[]>()
  const newest = new Map<string, string>()
  const mayBeCancelled = new Set<string>()
  return {
    /** Jobs that somebody asked to cancel: the PSP may never have had a payment for them. */
    mayBeCancelled,
    /** Returns the newest status that the hub has shown. */
    statusOf: (id: string) => newest.get(id),
    /**
     * Notes a job that the hub showed. `fresh`: it was read just now, so it must have every step ever shown.
     */
    note(job: JobJson, fresh = false) {
      journals.noteShown(job)
      promise(job['currency'] === psp.currency, `${job.paymentJob} is in ${String(job['currency'])}`)
      const { steps } = job.payments
      const id = job.paymentJob
      const before = longest.get(id) ?? []
      const [shorter, longer] = before.length <= steps.length ? [before, steps] : [steps, before]
      promise(
        JSON.stringify(longer.slice(0, shorter.length)) === JSON.stringify(shorter),
        `the trace of ${id} changed its past: ${words(before)} became ${words(steps)}`,
      )
      promise(
        !fresh || steps.length >= before.length,
        `steps of ${id} were lost: ${words(before)} became ${words(steps)}`,
      )
      checkSteps(id, steps, psp.currency)
      const last = steps.at(-1)
      promise(last?.status === job.status, `${id} is ${job.status}, but its last step says ${last?.status}`)
      const needed = NEEDED[job.status]
      // If the PSP never reports what became of the rest, the job is paid by what was captured.
      const isCaptured = needed === 'paid' && psp.of(id).some(isCapturedInTime)
      const hadIt =
        isCaptured || psp.of(id).some(({ statuses }) => needed !== undefined && statuses.has(needed))
      const stopped = job.status === 'CANCELLED' && mayBeCancelled.has(id)
      const refused =
        job.status === 'FAILURE' &&
        (psp.refused.has(id) || isOfWrongCurrency(psp, job) || job.error?.startsWith('terminal_') === true)
      promise(
        needed === undefined || hadIt || refused || stopped,
        `${id} is ${job.status} (${job.error}), but the PSP never called it ${needed}`,
      )
      checkMoneyBack(psp, job)
      checkAtTerminal(psp, job)
      if (ENDS.has(job.status) && job.status !== 'SUCCESS')
        for (const payment of psp.of(id).filter(wasShown))
          if (!psp.gone.has(payment.account)) checkEnd(id, endOf(job), payment)
      if (longer === steps) {
        longest.set(id, steps)
        newest.set(id, job.status)
      }
    },
  }
}
export type Traces = ReturnType<typeof keepTraces>

/** Returns whether the hub itself refused the order because a PSP does not take its currency. */
function isOfWrongCurrency(psp: ModelPsps, { error, terminal }: JobJson): boolean {
  // MultiSafepay's terminals only take euros.
  const takesAll = psp.takesEverywhere() && (terminal === undefined || psp.currency === 'EUR')
  return !takesAll && error?.startsWith('refused_amount') === true
}

/** Checks the rules of every trace. */
function checkSteps(id: string, steps: readonly Step[], currency: Currency): void {
  promise(
    minorOf(steps[0]?.amountDue ?? 0, currency) === AMOUNT,
    `${id} does not begin with the full amount due`,
  )
  promise(steps[0]?.action === 'Start', `the trace of ${id} does not begin with Start: ${words(steps)}`)
  for (const [place, step] of steps.entries()) {
    const before = steps[place - 1]
    const [due, paid] = [minorOf(step.amountDue, currency), minorOf(step.amountPaid, currency)]
    const which = `step ${place} of ${id} (${words(steps)})`
    const rest = Math.max(AMOUNT - paid, 0)
    // The shop may release the rest of what was reserved.
    const isGivenUp = due === 0 && paid > 0 && heldBy(steps.slice(0, place + 1)) > 0
    promise(
      due === rest || isGivenUp,
      `${which}: ${step.amountDue} due and ${step.amountPaid} paid are not the amount`,
    )
    promise(step.status !== 'SUCCESS' || due === 0, `${which}: SUCCESS with ${step.amountDue} due`)
    if (!before) continue
    promise(before.creationDate < step.creationDate, `${which}: its time is not after the one before`)
    // While a job waits for other captures, one may still fail.
    const mayFall = before.status === 'PENDING' && step.status === 'PENDING'
    promise(minorOf(before.amountPaid, currency) <= paid || mayFall, `${which}: amountPaid fell`)
    promise(before.status !== 'SUCCESS' || step.status === 'SUCCESS', `${which}: SUCCESS was left`)
    promise(
      !ENDS.has(before.status) || [before.status, 'SUCCESS'].includes(step.status),
      `${which}: ${before.status} became ${step.status}`,
    )
  }
}

/** Returns whether a part was captured, and the time to capture the rest is over. */
function isCapturedInTime({ reserved: { captured, since } }: Payment): boolean {
  return captured.size > 1 && since !== null && Date.now() >= since + HELD
}

/** Returns the most that any step shows as authorised. */
function heldBy(steps: readonly Step[]): number {
  return Math.max(0, ...steps.map(({ amountAuthorized = '0' }) => Number(amountAuthorized)))
}

/** Returns how a job ended, and when (ms). */
function endOf({ payments: { steps } }: JobJson): { status: string; at: number } {
  const end = steps.find(({ status }) => ENDS.has(status))
  return { status: end?.status ?? '', at: Date.parse(end?.creationDate ?? '') }
}

function words(steps: readonly Step[]): string {
  return steps.map(({ action, status }) => `${action} ${status}`).join(', ')
}
