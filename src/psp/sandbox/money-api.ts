import * as v from 'valibot'
import { randomHex, sha256 } from '../../platform/crypto/hash.ts'
import { jobNow } from '../../contract/advance.ts'
import { parseAmount } from '../../contract/money.ts'
import { readJsonObject } from '../../platform/http/body.ts'
import type { Answer, Handler } from '../../platform/http/routes.ts'
import { noPayment } from './api.ts'
import type { Change } from './change.ts'
import { hal, mollieError } from './hal.ts'
import { OTHER_PARAMETERS, findByKey } from './money-back.ts'
import type { Payment } from './payment.ts'
import { representCapture, representRefund } from './represent.ts'
import { sandboxPayment } from './stub.ts'

const Amount = v.object({ currency: v.string(), value: v.string() })

/** https://docs.mollie.com/reference/create-refund */
const NewRefund = v.object({
  amount: Amount,
  description: v.optional(v.pipe(v.string(), v.maxLength(255)), ''),
  metadata: v.optional(v.unknown()),
})

/** https://docs.mollie.com/reference/create-capture: the whole where no amount is given. */
const NewCapture = v.object({ amount: v.nullish(Amount, null) })

/**
 * Minor units; null for an amount that is not of the payment's currency, or that cannot be read.
 */
function minorOf({ currency, value }: v.InferOutput<typeof Amount>, payment: Payment): number | null {
  const parsed = parseAmount(value, currency)
  return parsed.ok && currency === payment.amount.currency ? parsed.value : null
}

function wrongAmount(): Answer {
  return mollieError(422, 'The amount contains an invalid value', 'amount')
}
function noJson(): Answer {
  return mollieError(400, 'The request body could not be read as JSON')
}

export const createRefund: Handler<{ id: string }> = async (request, { env, params }) => {
  const found = await find(env, params.id)
  if (!found) return noPayment(params.id)
  const body = await readJsonObject(request)
  if (!body.ok) return noJson()
  const wanted = v.safeParse(NewRefund, body.value)
  if (!wanted.success) return mollieError(422, 'The refund is missing or invalid', fieldOf(wanted.issues))
  const amount = minorOf(wanted.output.amount, found.payment)
  if (amount === null) return wrongAmount()
  const key = request.headers.get('idempotency-key')
  const refund = {
    id: `re_${randomHex(20)}`,
    amount,
    description: wanted.output.description,
    metadata: JSON.stringify(wanted.output.metadata ?? null),
    key,
    fingerprint: await sha256(JSON.stringify(wanted.output)),
  }
  const isReplayed = findByKey(found.payment, key) !== undefined
  return change(found, { is: 'refund', refund }, (payment) => {
    const made = findByKey(payment, key) ?? payment.refunds?.at(-1)
    if (!made) return wrongAmount()
    const headers: Record<string, string> = isReplayed ? { 'idempotent-replayed': 'true' } : {}
    return hal(representRefund(payment, made, jobNow(payment.clock, Date.now())), 201, headers)
  })
}

export const listRefunds: Handler<{ id: string }> = async (_, { env, params }) => {
  const found = await find(env, params.id)
  if (!found) return noPayment(params.id)
  const { payment } = found
  const refunds = (payment.refunds ?? [])
    .toReversed()
    .map((refund) => representRefund(payment, refund, jobNow(payment.clock, Date.now())))
  return hal({ count: refunds.length, _embedded: { refunds }, _links: { previous: null, next: null } })
}

export const getRefund: Handler<{ id: string; refund: string }> = async (_, { env, params }) => {
  const found = await find(env, params.id)
  const refund = found?.payment.refunds?.find(({ id }) => id === params.refund)
  return found && refund
    ? hal(representRefund(found.payment, refund, jobNow(found.payment.clock, Date.now())))
    : mollieError(404, `No refund exists with token ${params.refund}.`)
}

export const createCapture: Handler<{ id: string }> = async (request, { env, params }) => {
  const found = await find(env, params.id)
  if (!found) return noPayment(params.id)
  const body = await readJsonObject(request)
  if (!body.ok) return noJson()
  const wanted = v.safeParse(NewCapture, body.value)
  if (!wanted.success) return mollieError(422, 'The capture is invalid', fieldOf(wanted.issues))
  const amount = wanted.output.amount && minorOf(wanted.output.amount, found.payment)
  if (amount === null && wanted.output.amount !== null) return wrongAmount()
  return change(found, { is: 'capture', amount }, (payment) => hal(representCapture(payment), 201))
}

type Found = { stub: NonNullable<ReturnType<typeof sandboxPayment>>; payment: Payment }

async function find(env: Env, id: string): Promise<Found | null> {
  const stub = sandboxPayment(env, id)
  const payment = await stub?.read()
  return stub && payment ? { stub, payment } : null
}

async function change(
  { stub, payment: { id } }: Found,
  wanted: Change,
  show: (payment: Payment) => Answer,
): Promise<Answer> {
  const changed = await stub.change(wanted)
  if (changed === null) return noPayment(id)
  if (changed.ok) return show(changed.value)
  return mollieError(changed.error === OTHER_PARAMETERS ? 400 : 422, changed.error)
}

function fieldOf([issue]: readonly [v.BaseIssue<unknown>, ...unknown[]]): string {
  return v.getDotPath(issue) ?? 'body'
}
