import * as v from 'valibot'
import type { JobJson } from '../support/hub/hub.ts'
import type { Stored } from '../support/jobs/job.ts'
import { AMOUNT } from './amounts.ts'
import { excuseOf, knownTo } from './payment-promises.ts'
import type { Payment } from './payments.ts'
import type { ModelPsps } from './psp.ts'
import { promise } from './violation.ts'
import { unappliedOf } from '../../src/job/core/money.ts'

const NOTHING_TAKEN = 'No money was taken.'

const Shown = v.object({ state: v.string(), knownBy: v.optional(v.string()) })

/**
 * Checks what a till learns from each state of a job that the hub shows: the customer is charged at most
 * once, and never after "no money was taken". Only an unknown outcome of a pending job has a time by which it is
 * known.
 */
export function checkAtTerminal(psp: ModelPsps, job: JobJson): void {
  const { paymentJob: id, error, status } = job
  const payments = psp.of(id).filter(({ atTerminal }) => atTerminal !== null)
  const begun = payments.filter((payment) => psp.begun.has(payment))
  const charged = payments.filter(({ statuses }) => statuses.has('paid'))
  const saysNothing = (error ?? '').endsWith(NOTHING_TAKEN)
  if (saysNothing) psp.saidNothingTaken.add(id)
  promise(charged.length <= 1, `the customer of ${id} was charged ${charged.length} times at a terminal`)
  promise(begun.length <= 1, `the order of ${id} began ${begun.length} times at a terminal`)
  promise(
    charged.length === 0 || !psp.saidNothingTaken.has(id),
    `a till was told that ${id} took no money, but the card has paid`,
  )
  const isStopped = psp.cancelAccepted.has(id) && begun.some(({ statuses }) => statuses.has('canceled'))
  // If its PSP said nothing until the last moment, the time has ended the order: what comes later changes nothing.
  const isHeard = job.payments.steps.find((step) => step.status === 'EXPIRED')?.action !== 'Expire'
  promise(
    status !== 'EXPIRED' || !isStopped || !isHeard,
    `${id} was to be cancelled, and was, but it is EXPIRED`,
  )
  const shown = v.safeParse(Shown, job['terminal'])
  if (!shown.success) return
  const { state, knownBy } = shown.output
  promise(
    (state === 'unknown' && status === 'PENDING') === (knownBy !== undefined),
    `the terminal of ${id} is ${state}, to be known by ${knownBy}`,
  )
}

/** Checks that no payment begins at a terminal that was sent there after its cancel was accepted. */
export function checkBegin(psp: ModelPsps, payment: Payment): void {
  const { id, job } = payment
  promise(
    psp.cancelAccepted.get(job) !== false,
    `payment ${id} of ${job} began at a terminal after it was cancelled`,
  )
}

/** Checks that the job has what the customer paid at the terminal, and that the tip pays for no order. */
export function checkTip(job: Stored, payment: Payment): void {
  if (payment.status !== 'paid' || excuseOf(job, payment) !== null) return
  const { paid = 0, tip = 0 } = knownTo(job, payment) ?? {}
  const given = payment.amount - AMOUNT
  promise(
    paid === payment.amount && tip === given,
    `${payment.amount} were paid at a terminal, ${given} of it on top, but ${job.id} has ${paid}, ${tip} on top`,
  )
  const [unapplied, most] = [unappliedOf(job), job.late ? AMOUNT : 0]
  promise(
    unapplied <= most,
    `${unapplied} of ${job.id} pay no order, though the customer gave ${given} on top`,
  )
}
