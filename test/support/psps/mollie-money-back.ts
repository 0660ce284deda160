import {
  type MolliePayment,
  type MollieRefund,
  amountOf,
  halJson,
  isAmount,
  minorOf,
  mollieProblem,
  paymentJson,
} from './mollie-payment.ts'

function refundedOf({ refunds }: MolliePayment): number {
  return refunds
    .filter(({ status }) => status !== 'failed' && status !== 'canceled')
    .reduce((sum, { amount }) => sum + minorOf(amount), 0)
}

/**
 * The totals that a payment shows once money moved: https://docs.mollie.com/reference/get-payment
 */
function totalsOf(payment: MolliePayment) {
  const { refunds, chargedBack, captured, request } = payment
  const { currency } = request.amount
  const refunded = refundedOf(payment)
  return {
    ...(refunds.length > 0
      ? {
          amountRefunded: amountOf(currency, refunded),
          amountRemaining: amountOf(currency, minorOf(request.amount) - refunded),
        }
      : {}),
    ...(chargedBack === null || chargedBack === 0
      ? {}
      : { amountChargedBack: amountOf(currency, chargedBack) }),
    ...(captured ? { amountCaptured: request.amount } : {}),
  }
}

/** A payment as Mollie shows it: https://docs.mollie.com/reference/get-payment */
export function shownPayment(payment: MolliePayment) {
  return { ...paymentJson(payment), ...totalsOf(payment) }
}

/** https://docs.mollie.com/reference/get-refund */
function refundJson(payment: MolliePayment, { id, status, amount, description, metadata }: MollieRefund) {
  return {
    resource: 'refund',
    id,
    mode: 'live',
    status,
    amount,
    description,
    metadata,
    paymentId: payment.id,
    createdAt: '2026-11-22T10:00:00+00:00',
    _links: {
      self: {
        href: `https://api.mollie.com/v2/payments/${payment.id}/refunds/${id}`,
        type: 'application/hal+json',
      },
      payment: { href: `https://api.mollie.com/v2/payments/${payment.id}`, type: 'application/hal+json' },
    },
  }
}

function unprocessable(detail: string, field?: string): Response {
  return mollieProblem(422, 'Unprocessable Entity', detail, field)
}

/** https://docs.mollie.com/reference/create-refund */
async function createRefund(payment: MolliePayment, request: Request): Promise<Response> {
  const text = await request.text()
  const key = request.headers.get('idempotency-key')
  const known = payment.refunds.find((refund) => key !== null && refund.key === key)
  if (known && known.fingerprint !== text) {
    return mollieProblem(400, 'Bad Request', 'The idempotency key was used before with other parameters')
  }
  if (known) return halJson(refundJson(payment, { ...known, status: 'pending' }), 201)
  const body = JSON.parse(text) as Pick<MollieRefund, 'amount' | 'description' | 'metadata'>
  if (payment.status !== 'paid') return unprocessable('The payment is not paid')
  const rest = minorOf(payment.request.amount) - refundedOf(payment)
  if (!isAmount(body.amount) || minorOf(body.amount) > rest) {
    return unprocessable('The specified amount cannot be refunded', 'amount')
  }
  const refund: MollieRefund = {
    id: `re_${crypto.randomUUID().replaceAll('-', '').slice(0, 10)}`,
    status: 'pending',
    amount: body.amount,
    description: body.description ?? '',
    metadata: body.metadata ?? null,
    key,
    fingerprint: text,
  }
  payment.refunds.push(refund)
  return halJson(refundJson(payment, refund), 201)
}

/**
 * https://docs.mollie.com/reference/list-refunds: the newest first, in pages that the next one's
 * `from` leads to.
 */
function listRefunds(payment: MolliePayment, { searchParams }: URL): Response {
  const newest = payment.refunds.toReversed()
  const from = newest.findIndex(({ id }) => id === searchParams.get('from'))
  const limit = Number(searchParams.get('limit') ?? 50)
  const page = newest.slice(Math.max(from, 0)).slice(0, limit)
  const next = newest[Math.max(from, 0) + limit]
  const path = `https://api.mollie.com/v2/payments/${payment.id}/refunds`
  const link = next && { href: `${path}?from=${next.id}&limit=${limit}`, type: 'application/hal+json' }
  return halJson({
    count: page.length,
    _embedded: { refunds: page.map((refund) => refundJson(payment, refund)) },
    _links: { self: { href: path, type: 'application/hal+json' }, previous: null, next: link ?? null },
  })
}

/** https://docs.mollie.com/reference/create-capture */
function createCapture(payment: MolliePayment): Response {
  if (payment.status !== 'authorized') return unprocessable('The payment cannot be captured')
  Object.assign(payment, { status: 'paid', captured: true })
  return halJson(
    {
      resource: 'capture',
      id: 'cpt_4qqhO89gsT',
      mode: 'live',
      amount: payment.request.amount,
      status: 'succeeded',
      paymentId: payment.id,
      createdAt: '2026-11-22T10:00:00+00:00',
      _links: {},
    },
    201,
  )
}

/** What Mollie answers about the money of a payment: its refunds and captures. */
export async function answerAboutMoney(
  payment: MolliePayment,
  [resource, id]: readonly (string | undefined)[],
  request: Request,
): Promise<Response> {
  const isPost = request.method === 'POST'
  if (resource === 'captures' && isPost) return createCapture(payment)
  if (resource !== 'refunds') return mollieProblem(404, 'Not Found', 'No route found')
  if (id === undefined)
    return isPost ? createRefund(payment, request) : listRefunds(payment, new URL(request.url))
  const refund = payment.refunds.find((candidate) => candidate.id === id)
  return refund
    ? halJson(refundJson(payment, refund))
    : mollieProblem(404, 'Not Found', `No refund exists with token ${id}.`)
}
