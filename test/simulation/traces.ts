import type { JobJson } from '../support/hub.ts'
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
/** What the PSP must have said for a job to have a status. */
const SAYS: Readonly<Record<string, PspStatus>> = {
  SUCCESS: 'paid',
  FAILURE: 'failed',
  CANCELLED: 'canceled',
}

/** Keeps the longest trace seen of each job, and holds every other one against it. */
export function keepTraces(
  psp: ModelPsps,
  journals: ReturnType<typeof keepJournals>,
  wasShown: (payment: Payment) => boolean,
) {
  const longest = new Map<string, Step[]>()
  const statuses = new Map<string, string>()
  const mayBeCancelled = new Set<string>()
  return {
    /**
     * Jobs that the shop has asked to cancel: the PSP may never have had a payment of such a job.
     */
    mayBeCancelled,
    /** The newest status that anybody was told. */
    statusOf: (id: string) => statuses.get(id),
    /**
     * Takes in what somebody was told of a job. `fresh`: it was asked for now, so it must have all
     * that was ever seen.
     */
    saw(job: JobJson, fresh = false) {
      journals.tells(job)
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
      const said = SAYS[job.status]
      // Where the PSP never said what became of the rest, what was captured is what was paid.
      const isCaptured = said === 'paid' && psp.of(id).some(isCapturedInTime)
      const isSo = isCaptured || psp.of(id).some(({ been }) => said !== undefined && been.has(said))
      const stopped = job.status === 'CANCELLED' && mayBeCancelled.has(id)
      const refused =
        job.status === 'FAILURE' &&
        (psp.refused.has(id) || isOfWrongCurrency(psp, job) || job.error?.startsWith('terminal_') === true)
      promise(
        said === undefined || isSo || refused || stopped,
        `${id} is ${job.status} (${job.error}), but the PSP never called it ${said}`,
      )
      checkMoneyBack(psp, job)
      checkAtTerminal(psp, job)
      if (ENDS.has(job.status) && job.status !== 'SUCCESS')
        for (const payment of psp.of(id).filter(wasShown)) checkEnd(id, endOf(job), payment)
      if (longer === steps) {
        longest.set(id, steps)
        statuses.set(id, job.status)
      }
    },
  }
}
export type Traces = ReturnType<typeof keepTraces>

/** Whether the hub itself refuses the order, since a PSP does not take its currency. */
function isOfWrongCurrency(psp: ModelPsps, { error, terminal }: JobJson): boolean {
  // MultiSafepay's terminals take euros only.
  const takesAll = psp.takesEverywhere() && (terminal === undefined || psp.currency === 'EUR')
  return !takesAll && error?.startsWith('refused_amount') === true
}

/** The rules of every trace, whatever happened. */
function checkSteps(id: string, steps: readonly Step[], currency: Currency): void {
  promise(
    minorOf(steps[0]?.amountDue ?? 0, currency) === AMOUNT,
    `${id} does not begin with its whole amount due`,
  )
  promise(steps[0]?.action === 'Start', `the trace of ${id} does not begin with Start: ${words(steps)}`)
  for (const [place, step] of steps.entries()) {
    const before = steps[place - 1]
    const [due, paid] = [minorOf(step.amountDue, currency), minorOf(step.amountPaid, currency)]
    const which = `step ${place} of ${id} (${words(steps)})`
    const rest = Math.max(AMOUNT - paid, 0)
    // The shop may give up the rest of what was reserved.
    const isGivenUp = due === 0 && paid > 0 && heldBy(steps.slice(0, place + 1)) > 0
    promise(
      due === rest || isGivenUp,
      `${which}: ${step.amountDue} due and ${step.amountPaid} paid are not the amount`,
    )
    promise(step.status !== 'SUCCESS' || due === 0, `${which}: SUCCESS with ${step.amountDue} due`)
    if (!before) continue
    promise(before.creationDate < step.creationDate, `${which}: its time is not after the one before`)
    // A capture may fail as long as the job waits for others.
    const mayFall = before.status === 'PENDING' && step.status === 'PENDING'
    promise(minorOf(before.amountPaid, currency) <= paid || mayFall, `${which}: amountPaid fell`)
    promise(before.status !== 'SUCCESS' || step.status === 'SUCCESS', `${which}: SUCCESS was left`)
    promise(
      !ENDS.has(before.status) || [before.status, 'SUCCESS'].includes(step.status),
      `${which}: ${before.status} became ${step.status}`,
    )
  }
}

/** Whether a part was captured, and the time to capture the rest is over. */
function isCapturedInTime({ reserved: { captured, since } }: Payment): boolean {
  return captured.size > 1 && since !== null && Date.now() >= since + HELD
}

/** What of its money was ever told as reserved. */
function heldBy(steps: readonly Step[]): number {
  return Math.max(0, ...steps.map(({ amountAuthorized = '0' }) => Number(amountAuthorized)))
}

/** How a job has ended, and when (ms). */
function endOf({ payments: { steps } }: JobJson): { status: string; at: number } {
  const end = steps.find(({ status }) => ENDS.has(status))
  return { status: end?.status ?? '', at: Date.parse(end?.creationDate ?? '') }
}

function words(steps: readonly Step[]): string {
  return steps.map(({ action, status }) => `${action} ${status}`).join(', ')
}
