import {
  type MollieCapture,
  type MollieChargeback,
  type MollieMove,
  type MolliePayment,
  type MollieRefund,
  amountOf,
  captureBeforeOf,
  halJson,
  isAmount,
  isHeld,
  minorOf,
  mollieProblem,
  mollieTime,
  pageJson,
  paymentJson,
} from './mollie-payment.ts'

/** Sums the refunds or captures that have one of these statuses. */
function sumOf<Status>(moves: readonly MollieMove<Status>[], ...statuses: readonly Status[]): number {
  return moves
    .filter(({ status }) => statuses.includes(status))
    .reduce((sum, { amount }) => sum + minorOf(amount), 0)
}

function refundedOf({ refunds }: MolliePayment): number {
  return sumOf(refunds, 'queued', 'pending', 'processing', 'refunded')
}

function capturedOf({ captures }: MolliePayment): number {
  return sumOf(captures, 'succeeded')
}

export function chargedBackOf({ chargebacks }: MolliePayment): number {
  return chargebacks
    .filter(({ reversedAt }) => reversedAt === null)
    .reduce((sum, { amount }) => sum + amount, 0)
}

/** The customer's bank takes back this amount in total (minor units), or reverses what it took back. */
export function chargeBackTo(payment: MolliePayment, total: number): void {
  const { chargebacks } = payment
  if (total < chargedBackOf(payment)) for (const one of chargebacks) one.reversedAt ??= Date.now()
  const amount = total - chargedBackOf(payment)
  if (amount > 0) chargebacks.push({ id: `chb_${payment.id}${chargebacks.length}`, amount, reversedAt: null })
}

/** The amount that the customer paid. Of reserved money, only the captured part counts. */
function takenOf(payment: MolliePayment): number {
  return isHeld(payment) ? capturedOf(payment) : minorOf(payment.request.amount)
}

/**
 * The totals of a payment whose money has moved: https://docs.mollie.com/reference/get-payment.
 * `authorizedAt` and `captureBefore` are "omitted if the payment is not authorized (yet)"; Mollie's example
 * of a partly captured payment has them.
 */
function totalsOf(payment: MolliePayment) {
  const { refunds, request, status, authorizedAt } = payment
  const { currency } = request.amount
  const [refunded, chargedBack] = [refundedOf(payment), chargedBackOf(payment)]
  return {
    ...(refunds.length > 0
      ? {
          amountRefunded: amountOf(currency, refunded),
          amountRemaining: amountOf(currency, takenOf(payment) - refunded),
        }
      : {}),
    ...(chargedBack === 0 ? {} : { amountChargedBack: amountOf(currency, chargedBack) }),
    ...(isHeld(payment) ? { amountCaptured: amountOf(currency, capturedOf(payment)) } : {}),
    ...(status === 'authorized' && authorizedAt !== null
      ? {
          authorizedAt: mollieTime(authorizedAt),
          captureBefore: mollieTime(captureBeforeOf(payment)),
        }
      : {}),
  }
}

/** A payment as Mollie shows it: https://docs.mollie.com/reference/get-payment */
export function shownPayment(payment: MolliePayment) {
  return { ...paymentJson(payment), ...totalsOf(payment) }
}

/** A payment with the lists that its `embed` names, newest first. */
export function embeddingPayment(payment: MolliePayment, embed: string | null): Response {
  const lists: Readonly<Record<string, object[]>> = {
    captures: payment.captures.toReversed().map((one) => moveJson(payment, 'capture', one)),
    refunds: payment.refunds.toReversed().map((one) => moveJson(payment, 'refund', one)),
    chargebacks: payment.chargebacks.toReversed().map((one) => chargebackJson(payment, one)),
  }
  const names = embed === null ? [] : embed.split(',')
  if (names.some((name) => !lists[name]))
    return mollieProblem(400, 'Bad Request', 'Cannot embed that', 'embed')
  const embedded = { _embedded: Object.fromEntries(names.map((name) => [name, lists[name]])) }
  return halJson({ ...shownPayment(payment), ...(embed === null ? {} : embedded) })
}

/** https://docs.mollie.com/reference/get-chargeback */
function chargebackJson(
  { id, request }: MolliePayment,
  { id: chargeback, amount, reversedAt }: MollieChargeback,
) {
  const href = `https://api.mollie.com/v2/payments/${id}`
  return {
    resource: 'chargeback',
    id: chargeback,
    amount: amountOf(request.amount.currency, amount),
    paymentId: id,
    createdAt: '2026-11-22T10:00:00+00:00',
    reversedAt: reversedAt === null ? null : mollieTime(reversedAt),
    _links: {
      self: { href: `${href}/chargebacks/${chargeback}`, type: 'application/hal+json' },
      payment: { href, type: 'application/hal+json' },
    },
  }
}

type Resource = 'refund' | 'capture'

/** https://docs.mollie.com/reference/get-refund, https://docs.mollie.com/reference/get-capture */
function moveJson(
  payment: MolliePayment,
  resource: Resource,
  { id, status, amount, description, metadata }: MollieMove<string>,
) {
  const href = `https://api.mollie.com/v2/payments/${payment.id}`
  return {
    resource,
    id,
    mode: 'live',
    status,
    amount,
    description,
    metadata,
    paymentId: payment.id,
    createdAt: '2026-11-22T10:00:00+00:00',
    _links: {
      self: { href: `${href}/${resource}s/${id}`, type: 'application/hal+json' },
      payment: { href, type: 'application/hal+json' },
    },
  }
}

function unprocessable(detail: string, field?: string): Response {
  return mollieProblem(422, 'Unprocessable Entity', detail, field)
}

const KEY_USED = 'The idempotency key was used before with other parameters'

type Wanted = Pick<MollieRefund, 'amount' | 'description' | 'metadata'>

/** Creates a refund or a capture. `make` does the work, or returns the refusal. */
async function create<Move extends MollieRefund | MollieCapture>(
  payment: MolliePayment,
  resource: Resource,
  request: Request,
  make: (wanted: Partial<Wanted>, move: Omit<Move, 'status' | 'amount'>) => Move | Response,
): Promise<Response> {
  const fingerprint = `${resource} ${await request.text()}`
  const key = request.headers.get('idempotency-key')
  const known = [...payment.refunds, ...payment.captures].find((move) => key !== null && move.key === key)
  if (known && known.fingerprint !== fingerprint) return mollieProblem(400, 'Bad Request', KEY_USED)
  if (known) return halJson(moveJson(payment, resource, { ...known, status: 'pending' }), 201)
  const wanted = JSON.parse(fingerprint.slice(resource.length) || '{}') as Partial<Wanted>
  const { description = '', metadata = null } = wanted
  if (description.length > 255) return unprocessable('The description is too long', 'description')
  const prefix = resource === 'refund' ? 're' : 'cpt'
  const id = `${prefix}_${crypto.randomUUID().replaceAll('-', '').slice(0, 10)}`
  const made = make(wanted, { id, description, metadata, key, fingerprint } as Omit<
    Move,
    'status' | 'amount'
  >)
  return made instanceof Response ? made : halJson(moveJson(payment, resource, made), 201)
}

/** https://docs.mollie.com/reference/create-refund */
function createRefund(payment: MolliePayment, request: Request): Promise<Response> {
  return create<MollieRefund>(payment, 'refund', request, ({ amount }, move) => {
    const taken = takenOf(payment)
    if (payment.status !== 'paid' && (payment.status !== 'authorized' || taken === 0))
      return unprocessable('The payment is not paid')
    if (!amount || !isAmount(amount) || minorOf(amount) > taken - refundedOf(payment))
      return unprocessable('The specified amount cannot be refunded', 'amount')
    const refund: MollieRefund = { ...move, status: 'pending', amount }
    payment.refunds.push(refund)
    return refund
  })
}

/**
 * https://docs.mollie.com/reference/create-capture: "If no amount is provided, the full authorized amount is
 * captured." `status`: the new capture's status.
 */
function createCapture(
  payment: MolliePayment,
  request: Request,
  status: MollieCapture['status'],
): Promise<Response> {
  return create<MollieCapture>(payment, 'capture', request, (wanted, move) => {
    const { amount: whole } = payment.request
    if (payment.status !== 'authorized') return unprocessable('The payment cannot be captured')
    const rest = minorOf(whole) - sumOf(payment.captures, 'pending', 'succeeded')
    const amount = wanted.amount ?? amountOf(whole.currency, rest)
    if (amount.currency !== whole.currency)
      return unprocessable('The amount contains an invalid currency', 'amount.currency')
    if (!isAmount(amount) || minorOf(amount) <= 0 || minorOf(amount) > rest)
      return unprocessable('The amount is higher than the remaining authorized amount', 'amount')
    const capture: MollieCapture = { ...move, status, amount }
    payment.captures.push(capture)
    afterCaptures(payment)
    return capture
  })
}

/**
 * A payment is paid once everything is captured or the rest is released. If a capture fails, the money is
 * reserved again.
 */
export function afterCaptures(payment: MolliePayment): void {
  const captured = capturedOf(payment)
  const isWhole = captured >= minorOf(payment.request.amount)
  if (isWhole) payment.status = 'paid'
  else if (payment.status === 'paid' && !payment.isReleasing) payment.status = 'authorized'
}

/** Ends a reservation, after a release or at its expiry. Waits for captures that are under way. */
export function letGo(payment: MolliePayment, otherwise: 'canceled' | 'expired'): void {
  const isWaiting = payment.captures.some(({ status }) => status === 'pending')
  if (payment.status !== 'authorized' || isWaiting) return
  payment.isReleasing = true
  payment.status = capturedOf(payment) > 0 ? 'paid' : otherwise
}

/** https://docs.mollie.com/reference/release-authorization */
function release(payment: MolliePayment, key: string | null, isSlow: boolean): Response {
  if ([...payment.refunds, ...payment.captures].some((move) => key !== null && move.key === key))
    return mollieProblem(400, 'Bad Request', KEY_USED)
  if (payment.status !== 'authorized')
    return unprocessable(
      'Authorization cannot be released because the payment is not in the authorized state.',
    )
  if (isSlow) payment.isReleasing = true
  else letGo(payment, 'canceled')
  return new Response(null, { status: 202 })
}

/** How Mollie handles the next captures and releases. */
export type Manner = { captures: MollieCapture['status']; isReleaseSlow: boolean }

/** Answers requests about a payment's refunds, captures and release. */
export async function answerAboutMoney(
  payment: MolliePayment,
  [path, id]: readonly (string | undefined)[],
  request: Request,
  { captures, isReleaseSlow }: Manner,
): Promise<Response> {
  const isPost = request.method === 'POST'
  if (path === 'release-authorization' && isPost)
    return release(payment, request.headers.get('idempotency-key'), isReleaseSlow)
  if (path !== 'refunds' && path !== 'captures') return mollieProblem(404, 'Not Found', 'No route found')
  const resource = path === 'refunds' ? 'refund' : 'capture'
  const moves: readonly MollieMove<string>[] = payment[path]
  if (id !== undefined) {
    const move = moves.find((candidate) => candidate.id === id)
    return move
      ? halJson(moveJson(payment, resource, move))
      : mollieProblem(404, 'Not Found', `No ${resource} exists with token ${id}.`)
  }
  // https://docs.mollie.com/reference/list-refunds, https://docs.mollie.com/reference/list-captures
  if (!isPost)
    return pageJson(new URL(request.url), path, moves.toReversed(), (one) => moveJson(payment, resource, one))
  return resource === 'refund' ? createRefund(payment, request) : createCapture(payment, request, captures)
}
