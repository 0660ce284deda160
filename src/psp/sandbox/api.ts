import * as v from 'valibot'
import { randomHex, equalInConstantTime, sha256 } from '../../platform/crypto/hash.ts'
import { markId } from '../../platform/crypto/signing.ts'
import { decimalsOf, isCurrency, parseAmount, toDecimal } from '../../contract/money.ts'
import { bearerOf } from '../../platform/http/headers.ts'
import { readJsonObject } from '../../platform/http/body.ts'
import type { Answer, Guard, Handler } from '../../platform/http/routes.ts'
import { sandboxApiKey } from './access.ts'
import { namedObject } from '../../platform/named-object.ts'
import { type Payment, checkoutUrl, isCancelable, lifeOf } from './payment.ts'
import { represent } from './represent.ts'
import { hal, mollieError } from './hal.ts'
import { sandboxPayment } from './stub.ts'

export const authenticate: Guard = async (request, { env }) =>
  (await equalInConstantTime(bearerOf(request) ?? '', await sandboxApiKey(env)))
    ? null
    : mollieError(401, 'Missing authentication, or failed to authenticate')

const Url = v.pipe(v.string(), v.url(), v.regex(/^https?:/))

/** What Mollie asks of a new payment: https://docs.mollie.com/reference/create-payment */
const NewPayment = v.object({
  amount: v.pipe(
    v.object({
      currency: v.pipe(v.string(), v.check(isCurrency, 'The currency is invalid')),
      value: v.string(),
    }),
    v.check(
      ({ currency, value }) => isCurrency(currency) && isPositiveAmount(value, currency),
      'The amount contains an invalid value',
    ),
  ),
  description: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  redirectUrl: Url,
  cancelUrl: v.nullish(Url, null),
  webhookUrl: v.nullish(Url, null),
  method: v.nullish(v.string(), null),
  locale: v.nullish(v.pipe(v.string(), v.regex(/^[a-z]{2}_[A-Z]{2}$/)), null),
  metadata: v.optional(v.unknown()),
})

/** Mollie wants exactly the decimals of the currency: `10.00` EUR, `10` JPY. */
function isPositiveAmount(value: string, currency: string): boolean {
  const parsed = parseAmount(value, currency)
  return parsed.ok && parsed.value > 0 && value === toDecimal(parsed.value, decimalsOf(currency))
}

export const createPayment: Handler = async (request, { env }) => {
  const body = await readJsonObject(request)
  if (!body.ok) return mollieError(400, 'The request body could not be read as JSON')
  const wanted = v.safeParse(NewPayment, body.value)
  if (!wanted.success) {
    const [issue] = wanted.issues
    const field = v.getDotPath(issue) ?? 'body'
    return mollieError(422, `The ${field} is missing or invalid: ${issue.message}`, field)
  }
  const key = request.headers.get('idempotency-key')
  const name = key === null ? randomHex(14) : (await sha256(`sandbox-payment:${key}`)).slice(0, 14)
  const id = await markId(env.SIGNING_ROOT, `tr_${name}`)
  const now = Date.now()
  const payment: Payment = {
    ...wanted.output,
    id,
    fingerprint: await sha256(JSON.stringify(wanted.output)),
    origin: new URL(request.url).origin,
    status: 'open',
    metadata: JSON.stringify(wanted.output.metadata ?? null),
    createdAt: now,
    expiresAt: now + lifeOf(wanted.output.method),
    settledAt: null,
    notify: null,
  }
  const created = await namedObject(env, env.SANDBOX_PAYMENT, id).create(payment)
  if (created.payment.fingerprint !== payment.fingerprint) {
    return mollieError(400, 'The idempotency key was used before with other parameters')
  }
  return hal(represent(created.payment), 201, {
    location: checkoutUrl(created.payment),
    ...(created.replayed ? { 'idempotent-replayed': 'true' } : {}),
  })
}

export const getPayment: Handler<{ id: string }> = async (_, { env, params }) => {
  const payment = await sandboxPayment(env, params.id)?.read()
  return payment ? hal(represent(payment)) : noPayment(params.id)
}

export const cancelPayment: Handler<{ id: string }> = async (_, { env, params }) => {
  const stub = sandboxPayment(env, params.id)
  const payment = await stub?.read()
  if (!stub || !payment) return noPayment(params.id)
  const canceled = isCancelable(payment) ? await stub.cancel() : null
  return canceled ? hal(represent(canceled)) : mollieError(422, 'The payment cannot be canceled')
}

export function noPayment(id: string): Answer {
  return mollieError(404, `No payment exists with token ${id}.`)
}
