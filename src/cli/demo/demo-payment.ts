import { createHmac, timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { NewPointOfSaleCreated } from '../../operator-api/contract/points-of-sale.ts'
import { type Exchange, redirectOf } from './exchange.ts'
import type { Narrator } from './narrator.ts'
import type { ReceivedReport } from './shop.ts'
import { table } from '../table.ts'

const Token = v.object({ token: v.string(), expiration_datetime: v.string() })
const Job = v.object({
  paymentJob: v.string(),
  payUrl: v.string(),
  status: v.string(),
  amountDue: v.string(),
  amountPaid: v.union([v.string(), v.number()]),
  payments: v.object({
    steps: v.array(
      v.object({
        creationDate: v.string(),
        action: v.string(),
        status: v.string(),
        amountDue: v.string(),
        amountPaid: v.string(),
      }),
    ),
  }),
})

type Stage = {
  exchange: Exchange
  tell: Narrator
  operatorToken: string
  shop: { url: string; report: Promise<ReceivedReport> }
}

const PATIENCE = 20_000

/** Plays one whole payment, and checks what the hub says along the way. Throws when something is not as it must be. */
export const playPayment = async ({ exchange, tell, operatorToken, shop }: Stage): Promise<void> => {
  tell.step('The operator adds a point of sale')
  const added = await exchange('operator', 'POST', '/operator/v1/pos', 201, {
    bearer: operatorToken,
    json: { name: 'Demo shop' },
  })
  const pos = v.parse(NewPointOfSaleCreated, JSON.parse(added.text))
  tell.detail('API key', `${pos.apiKey.slice(0, 12)}… (${pos.apiKey.length} characters)`)

  tell.step('The shop trades its API key for an access token')
  const granted = await exchange('shop', 'GET', '/v1/guardian', 200, { bearer: pos.apiKey })
  const { token, expiration_datetime: expires } = v.parse(Token, JSON.parse(granted.text))
  tell.detail('valid until', expires)

  tell.step('The shop creates a payment job for an order of EUR 12.50')
  const created = await exchange('shop', 'POST', '/v2/paymentjobs', 201, {
    bearer: token,
    json: orderAt(shop.url),
  })
  const job = v.parse(Job, JSON.parse(created.text))
  checkSignature(created.text, created.headers.get('x-signature'), pos.signingSecret)
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
  const report = await within(PATIENCE, shop.report, 'no report arrived')
  const reported = v.parse(Job, JSON.parse(report.body))
  checkSignature(report.body, report.headers['x-signature'] ?? null, pos.signingSecret)
  tell.checked('X-Signature of the report is right')
  new Webhook(pos.signingSecret).verify(report.body, report.headers)
  tell.checked('The Standard Webhooks signature of the report is right')
  tell.detail('status', `${reported.status}, ${reported.amountPaid} paid`)
  expectPaid(reported)

  tell.step('The shop reads the job and its trace')
  const trace = await traceWithStatuspull(exchange, token, job.paymentJob)
  tell.plain(
    table(
      ['time (UTC)', 'action', 'status', 'due', 'paid'],
      trace.map((step) => [
        step.creationDate.slice(11, -1),
        step.action,
        step.status,
        step.amountDue,
        step.amountPaid,
      ]),
    ),
  )
}

const orderAt = (shop: string) => ({
  timestamp: Math.floor(Date.now() / 1000),
  currency: 'EUR',
  amount: '12.50',
  return_url: `${shop}/thanks?order=1001`,
  report_url: `${shop}/report`,
  payment_method: 'ideal',
  order_id: '1001',
  order_number: 'DEMO-1001',
  language: 'en',
  ip_address: '203.0.113.7',
})

const checkSignature = (body: string, signature: string | null, secret: string): void => {
  const expected = Buffer.from(createHmac('sha512', secret).update(body).digest('hex'))
  const given = Buffer.from(signature ?? '')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new Error(`X-Signature does not fit the body: ${signature}`)
  }
}

const expectPaid = (job: v.InferOutput<typeof Job>): void => {
  if (job.status !== 'SUCCESS' || job.amountPaid !== '12.50' || job.amountDue !== '0.00') {
    throw new Error(`the job is ${job.status}, ${job.amountPaid} paid, ${job.amountDue} due`)
  }
}

/** The trace, once the PSP's notification is in it: that comes shortly after the customer. */
const traceWithStatuspull = async (exchange: Exchange, token: string, id: string) => {
  const deadline = Date.now() + PATIENCE
  await new Promise((resolve) => setTimeout(resolve, 500))
  for (;;) {
    const answer = await exchange('shop', 'GET', `/v2/paymentjobs/${id}`, 200, { bearer: token })
    const job = v.parse(Job, JSON.parse(answer.text))
    expectPaid(job)
    if (job.payments.steps.some(({ action }) => action === 'Statuspull')) return job.payments.steps
    if (Date.now() > deadline) throw new Error("the PSP's notification never came")
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

const within = <T>(milliseconds: number, promise: Promise<T>, otherwise: string): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      setTimeout(
        () => reject(new Error(`${otherwise} within ${milliseconds / 1000} s`)),
        milliseconds,
      ).unref()
    }),
  ])
