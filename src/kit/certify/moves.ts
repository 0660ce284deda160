import type { ReportFrame } from '../../contract/report-frames.ts'
import { bodySignature, webhookHeaders } from '../../platform/crypto/signing.ts'
import { type ScenarioMove, act, later, isReported } from '../moves.ts'
import { ShopFault } from '../payment.ts'
import { RETRY_AFTER } from './network.ts'
import { type PlayedOrder, isTaken } from './order.ts'
import type { ReceiverAnswer } from './shop.ts'

export async function returnsBeforeTheReport(order: PlayedOrder): Promise<void> {
  const held = Promise.withResolvers<undefined>()
  order.network('Reports are held up', (report) => held.promise.then(() => order.deliver(report)))
  await order.act('pay')
  await order.comeBack()
  held.resolve(undefined)
}

export async function opensReturn(order: PlayedOrder): Promise<void> {
  const { attributes } = await order.job()
  await order.shop.open('The customer opens the return address', attributes.returnUrl)
}

export async function opensForgedReturn(order: PlayedOrder): Promise<void> {
  const { attributes, orderId, orderNumber, paymentJob } = await order.job()
  const address = new URL(attributes.returnUrl)
  const claims = { status: 'SUCCESS', paid: 'true', signature: 'ab'.repeat(64) }
  const names = { order_number: orderNumber, order_code: orderId, payment_job: paymentJob }
  for (const [name, value] of Object.entries({ ...names, ...claims })) address.searchParams.set(name, value)
  await order.shop.open('The customer opens a forged return', address.href, 499)
}

/** The receiver is down for so many seconds while the order is paid. After `again` the report comes again. */
export function downFor(
  seconds: number,
  answer: ReceiverAnswer,
  again: ScenarioMove<PlayedOrder>,
): ScenarioMove<PlayedOrder>[] {
  return [
    (order) => order.network('The receiver does not work', async () => answer),
    act('pay'),
    (order) => order.becomes('SUCCESS'),
    later(seconds),
    (order) => order.network('The receiver works again', order.deliver),
    again,
    isReported('SUCCESS'),
  ]
}

export function comesThreeTimes(order: PlayedOrder): void {
  order.network('Each report comes three times', async (report) => {
    await order.deliver(report)
    await order.deliver(report)
    return order.deliver(report)
  })
}

export async function newerComesFirst(order: PlayedOrder): Promise<void> {
  const held: ReportFrame[] = []
  order.network('A report is held up on its way', async (report) => {
    held.push(report)
    return 200
  })
  await order.act('expire')
  await order.becomes('EXPIRED')
  await order.letPass(1)
  order.network('The next report passes it', order.deliver)
  await order.act('pay-late')
  await order.isReported('SUCCESS')
  for (const report of held) await order.deliver(report)
}

export async function answersTooLate(order: PlayedOrder): Promise<void> {
  order.network('The answer comes too late', async (report) => {
    await order.deliver(report)
    return 'no answer in time'
  })
  await order.act('pay')
  await order.isReported('SUCCESS')
  order.network('Answers come in time', order.deliver)
}

export function getsMoreMembers(order: PlayedOrder): void {
  order.network('Reports are as a later release sends them', async (report) => {
    const body = report.body
      .replace('{', '{"loyalty":{"points":7},"future":null,')
      .replace('"steps":[', '"later":[],"steps":[{"action":"Certify","mood":7},')
    const headers = await signedBy(order.secret, report.headers['webhook-id'] ?? '', Date.now(), body)
    return order.deliver({ ...report, body, headers })
  })
}

type Headers = Record<string, string>

/** The headers of a report as the hub signs it. `time` is in ms. */
export async function signedBy(secret: string, id: string, time: number, body: string): Promise<Headers> {
  return {
    'content-type': 'application/json',
    'x-signature': await bodySignature(secret, body),
    ...(await webhookHeaders([secret], id, Math.floor(time / 1000), body)),
  }
}

/** A report that says SUCCESS of a job that nobody has paid, and what it said `before`. */
type Forgery = { id: string; body: string; before: string; secret: string }

/** An attacker sends a forged report. The shop must not believe it, and must refuse it unless it `or takes` it. */
export function forges(
  headersOf: (forgery: Forgery) => Promise<Headers>,
  should: 'refuses' | 'or takes' = 'refuses',
): ScenarioMove<PlayedOrder> {
  return async (order) => {
    const job = await order.job()
    const paid = { status: 'SUCCESS', amountDue: '0.00', amountPaid: job.amountDue }
    const lastUpdate = job.lastUpdate.replace(/^\d{4}/, (year) => String(Number(year) + 1))
    const body = JSON.stringify({ ...job, ...paid, lastUpdate, payments: { ...job.payments, ...paid } })
    const id = `msg_${job.paymentJob}_9`
    const headers = await headersOf({ id, body, before: JSON.stringify(job), secret: order.secret })
    const report = { headers, body, reportUrl: job.attributes.reportUrl }
    const answer = await order.shop.report('A report that is not good comes: SUCCESS', report)
    await order.isUnpaid()
    if (should === 'refuses' && isTaken(answer))
      throw new ShopFault(`answered a forged report with ${answer}`)
  }
}

/** The shop's client waited as long as `Retry-After` says. */
export function waited({ creates }: PlayedOrder): void {
  const [refused, again] = creates()
  const seconds = again && refused ? (again.at - refused.at) / 1000 : Infinity
  if (seconds >= RETRY_AFTER) return
  throw new ShopFault(
    `asked again after ${seconds.toFixed(1)} s, not after the ${RETRY_AFTER} of Retry-After`,
  )
}
