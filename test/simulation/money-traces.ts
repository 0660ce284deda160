import type { JobJson } from '../support/hub/hub.ts'
import { type Currency, minorOf } from './amounts.ts'
import { type Totals, inWords } from './payments.ts'
import type { ModelPsps } from './psp.ts'
import { promise } from './violation.ts'

type Step = JobJson['payments']['steps'][number] & { amountRefunded?: string; amountChargedBack?: string }

function totalsOf(shown: object, currency: Currency): Totals {
  const { amountRefunded = 0, amountChargedBack = 0 } = shown as Partial<Step>
  return { refunded: minorOf(amountRefunded, currency), chargedBack: minorOf(amountChargedBack, currency) }
}

function isSame(one: Totals, other: Totals): boolean {
  return one.refunded === other.refunded && one.chargedBack === other.chargedBack
}

/**
 * Checks the steps of money that goes back: each comes after the payment, and changes its own total to one
 * that the PSP has had; other steps have no totals; and the job shows the last totals.
 */
export function checkMoneyBack(psp: ModelPsps, job: JobJson): void {
  const { paymentJob: id, payments } = job
  const { currency } = psp
  let totals: Totals = { refunded: 0, chargedBack: 0 }
  for (const [place, step] of payments.steps.entries()) {
    const which = `step ${place} of ${id} (${payments.steps.map(({ action }) => action).join(', ')})`
    const shown = totalsOf(step, currency)
    if (step.action !== 'Refund' && step.action !== 'Chargeback') {
      promise(isSame(shown, { refunded: 0, chargedBack: 0 }), `${which}: it has totals`)
      continue
    }
    const [name, other] =
      step.action === 'Refund'
        ? (['refunded', 'chargedBack'] as const)
        : (['chargedBack', 'refunded'] as const)
    promise(shown[name] !== totals[name], `${which}: it changes nothing`)
    promise(shown[other] === totals[other], `${which}: it changes the other total`)
    promise(shown.refunded <= minorOf(step.amountPaid, currency), `${which}: more is refunded than was paid`)
    // If the order was paid twice, the totals are those of both payments.
    const isTwice = psp.of(id).filter(({ statuses }) => statuses.has('paid')).length > 1
    const hadTotals = isTwice || psp.of(id).some((payment) => payment.totals.has(inWords(shown)))
    const isHalfWay = totalsOf(payments.steps[place + 1] ?? {}, currency).chargedBack !== shown.chargedBack
    promise(hadTotals || isHalfWay, `${which}: the PSP never had ${inWords(shown)}`)
    totals = shown
  }
  // The answer to a create has no totals.
  const hasTotals = payments.creationDate !== undefined
  promise(
    !hasTotals || isSame(totalsOf(job, currency), totals),
    `the totals of ${id} are not those of its last step`,
  )
}
