import type { JobJson } from '../support/hub.ts'
import type { ModelPsps } from './psp.ts'
import { promise } from './violation.ts'

const NOTHING_TAKEN = 'No money was taken.'

/**
 * What a till is told of a terminal is so: a customer is charged once at most, and where no money was
 * taken, none is. Called with every word that anybody got of a job, and with the last.
 */
export function checkAtTerminal(psp: ModelPsps, { paymentJob: id, error }: JobJson): void {
  const payments = psp.of(id).filter(({ atTerminal }) => atTerminal !== null)
  const charged = payments.filter(({ been }) => been.has('paid'))
  const told = (error ?? '').endsWith(NOTHING_TAKEN)
  if (told) psp.toldNothing.add(id)
  promise(charged.length <= 1, `the customer of ${id} was charged ${charged.length} times at a terminal`)
  promise(payments.length <= 1, `the order of ${id} began ${payments.length} times at a terminal`)
  promise(
    charged.length === 0 || !psp.toldNothing.has(id),
    `a till was told of ${id} that no money was taken, but the card has paid`,
  )
}
