import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { hmacSha512 } from '../support/shops/hmac.ts'
import {
  ORIGIN,
  type JobJson,
  type Pos,
  create,
  createJob,
  makePos,
  order,
  readJob,
  tokenFor,
} from '../support/hub/hub.ts'
import { makeLivePos, outside } from '../support/shops/live-pos.ts'
import { TEST_METHODS } from '../../src/psp/adapters.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const MICROS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

let pos: Pos
let token: string
beforeAll(async () => {
  pos = await makePos()
  token = await tokenFor(pos)
})

describe('the answer to a create', () => {
  it('is 201 with the Location of the job', async () => {
    const response = await create(token)
    const job = await response.json<JobJson>()
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe(`/v2/paymentjobs/${job.paymentJob}`)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('has the documented fields and no others, in their order', async () => {
    expect(Object.keys(await createJob(token))).toEqual([
      ...[
        'paymentJob',
        'orderId',
        'orderNumber',
        'created',
        'lastUpdate',
        'language',
        'currency',
        'amountDue',
      ],
      ...['amountPaid', 'paymentMethod', 'status', 'payUrl', 'attributes', 'payments', 'error'],
    ])
  })

  it('"paymentJob: UUID-shaped string", another for each POST', async () => {
    const [first, second] = [await createJob(token), await createJob(token)]
    expect(first.paymentJob).toMatch(UUID)
    expect(first.paymentJob).not.toBe(second.paymentJob)
  })

  it('"orderId: returned as a string of digits", also when a number was sent', async () => {
    expect((await createJob(token, { order_id: 4711 }))['orderId']).toBe('4711')
    expect((await createJob(token, { order_id: '4711' }))['orderId']).toBe('4711')
  })

  it('"created, lastUpdate: ISO 8601 UTC, microsecond precision, trailing Z"', async () => {
    const job = await createJob(token)
    expect(job.created).toMatch(MICROS)
    expect(job.lastUpdate).toMatch(MICROS)
  })

  it('"amountDue: decimal string with two decimals", the whole amount', async () => {
    const byCard = { payment_method: 'creditcard' }
    expect((await createJob(token, { amount: 12.5 })).amountDue).toBe('12.50')
    expect((await createJob(token, { ...byCard, amount: '1250', currency: 'JPY' })).amountDue).toBe('1250.00')
    expect((await createJob(token, { ...byCard, amount: '1.234', currency: 'KWD' })).amountDue).toBe('1.234')
  })

  it('"amountPaid 0": the number', async () => {
    expect((await createJob(token)).amountPaid).toBe(0)
  })

  it('"status PENDING", for no money is there yet', async () => {
    expect((await createJob(token)).status).toBe('PENDING')
  })

  it('"payUrl: URL the customer is redirected to in order to pay"', async () => {
    const job = await createJob(token)
    expect(job.payUrl).toMatch(new RegExp(`^${ORIGIN}/pay/${job.paymentJob}\\.[0-9a-f]{6}$`))
  })

  it('"attributes: an object with keys returnUrl, reportUrl"', async () => {
    expect((await createJob(token))['attributes']).toEqual({
      returnUrl: order.return_url,
      reportUrl: order.report_url,
    })
  })

  it('"payments holding a steps array with the single Start step in status PENDING"', async () => {
    const { payments } = await createJob(token)
    expect(payments).toEqual({
      steps: [
        {
          creationDate: expect.stringMatching(MICROS) as string,
          transactionId: expect.stringMatching(UUID) as string,
          action: 'Start',
          status: 'PENDING',
          amountDue: '12.50',
          amountPaid: '0.00',
        },
      ],
    })
  })

  it('"error null"', async () => {
    expect((await createJob(token)).error).toBeNull()
  })

  it('echoes order number, language, currency and payment method as they were sent', async () => {
    const sent = { order_number: 'Ünï-7/"x"', language: 'nl_NL', currency: 'SEK', payment_method: 'klarna' }
    expect(await createJob(token, sent)).toMatchObject({
      orderNumber: sent.order_number,
      language: 'nl_NL',
      currency: 'SEK',
      paymentMethod: 'klarna',
    })
  })

  it('carries X-Signature: hex HMAC-SHA512 of the raw body, keyed by the signing secret', async () => {
    const response = await create(token)
    const body = await response.text()
    const expected = await hmacSha512(pos.signingSecret, body)
    expect(response.headers.get('x-signature')).toBe(expected)
  })

  it('is there for a reader at once', async () => {
    const job = await createJob(token)
    expect((await readJob(token, job.paymentJob)).created).toBe(job.created)
  })

  it('brings the job into the index', async () => {
    const { paymentJob } = await createJob(token, { order_number: 'INDEXED' })
    await expect
      .poll(() => env.DB.prepare('select status, amount from jobs where id = ?').bind(paymentJob).first(), {
        timeout: 15_000,
      })
      .toEqual({ status: 'PENDING', amount: 1250 })
  })
})

describe('"error: a string that is set when announcing the transaction failed"', () => {
  it.each([
    ['FAILURE', 'the PSP refused it', 422, /^refused_\w+: /],
    ['PENDING', 'the PSP did not answer', 502, /./],
  ] as const)('of a job that is %s, for %s', async (status, _, answer, error) => {
    const world = outside()
    world.fault = () =>
      Response.json({ status: answer, detail: 'Too high', field: 'amount' }, { status: answer })
    const live = await tokenFor(await makeLivePos())
    const job = await createJob(live)
    expect(job).toMatchObject({ status, error: expect.stringMatching(error) as string })
    expect((await readJob(live, job.paymentJob)).error).toBe(job.error)
  })
})

describe('what real clients send', () => {
  it.each([
    ['the amount as a number', { amount: 12.5 }],
    ['the amount as a text', { amount: '12.50' }],
    ['the timestamp as a text', { timestamp: '1790000000' }],
    ['the order id as a text', { order_id: '7' }],
    ['a language with a region', { language: 'nl-NL' }],
    ['a language with an underscore', { language: 'nl_NL' }],
    ['an IPv6 address', { ip_address: '2001:db8::1' }],
    ['fields that nobody documented', { customer: { name: 'A' }, refused: 'not-found', __proto__: { a: 1 } }],
  ])('passes: %s', async (_, changes) => {
    expect((await create(token, { ...order, ...changes })).status).toBe(201)
  })

  it('passes: a charset behind the content type, a slash behind the path', async () => {
    const headers = { 'content-type': 'application/json; charset=UTF-8' }
    expect((await create(token, order, headers)).status).toBe(201)
  })
})

describe('a repeated create', () => {
  const key = () => ({ 'idempotency-key': crypto.randomUUID() })

  it('with the same Idempotency-Key is the same job', async () => {
    const headers = key()
    const first = await (await create(token, order, headers)).json<JobJson>()
    const again = await create(token, order, headers)
    expect(again.status).toBe(201)
    expect(await again.json()).toEqual(first)
  })

  it('ten at once with one key make one job', async () => {
    const headers = key()
    const all = await Promise.all(Array.from({ length: 10 }, () => create(token, order, headers)))
    const bodies = new Set(await Promise.all(all.map((response) => response.text())))
    expect(all.map(({ status }) => status)).toEqual(Array<number>(10).fill(201))
    expect(bodies.size).toBe(1)
  })

  it('may have a new timestamp, from a client that builds its request again', async () => {
    const headers = key()
    const first = await (await create(token, order, headers)).json<JobJson>()
    const again = await (
      await create(token, { ...order, timestamp: order.timestamp + 60 }, headers)
    ).json<JobJson>()
    expect(again.paymentJob).toBe(first.paymentJob)
  })

  it('with another body under the same key is refused, and changes nothing', async () => {
    const headers = key()
    const first = await (await create(token, order, headers)).json<JobJson>()
    const other = await create(token, { ...order, amount: '99.00' }, headers)
    expect(other.status).toBe(422)
    expect(await other.json()).toMatchObject({ field: 'Idempotency-Key' })
    expect((await readJob(token, first.paymentJob)).amountDue).toBe('12.50')
  })

  it('under the key of another point of sale makes a separate job', async () => {
    const headers = key()
    const other = await tokenFor(await makePos())
    const first = await (await create(token, order, headers)).json<JobJson>()
    const second = await (await create(other, order, headers)).json<JobJson>()
    expect(second.paymentJob).not.toBe(first.paymentJob)
  })

  it.each([
    ['an empty key', ''],
    ['a key of 256 characters', 'k'.repeat(256)],
    ['a key with spaces', 'a b'],
  ])('with %s is refused', async (_, idempotencyKey) => {
    const response = await create(token, order, { 'idempotency-key': idempotencyKey })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ field: 'Idempotency-Key' })
  })
})

function createBy(payment_method: string) {
  return create(token, { ...order, payment_method })
}

it.each(['bitcoin', 'idael', 'sandbox', '__proto__', 'constructor'])(
  'a point of sale in test mode is refused %s as it would be in live mode, and told the methods there are',
  async (method) => {
    const response = await createBy(method)
    expect(response.status).toBe(422)
    const error = `is not a payment method: ${TEST_METHODS.join(', ')}`
    expect(await response.json()).toMatchObject({ field: 'payment_method', error })
  },
)

it.each(['ideal', 'IDEAL', 'wero', 'przelewy24', 'giftcard', 'afterpay', 'mybank', 'Visa', 'giropay', 'in3'])(
  'a point of sale in test mode may use %s, and gets it back as it was sent',
  async (method) => {
    const response = await createBy(method)
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ paymentMethod: method })
  },
)
