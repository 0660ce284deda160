import * as v from 'valibot'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { createHub } from '../../client/create-hub.ts'
import { verifyReport } from '../../client/verify-report.ts'
import { NewPointOfSaleCreated } from '../../contract/points-of-sale.ts'
import type { PaymentJob } from '../../contract/payment-job.ts'
import { within } from '../../platform/deadline.ts'
import { type Answer, type Exchange, redirectOf, shownFetch } from './exchange.ts'
import type { Narrator } from './narrator.ts'
import type { ReceivedReport } from './shop.ts'
import { table } from '../table.ts'

type Stage = {
  hubUrl: string
  exchange: Exchange
  tell: Narrator
  operatorToken: string
  shop: { url: string; report: Promise<ReceivedReport> }
}

const PATIENCE = 20_000

/** Plays one whole payment, and checks what the hub says along the way. Throws when something is not as it must be. */
export async function playPayment({ hubUrl, exchange, tell, operatorToken, shop }: Stage): Promise<void> {
  tell.step('The operator adds a point of sale')
  const added = await exchange('operator', 'POST', '/operator/v1/pos', 201, {
    bearer: operatorToken,
    json: { name: 'Demo shop' },
  })
  const pos = v.parse(NewPointOfSaleCreated, JSON.parse(added.text))
  tell.detail('API key', `${pos.apiKey.slice(0, 12)}… (${pos.apiKey.length} characters)`)

  tell.step(
    'The shop creates a payment job for an order of EUR 12.50, with the client, which gets an access token first',
  )
  let last: Answer | null = null
  const fetch = shownFetch(hubUrl, tell, 'shop', (answer) => (last = answer))
  const hub = createHub({ baseUrl: hubUrl, apiKey: pos.apiKey, fetch })
  const job = await hub.createPaymentJob(orderAt(shop.url), { idempotencyKey: 'demo-1001' })
  checkSignature(last, pos.signingSecret)
  tell.checked('X-Signature of the answer is right')
  tell.detail('payUrl', job.payUrl)

  tell.step('The customer follows payUrl, and pays on the page of the PSP')
  const checkout = redirectOf(await exchange('customer', 'GET', job.payUrl, 303))
  await exchange('customer', 'GET', checkout, 200)
  const back = redirectOf(await exchange('customer', 'POST', checkout, 303, { form: { outcome: 'paid' } }))

  tell.step('The customer comes back over the hub to the shop')
  const thanks = redirectOf(await exchange('customer', 'GET', back, 303))
  await exchange('customer', 'GET', thanks, 200)

  tell.step('The shop receives the report')
  const report = await within(PATIENCE, shop.report)
  if (!report) throw new Error(`no report arrived within ${PATIENCE / 1000} s`)
  const reported = await verifyReport(report, pos.signingSecret)
  tell.checked('The client finds the signature of the report right')
  new Webhook(pos.signingSecret).verify(report.body, report.headers)
  tell.checked('The library of Standard Webhooks does too')
  tell.detail('status', `${reported.status}, ${reported.amountPaid} paid`)
  expectPaid(reported)

  tell.step("The shop waits until the PSP's notification is in the job's trace, and reads it")
  const traced = await hub.waitFor(job, { until: hasStatuspull, timeout: PATIENCE })
  expectPaid(traced)
  if (!hasStatuspull(traced)) throw new Error("the PSP's notification never came")
  tell.plain(
    table(
      ['time (UTC)', 'action', 'status', 'due', 'paid'],
      traced.payments.steps.map((step) => [
        step.creationDate.slice(11, -1),
        step.action,
        step.status,
        step.amountDue,
        step.amountPaid,
      ]),
    ),
  )
}

function hasStatuspull({ payments }: PaymentJob): boolean {
  return payments.steps.some(({ action }) => action === 'Statuspull')
}

function orderAt(shop: string) {
  return {
    currency: 'EUR',
    amount: '12.50',
    return_url: `${shop}/thanks?order=1001`,
    report_url: `${shop}/report`,
    payment_method: 'ideal',
    order_id: '1001',
    order_number: 'DEMO-1001',
    language: 'en',
    ip_address: '203.0.113.7',
  }
}

function checkSignature(answer: Answer | null, secret: string): void {
  const given = Buffer.from(answer?.headers.get('x-signature') ?? '')
  const expected = Buffer.from(
    createHmac('sha512', secret)
      .update(answer?.text ?? '')
      .digest('hex'),
  )
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new Error(`X-Signature does not fit the body: ${given.toString()}`)
  }
}

function expectPaid(job: PaymentJob): void {
  if (job.status !== 'SUCCESS' || job.amountPaid !== '12.50' || job.amountDue !== '0.00') {
    throw new Error(`the job is ${job.status}, ${job.amountPaid} paid, ${job.amountDue} due`)
  }
}
