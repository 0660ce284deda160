import { type Result, ok, refuse } from '../contract/result.ts'
import { readText } from '../platform/http/body.ts'
import { networksOf, UNKNOWN_QUOTAS, lookUpId } from '../platform/http/rate-limit.ts'
import { type Refusal, invalidField } from '../platform/http/refusal.ts'
import { seeOther } from '../platform/http/respond.ts'
import { routes, type Handler } from '../platform/http/routes.ts'
import { namedObject } from '../platform/named-object.ts'
import { ACTIONS, AT_TERMINAL, type Change, CHOICES, isAction } from '../psp/sandbox/change.ts'
import { type Payment, isPaymentId } from '../psp/sandbox/payment.ts'
import type { SandboxPayment } from '../psp/sandbox/sandbox-payment.ts'
import { terminalPage as terminalAddress, isTerminalObject } from '../psp/sandbox/terminal.ts'
import { checkoutPage, unknownPaymentPage } from './pages.tsx'
import { terminalPage } from './terminal-page.tsx'
import { amountIn, readOptions, representPayment } from './test-api.ts'

type FoundPayment = { stub: DurableObjectStub<SandboxPayment>; payment: Payment }

const tooMany = refuse({ code: 'rate-limited', ...UNKNOWN_QUOTAS.unknownJobsPerAddress })

/**
 * Finds a payment by an id that anyone may send; null for an unknown one. Refuses a network that sent too
 * many ids that the hub did not make.
 */
async function findPayment(
  request: Request,
  env: Env,
  id: string,
): Promise<Result<FoundPayment | null, Refusal>> {
  if (!isPaymentId(id)) return ok(null)
  const found = await lookUpId(env, { id, purpose: 'sandbox', from: networksOf(request) }, async () => {
    const stub = namedObject(env, env.SANDBOX_PAYMENT, id)
    const payment = await stub.read()
    return payment && { stub, payment }
  })
  return found === 'too-many' ? tooMany : ok(found)
}

const showCheckout: Handler<{ id: string }> = async (request, { env, params }) => {
  const found = await findPayment(request, env, params.id)
  if (!found.ok) return found
  if (!found.value) return ok(await unknownPaymentPage(request))
  const { payment } = found.value
  const terminal = terminalAddress(payment)
  if (terminal !== null) return seeOther(terminal)
  return payment.status === 'open' ? ok(await checkoutPage(payment, request)) : seeOther(payment.returnUrl)
}

/** Finds a simulated terminal and its newest payment. */
async function findTerminal(request: Request, env: Env, name: string) {
  if (!isTerminalObject(name)) return ok(null)
  const found = await lookUpId(env, { id: name, purpose: 'sandbox', from: networksOf(request) }, async () => {
    const stub = namedObject(env, env.SANDBOX_PAYMENT, name)
    const terminal = await stub.terminal()
    const payment = terminal?.payment ? namedObject(env, env.SANDBOX_PAYMENT, terminal.payment) : null
    return terminal && { stub, terminal, payment }
  })
  return found === 'too-many' ? tooMany : ok(found)
}

const showTerminal: Handler<{ name: string }> = async (request, { env, params }) => {
  const found = await findTerminal(request, env, params.name)
  if (!found.ok) return found
  if (!found.value) return ok(await unknownPaymentPage(request))
  const { terminal, payment } = found.value
  return ok(await terminalPage(request, terminal, (await payment?.read()) ?? null))
}

const TO_TERMINAL = new Map<string, Change | null>([
  ...Object.entries(AT_TERMINAL),
  ['on', null],
  ['off', null],
])

/**
 * Does what the customer chose at a terminal, or switches it on or off. Ignores a choice that is too late.
 */
const useTerminal: Handler<{ name: string }> = async (request, { env, params }) => {
  const body = await readText(request)
  if (!body.ok) return body
  const outcome = new URLSearchParams(body.value).get('outcome') ?? ''
  const change = TO_TERMINAL.get(outcome)
  if (change === undefined)
    return invalidField('outcome', `must be one of ${[...TO_TERMINAL.keys()].join(', ')}`)
  const found = await findTerminal(request, env, params.name)
  if (!found.ok) return found
  if (!found.value) return ok(await unknownPaymentPage(request))
  const { stub, payment } = found.value
  if (change === null) await stub.switch(outcome === 'on')
  else await payment?.change([change])
  return seeOther(new URL(request.url).pathname)
}

const CHANGES = new Map<string, readonly Change[]>(Object.values(CHOICES).flatMap(Object.entries))

/**
 * Does what the customer chose, and redirects to where the payment came from. A choice that comes too
 * late changes nothing.
 */
const choose: Handler<{ id: string }> = async (request, { env, params }) => {
  const body = await readText(request)
  if (!body.ok) return body
  const changes = CHANGES.get(new URLSearchParams(body.value).get('outcome') ?? '')
  if (!changes) return invalidField('outcome', `must be one of ${[...CHANGES.keys()].join(', ')}`)
  const found = await findPayment(request, env, params.id)
  if (!found.ok) return found
  if (!found.value) return ok(await unknownPaymentPage(request))
  const { stub, payment } = found.value
  if (payment.status === 'open') await stub.change(changes)
  return seeOther(payment.returnUrl)
}

const noPayment = refuse({
  code: 'sandbox-payment-not-found',
  detail: 'There is no such payment in the sandbox.',
})

/**
 * `POST /sandbox/payments/{reference}/{action}`: changes a payment, for the tests of shops. Anyone with
 * the reference may call it, because a payment of the sandbox holds no money.
 */
const act: Handler<{ id: string; action: string }> = async (request, { env, params }) => {
  const { id, action } = params
  if (!isAction(action)) {
    const detail = `There is no such action. It must be one of ${ACTIONS.join(', ')}.`
    return refuse({ code: 'sandbox-action-unknown', detail })
  }
  const options = await readOptions(request)
  if (!options.ok) return options
  const found = await findPayment(request, env, id)
  if (!found.ok) return found
  if (!found.value) return noPayment
  const { stub, payment } = found.value
  const amount = amountIn(options.value, payment)
  if (!amount.ok) return amount
  const changed = await stub.change([{ ...options.value, is: action, amount: amount.value }])
  if (changed === null) return noPayment
  return changed.ok
    ? ok(Response.json(representPayment(changed.value)))
    : refuse({
        code: 'sandbox-action-impossible',
        detail: `${changed.error}. This one is ${payment.status}.`,
      })
}

/** The pages of the sandbox, and the API with which shops test. */
export const sandbox = routes((table) =>
  table
    .post('/sandbox/payments/:id/:action', act)
    .get('/sandbox/checkout/:id', showCheckout)
    .post('/sandbox/checkout/:id', choose)
    .get('/sandbox/terminals/:name', showTerminal)
    .post('/sandbox/terminals/:name', useTerminal),
)
