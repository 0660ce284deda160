import { routes, type Handler } from '../platform/http/routes.ts'
import { act } from './test-api.ts'
import * as v from 'valibot'
import { type Result, ok } from '../contract/result.ts'
import { readText } from '../platform/http/body.ts'
import { invalidField } from '../platform/http/refusal.ts'
import { seeOther } from '../platform/http/respond.ts'
import { checkoutPage, unknownPaymentPage } from './pages.tsx'
import { CHANGES, Choice } from '../psp/sandbox/change.ts'
import { Outcome, type Payment, isOpen } from '../psp/sandbox/payment.ts'
import type { SandboxPayment } from '../psp/sandbox/sandbox-payment.ts'
import { tooMany, visitPayment } from './visit.ts'

/** The hosted checkout page: one form, a button for each outcome. */
const showCheckout: Handler<{ id: string }> = async (request, { env, params }) => {
  const payment = await visitPayment(request, env, params.id, async (stub) => stub.read())
  if (payment === 'too-many') return tooMany
  if (!payment) return unknownPayment(request)
  if (!isOpen(payment)) return seeOther(destination(payment))
  return ok(await checkoutPage(payment, request))
}

/** Takes the customer's choice, and sends the customer back to where the payment came from. */
const chooseOutcome: Handler<{ id: string }> = async (request, { env, params }) => {
  const body = await readText(request)
  if (!body.ok) return body
  const outcome = v.safeParse(Choice, new URLSearchParams(body.value).get('outcome'))
  if (!outcome.success) return invalidField('outcome', `must be one of ${Choice.options.join(', ')}`)
  const payment = await visitPayment(request, env, params.id, (stub) => choose(stub, outcome.output))
  if (payment === 'too-many') return tooMany
  return payment ? seeOther(destination(payment)) : unknownPayment(request)
}

/**
 * How the payment then stands; null for one that there is not. A choice that comes too late changes
 * nothing.
 */
async function choose(stub: DurableObjectStub<SandboxPayment>, choice: Choice): Promise<Payment | null> {
  if (v.is(Outcome, choice)) return stub.settle(choice)
  for (const change of CHANGES[choice]) if (!(await stub.change(change))?.ok) break
  return stub.read()
}

function destination(payment: Payment): string {
  return payment.status === 'canceled' ? (payment.cancelUrl ?? payment.redirectUrl) : payment.redirectUrl
}

async function unknownPayment(request: Request): Promise<Result<Response, never>> {
  return ok(await unknownPaymentPage(request))
}

/** The sandbox PSP's hosted checkout page, and what tests of shops let happen. */
export const sandbox = routes((table) =>
  table
    .post('/sandbox/payments/:id/:action', act)
    .get('/sandbox/checkout/:id', showCheckout)
    .post('/sandbox/checkout/:id', chooseOutcome),
)
