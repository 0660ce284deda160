/*
 * A shop with a whole integration: it takes orders, sends customers to pay, takes reports, and says how an order stands. Run it with
 * HUB_URL, API_KEY and SIGNING_SECRET in its environment: `node shop.ts`. The guide goes through it step by step.
 */

// Step 1: the hub, by its client
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type PaymentJob, HubError, ReportError, createHub, verifyReport } from './client.js'

const { HUB_URL = '', API_KEY = '', SIGNING_SECRET = '', PORT = '3000' } = process.env
const SHOP = process.env['SHOP_URL'] ?? `http://localhost:${PORT}`

const hub = createHub({ baseUrl: HUB_URL, apiKey: API_KEY })

// Step 2: an order, and its payment
type Order = {
  id: number
  number: string
  amount: string
  currency: string
  /** How often the customer has begun to pay. Each time is another payment. */
  attempt: number
  /** The payments of the order, by the id of their job, as the hub last reported them. */
  jobs: Map<string, Payment>
  isPaid: boolean
  /** How often the goods were sent. It must never be more than once. */
  handled: number
}
/** What the shop keeps about a payment. */
type Payment = Pick<PaymentJob, 'paymentJob' | 'orderNumber' | 'status' | 'lastUpdate' | 'amountRefunded'>

/** Keep them in your database: this shop forgets everything when it ends. */
const orders = new Map<string, Order>()
let lastId = Date.now()

function orderOf(number: string, amount: string, currency: string): Order {
  const known = orders.get(number)
  if (known) return known
  const order = {
    id: ++lastId,
    number,
    amount,
    currency,
    attempt: 1,
    jobs: new Map(),
    isPaid: false,
    handled: 0,
  }
  orders.set(number, order)
  return order
}

/** Creates the payment of an order, or finds the existing one: the key is the same until it has ended. */
async function pay(order: Order): Promise<string> {
  const job = await hub.createPaymentJob(
    {
      currency: order.currency,
      amount: order.amount, // A text, as it is in the books: never a number.
      payment_method: order.currency === 'EUR' ? 'ideal' : 'creditcard', // iDEAL | Wero takes only euros.
      order_id: String(order.id),
      order_number: order.number,
      language: 'en',
      ip_address: '203.0.113.7', // The customer's.
      return_url: `${SHOP}/thanks?order_number=${encodeURIComponent(order.number)}`,
      report_url: `${SHOP}/report`,
    },
    { idempotencyKey: `order-${order.id}-attempt-${order.attempt}` },
  )
  learn(job)
  return job.payUrl
}

// Step 3: a customer who goes to pay
type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>

const pages: Record<string, Handler> = {}

createServer((request, response) => {
  const url = new URL(request.url ?? '/', SHOP)
  const page = pages[`${request.method} ${url.pathname}`]
  if (!page) {
    response.writeHead(404).end()
    return
  }
  page(request, response, url).catch((error: unknown) => {
    console.error(error)
    // Without a 2xx the hub sends the report again.
    response.writeHead(500).end()
  })
}).listen(Number(PORT), () => console.log(`The shop is at ${SHOP}.`))

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await request.toArray())
}

pages['POST /pay'] = async (request, response) => {
  const wanted = JSON.parse((await bodyOf(request)).toString()) as Record<string, string>
  const order = orderOf(wanted['order_number'] ?? '', wanted['amount'] ?? '', wanted['currency'] ?? '')
  try {
    response.writeHead(303, { location: await pay(order) }).end()
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    console.error(error.code, error.message, error.requestId)
    response.writeHead(503).end('This does not work just now. Please try again.')
  }
}

// Step 4: how a payment stands
/** Takes what the hub says about a payment. Old or known news changes nothing. */
function learn(job: Payment): void {
  const order = orders.get(job.orderNumber)
  if (!order) return
  const known = order.jobs.get(job.paymentJob)
  if (known && known.lastUpdate >= job.lastUpdate) return
  order.jobs.set(job.paymentJob, job)
  // Once the job is SUCCESS it is paid, even if it had ended before. That never changes again.
  if (job.status === 'SUCCESS' && !order.isPaid) {
    order.isPaid = true
    order.handled += 1
  }
  // If the customer pays again, that is another payment, under another key.
  if (['FAILURE', 'CANCELLED', 'EXPIRED'].includes(job.status)) order.attempt = order.jobs.size + 1
}

/** The customer is back. Anyone can open this address, so the shop asks the hub. */
pages['GET /thanks'] = async (_, response, url) => {
  const order = orders.get(url.searchParams.get('order_number') ?? '')
  if (!order) {
    response.writeHead(404).end('There is no such order.')
    return
  }
  for (const id of order.jobs.keys()) learn(await hub.getPaymentJob(id))
  response.writeHead(200).end(order.isPaid ? 'Thank you. It is paid.' : 'We have no payment yet.')
}

// Step 5: reports
/** The hub reports how a payment stands. Save it before you answer, and do slow work afterwards. */
pages['POST /report'] = async (request, response) => {
  try {
    learn(await verifyReport({ headers: request.headers, body: await bodyOf(request) }, SIGNING_SECRET))
    response.writeHead(204).end()
  } catch (error) {
    if (!(error instanceof ReportError)) throw error
    response.writeHead(400).end(error.code)
  }
}

// Step 6: money that went back
/** How much of an order went back. The hub reports totals. */
function refunded(order: Order): string {
  const totals = Array.from(order.jobs.values(), ({ amountRefunded = '0' }) => Number(amountRefunded))
  return totals.reduce((sum, amount) => sum + amount, 0).toFixed(2)
}

// Step 7: the certificate
/** How an order stands, for `hub certify`. Leave it out of the shop that goes live. */
pages['GET /check'] = async (_, response, url) => {
  const order = orders.get(url.searchParams.get('order_number') ?? '')
  const standing = order && { paid: order.isPaid, handled: order.handled, refunded: refunded(order) }
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify(standing ?? { paid: false }))
}
