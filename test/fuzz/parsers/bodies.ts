import { NewCapture, NewRefund } from '../../../src/contract/instruction.ts'
import { OPERATOR_OPERATIONS } from '../../../src/contract/operator-operations.ts'
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import * as v from 'valibot'
import { expect } from 'vitest'
import { Order } from '../../../src/contract/order.ts'
import { formatAmount } from '../../../src/contract/money.ts'
import { type JsonObject, type Reviver, readJsonObject } from '../../../src/platform/http/body.ts'
import { readJobQuery } from '../../../src/operator-api/job-search.ts'
import { keepDigits } from '../../../src/contract/sent-values.ts'
import { readOrder } from '../../../src/pos-api/create-payment-job.ts'
import { parseInstruction } from '../../../src/job/instruct-job.ts'
import { order } from '../../support/hub/hub.ts'
import { sampleJob } from '../../support/jobs/played-job.ts'
import { headersAround, textsAround, valuesAround } from '../inputs.ts'
import { parser } from '../parser.ts'

const RULES = { own: ['hub.example.nl'], loopback: false }
const job = sampleJob()

function posting(body: string, type = 'application/json'): Request {
  return new Request('https://hub.example.nl/', { method: 'POST', headers: { 'content-type': type }, body })
}

/** Returns the object in a body; null if it is refused. */
async function objectIn(body: string, reviver: Reviver): Promise<JsonObject | null> {
  const read = await readJsonObject(posting(body), reviver)
  return read.ok ? read.value : null
}

/** Returns an order as a point of sale would send it again. */
function printed(read: Order): string {
  return JSON.stringify({
    timestamp: read.timestamp,
    currency: read.currency,
    amount: formatAmount(read.amount, read.currency),
    return_url: read.returnUrl,
    report_url: read.reportUrl,
    payment_method: read.paymentMethod,
    order_id: read.orderId,
    order_number: read.orderNumber,
    language: read.language,
    ip_address: read.ipAddress,
    capture: read.capture,
  })
}

const orders = valuesAround(
  order,
  { ...order, currency: 'JPY', amount: '1250' },
  { ...order, ip_address: '::1' },
  { ...order, capture: 'manual' },
)
const QUERIES = [
  'q=A-1001&status=PENDING,SUCCESS&limit=200',
  'from=2026-01-31T10:00:00Z&to=2026-02-01T00:00:00Z&amount_from=1.5&amount_to=99',
  'id=6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  'after=2026-01-31T10:00:00.000000Z-6f9619ff-8b86-4d01-b42d-00cf4fc964ff&currency=eur',
]

/** Reads the request for a payment's money: a possible amount, or all that is left. */
function instruction(
  kind: 'refund' | 'capture',
  schema: typeof NewRefund | typeof NewCapture,
  example: Parameters<typeof valuesAround>[0],
) {
  return parser(
    kind,
    valuesAround(example, { amount: 12.5 }, {}).map((value) => JSON.stringify(value)),
    async (body) => {
      const sent = await objectIn(body, keepDigits)
      if (sent === null) return
      const request = v.safeParse(schema, sent)
      if (!request.success) return
      const read = parseInstruction(kind, request.output, job)
      if (!read.ok) return expect(read.error).toMatchObject({ code: 'fields-invalid' })
      const { amount, description, final } = read.value
      expect(amount === null || (Number.isSafeInteger(amount) && amount > 0)).toBe(true)
      expect(description.isWellFormed()).toBe(true)
      expect(final).toBe('final' in request.output && request.output.final ? true : undefined)
    },
  )
}

export const BODIES = [
  parser(
    'json-body',
    fc.record({
      body: textsAround('{"amount":1e400}', '{"a":[{}]}', '\ufeff{}'),
      type: headersAround('application/json; charset="utf-8"', 'text/plain'),
    }),
    async (sent) => {
      const read = await readJsonObject(posting(sent.body, sent.type))
      if (read.ok) expect(read.value).toEqual(JSON.parse(sent.body.replace(/^\ufeff/, '').toWellFormed()))
    },
  ),
  parser(
    'order',
    fc.oneof(
      orders.map((value) => JSON.stringify(value)),
      textsAround(JSON.stringify(order)),
    ),
    async (body) => {
      const sent = await objectIn(body, keepDigits)
      if (sent === null) return
      const read = readOrder(sent, RULES)
      if (!read.ok) return expect(read.error).toMatchObject({ code: 'fields-invalid' })
      expect(v.is(Order, read.value)).toBe(true)
      expect(read.value.amount).toBeGreaterThan(0)
      const again = await objectIn(printed(read.value), keepDigits)
      expect(again && readOrder(again, RULES)).toEqual(read)
    },
  ),
  instruction('refund', NewRefund, { amount: '12.50', description: 'Broken' }),
  instruction('capture', NewCapture, { amount: '12.50', final: true, description: 'The first parcel' }),
  parser('job-query', textsAround(...QUERIES), async (text) => {
    const sent = Object.fromEntries(new URLSearchParams(text))
    const parsed = v.safeParse(OPERATOR_OPERATIONS.searchJobs.query, sent)
    if (!parsed.success) return
    const read = await readJobQuery(env, { timeZone: 'Europe/Amsterdam' }, parsed.output)
    if (!read.ok) return expect(read.error).toMatchObject({ code: 'fields-invalid' })
    const { search } = read.value
    if (search === null) return
    expect(search.limit >= 1 && search.limit <= 200).toBe(true)
    expect(Number.isInteger(search.from) && Number.isInteger(search.to)).toBe(true)
    for (const amount of [search.filter.amountFrom, search.filter.amountTo])
      expect(amount === undefined || (Number.isSafeInteger(amount) && amount >= 0)).toBe(true)
  }),
]
