import { env } from 'cloudflare:workers'
import * as v from 'valibot'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { PaymentJobList } from '../../src/contract/payment-job.ts'
import { readPosition, writePosition } from '../../src/contract/queries.ts'
import { writeRows } from '../../src/job-index/job-index.ts'
import { hmacSha512 } from '../support/shops/hmac.ts'
import { askWith, createJob, makePos, type Pos, tokenFor } from '../support/hub/hub.ts'
import { row } from '../support/hub/shards.ts'

/** A minute (µs) in which no other file has jobs. */
const MINUTE = Date.UTC(2024, 4, 6, 12) * 1000

let [pos, token] = [null as unknown as Pos, '']
const ids = Array.from({ length: 60 }, () => crypto.randomUUID())
beforeAll(async () => {
  pos = await makePos()
  token = await tokenFor(pos)
  const rows = ids.map((id, n) =>
    row({
      id,
      created: MINUTE + n * 1_000_000,
      pos: pos.id,
      orderNumber: `N-${n}`,
      status: n % 10 === 0 ? 'SUCCESS' : 'PENDING',
      paid: n % 10 === 0 ? 1250 : 0,
    }),
  )
  await writeRows(env, rows)
  await writeRows(env, [row({ created: MINUTE + 5_000_000, pos: (await makePos()).id, orderNumber: 'N-5' })])
})

function ask(query: Record<string, string> | string, bearer = token) {
  return askWith(bearer, 'GET', `/v2/paymentjobs?${new URLSearchParams(query)}`)
}
async function list(query: Record<string, string> | string, bearer = token) {
  return v.parse(v.strictObject(PaymentJobList.entries), await (await ask(query, bearer)).json())
}
function idsIn({ paymentJobs }: PaymentJobList) {
  return paymentJobs.map(({ paymentJob }) => paymentJob)
}

describe('a search that could find more than the client meant is refused', () => {
  it.each([
    ['orderNummer=N-5', 'orderNummer', 'is not a parameter here: did you mean order_number?'],
    ['ordernumber=N-5', 'ordernumber', 'is not a parameter here: did you mean order_number?'],
    [
      'colour=red',
      'colour',
      'is not a parameter here: there are order_number, order_id, from, to, status, limit, after',
    ],
    ['__proto__=1', '__proto__', 'is not a parameter here: there are'],
    ['limit=1&limit=2', 'limit', 'must come once'],
    ['order_number=N-5&orderNumber=N-6', 'orderNumber', 'must come once'],
  ])('%s', async (query, field, error) => {
    const response = await ask(query)
    expect(response.status).toBe(422)
    const problem = await response.json<{ field: string; error: string }>()
    expect(problem.field).toBe(field)
    expect(problem.error).toContain(error)
  })

  it.each(['/v2/paymentmethods', '/v2/reports', '/v2/paymentjobs/ID/refunds', '/v2/paymentjobs/ID/reports'])(
    'the list at %s also does that',
    async (path) => {
      const response = await askWith(token, 'GET', `${path.replace('ID', ids[0] ?? '')}?failing=1&colour=red`)
      expect(response.status).toBe(422)
      const { errors } = await response.json<{ errors: { field: string }[] }>()
      expect(errors.map(({ field }) => field)).toContain('colour')
    },
  )

  it('but the names that answers use are accepted', async () => {
    expect(idsIn(await list({ orderNumber: 'N-5' }))).toEqual([ids[5]])
  })
})

it('a read of one job, and the token, ignore unknown parameters', async () => {
  const made = await makePos()
  const bearer = await tokenFor(made)
  const { paymentJob } = await createJob(bearer)
  expect((await askWith(bearer, 'GET', `/v2/paymentjobs/${paymentJob}?status=SUCCESS`)).status).toBe(200)
  expect((await askWith(made.apiKey, 'GET', '/v1/guardian?signature=ab')).status).toBe(200)
})

it('a refund with its amount in the wrong place is refused: it would give back everything', async () => {
  const refused = await askWith(token, 'POST', `/v2/paymentjobs/${ids[0]}/refunds?amount=5.00`)
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({ field: 'amount', code: 'fields-invalid' })
})

it('a job is found by its order number, and shown as in a read', async () => {
  const made = await makePos()
  const bearer = await tokenFor(made)
  const job = await createJob(bearer, { order_number: 'C 1/ü', amount: '7.5' })
  await expect
    .poll(() => list({ order_number: 'C 1/ü' }, bearer), { timeout: 15_000 })
    .toEqual({
      paymentJobs: [
        {
          paymentJob: job.paymentJob,
          orderId: '7',
          orderNumber: 'C 1/ü',
          created: job.created,
          lastUpdate: job.lastUpdate,
          currency: 'EUR',
          amount: '7.50',
          amountDue: '7.50',
          amountPaid: '0.00',
          paymentMethod: 'ideal',
          status: 'PENDING',
        },
      ],
      next: null,
      lagSeconds: 5,
    })
  expect(idsIn(await list({ order_number: 'C 1/ü' }))).toEqual([])
})

it('the parts of an order are found by its id, and one of them by its number, too', async () => {
  const bearer = await tokenFor(await makePos())
  const parts: string[] = []
  for (const order_number of ['S-1', 'S-2'])
    parts.push((await createJob(bearer, { order_id: '31', order_number })).paymentJob)
  await createJob(bearer, { order_id: '32', order_number: 'S-3' })
  await expect
    .poll(async () => idsIn(await list({ order_id: '31' }, bearer)).toSorted(), { timeout: 15_000 })
    .toEqual(parts.toSorted())
  expect(idsIn(await list({ order_id: '31', order_number: 'S-2' }, bearer))).toEqual([parts[1]])
  expect(idsIn(await list({ order_id: '32', order_number: 'S-2' }, bearer))).toEqual([])
})

it("only the point of sale's own jobs are found, by order number and by time", async () => {
  expect(idsIn(await list({ order_number: 'N-5' }))).toEqual([ids[5]])
  const time = { from: '2024-05-06T12:00:05Z', to: '2024-05-06T12:00:06Z' }
  expect(idsIn(await list(time))).toEqual([ids[5]])
  expect(idsIn(await list(time, await tokenFor(await makePos())))).toEqual([])
})

it('jobs are found by their status', async () => {
  const found = await list({ from: '2024-05-06', to: '2024-05-06', status: 'SUCCESS' })
  expect(idsIn(found)).toEqual([50, 40, 30, 20, 10, 0].map((n) => ids[n]))
  expect(found.paymentJobs[0]).toMatchObject({ amount: '12.50', amountPaid: '12.50', amountDue: '0.00' })
})

describe('a time', () => {
  const sixth = [5, 6, 7].map((n) => ids[n]).toReversed()
  it.each([
    ['is in UTC', { from: '2024-05-06T12:00:05Z', to: '2024-05-06T12:00:08Z' }],
    ['may have an offset', { from: '2024-05-06T14:00:05+02:00', to: '2024-05-06T07:00:08-05:00' }],
    ['may have a fraction', { from: '2024-05-06T12:00:04.000001Z', to: '2024-05-06T12:00:07.000001Z' }],
    ['may be in small letters', { from: '2024-05-06t12:00:05z', to: '2024-05-06t12:00:08z' }],
  ])('%s', async (_, query) => {
    expect(idsIn(await list(query))).toEqual(sixth)
  })

  it('with an unencoded plus is read as it was meant', async () => {
    const found = await list('from=2024-05-06T14:00:05+02:00&to=2024-05-06T14:00:08+02:00')
    expect(idsIn(found)).toEqual(sixth)
  })

  it('that is a date means the whole day, also as an end', async () => {
    expect((await list({ from: '2024-05-06', to: '2024-05-06', limit: '200' })).paymentJobs).toHaveLength(60)
    expect(await list({ from: '2024-05-07' }).then(idsIn)).toEqual([])
    expect(await list({ to: '2024-05-05' }).then(idsIn)).toEqual([])
  })
})

it('pages follow each other, and a new job moves none of them', async () => {
  const time = { from: '2024-05-06', to: '2024-05-06' }
  const first = await list(time)
  expect(first.paymentJobs).toHaveLength(50)
  expect(first.next).toMatch(/^[\w-]+$/)
  const newer = row({ created: MINUTE + 61_000_000, pos: pos.id })
  await writeRows(env, [newer])
  const second = await list({ ...time, after: String(first.next), limit: '10' })
  expect(second.next).toBeNull()
  expect([...idsIn(first), ...idsIn(second)]).toEqual(ids.toReversed())
})

it('the answer is signed', async () => {
  const response = await ask({ limit: '1' })
  const signature = await hmacSha512(pos.signingSecret, await response.text())
  expect(response.headers.get('x-signature')).toBe(signature)
})

it('a point of sale that searches too often has to wait', async () => {
  const counted = vi.spyOn(env.SEARCH_PER_POS, 'limit').mockResolvedValueOnce({ success: false })
  const refused = await ask({ limit: '1' })
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(await refused.json()).toMatchObject({ status: 429, code: 'rate-limited' })
  expect(counted).toHaveBeenCalledWith({ key: pos.id })
  counted.mockRestore()
  expect((await ask({ limit: '1' })).status).toBe(200)
})

describe('an unreadable parameter is named', () => {
  const place = writePosition({ created: 1, id: '5b0c2f34-9d0e-4c5a-8b1f-2f0f6a7d1c3e' })
  it.each([
    ['order_id', 'A-1', 'must be 1 to 32 digits'],
    ['order_number', '', 'must not be empty'],
    ['order_number', 'x'.repeat(256), 'must have at most 255 characters'],
    ['from', 'yesterday', 'must be a time such as'],
    ['from', '1790000000', 'must be a time such as'],
    ['from', '2024-02-30', 'must be a time such as'],
    ['from', '2024-05-06T12:00:05', 'must be a time such as'],
    ['to', '2024-05-06T24:00:00Z', 'must be a time such as'],
    ['to', '2024-13-01', 'must be a time such as'],
    ['to', '', 'must be a time such as'],
    ['status', 'paid', 'must be one of PENDING, SUCCESS, FAILURE, CANCELLED, EXPIRED'],
    ['limit', '0', 'must be a number from 1 to 200'],
    ['limit', '201', 'must be a number from 1 to 200'],
    ['limit', '1e2', 'must be a number from 1 to 200'],
    ['after', '', 'must be the `next` of an answer of this list'],
    ['after', 'x', 'must be the `next` of an answer of this list'],
    ['after', `${place}=`, 'must be the `next` of an answer of this list'],
    ['after', btoa('1.frob'), 'must be the `next` of an answer of this list'],
  ])('%s=%j', async (field, value, error) => {
    const response = await ask({ [field]: value })
    expect(response.status).toBe(422)
    const problem = await response.json<{ field: string; error: string }>()
    expect(problem.field).toBe(field)
    expect(problem.error).toContain(error)
  })

  it('a start after the end', async () => {
    const response = await ask({ from: '2024-05-07', to: '2024-05-05' })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ field: 'from', error: 'must not be later than `to`' })
  })
})

it('a position is read as it was written, by every later release', () => {
  const place = { created: 1_714_996_800_000_123, id: '5b0c2f34-9d0e-4c5a-8b1f-2f0f6a7d1c3e' }
  expect(writePosition(place)).toBe('MTcxNDk5NjgwMDAwMDEyMy41YjBjMmYzNC05ZDBlLTRjNWEtOGIxZi0yZjBmNmE3ZDFjM2U')
  expect(readPosition(writePosition(place))).toEqual(place)
})

it.each([
  'NaN.5b0c2f34-9d0e-4c5a-8b1f-2f0f6a7d1c3e',
  '1.5.5b0c2f34-9d0e-4c5a-8b1f-2f0f6a7d1c3e',
  '1e300.5b0c2f34-9d0e-4c5a-8b1f-2f0f6a7d1c3e',
  '1.5b0c2f34',
  '1',
])('a position that the hub did not write is refused (%s)', (text) => {
  expect(readPosition(btoa(text).replaceAll('=', ''))).toBeNull()
})
