import * as v from 'valibot'
import { unappliedOf } from '../../src/job/core/unapplied.ts'
import type { JobJson } from '../support/hub.ts'
import type { Stored } from '../support/job.ts'
import { AMOUNT } from './amounts.ts'
import { excuseOf, knownTo } from './payment-promises.ts'
import type { Payment } from './payments.ts'
import type { ModelPsps } from './psp.ts'
import { promise } from './violation.ts'

const NOTHING_TAKEN = 'No money was taken.'

const Shown = v.object({ state: v.string(), knownBy: v.optional(v.string()) })

/**
 * What a till is told of a terminal is so: a customer is charged once at most, and where no money was
 * taken, none is. A doubt has a time by which it ends, and nothing else has. Called with every word that
 * anybody got of a job, and with the last.
 */
export function checkAtTerminal(psp: ModelPsps, job: JobJson): void {
  const { paymentJob: id, error, status } = job
  const payments = psp.of(id).filter(({ atTerminal }) => atTerminal !== null)
  const begun = payments.filter((payment) => psp.begun.has(payment))
  const charged = payments.filter(({ been }) => been.has('paid'))
  const told = (error ?? '').endsWith(NOTHING_TAKEN)
  if (told) psp.toldNothing.add(id)
  promise(charged.length <= 1, `the customer of ${id} was charged ${charged.length} times at a terminal`)
  promise(begun.length <= 1, `the order of ${id} began ${begun.length} times at a terminal`)
  promise(
    charged.length === 0 || !psp.toldNothing.has(id),
    `a till was told of ${id} that no money was taken, but the card has paid`,
  )
  const isStopped = psp.wishedEnded.has(id) && begun.some(({ been }) => been.has('canceled'))
  promise(status !== 'EXPIRED' || !isStopped, `${id} was to be cancelled, and was, but it is EXPIRED`)
  const shown = v.safeParse(Shown, job['terminal'])
  if (!shown.success) return
  const { state, knownBy } = shown.output
  promise(
    (state === 'unknown') === (knownBy !== undefined),
    `the terminal of ${id} is ${state}, to be known by ${knownBy}`,
  )
}

/** A payment begins at a terminal: none does that was sent there after its cancel was taken. */
export function checkBegin(psp: ModelPsps, payment: Payment): void {
  const { id, job } = payment
  promise(
    psp.wishedEnded.get(job) !== false,
    `payment ${id} of ${job} began at a terminal after it was cancelled`,
  )
}

/** What a customer paid at a terminal is what the job says, and what was given on top pays for nothing. */
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
