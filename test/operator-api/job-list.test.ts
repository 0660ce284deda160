import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { writeRows } from '../../src/job-index/job-index.ts'
import { createJob, makePos, tokenFor } from '../support/hub.ts'
import { answerTo } from '../support/operator.ts'
import { posAt, row } from '../support/shards.ts'

type Page = { jobs: { id: string; created: string }[]; next: string | null }
async function list(query: Record<string, string>): Promise<Page> {
  return answerTo('GET', `/jobs?${new URLSearchParams(query)}`)
}

/** A minute (µs) that no other file has jobs in. */
const MINUTE = Date.UTC(2023, 4, 6, 12) * 1000

const ids = Array.from({ length: 60 }, () => crypto.randomUUID())
beforeAll(() =>
  writeRows(
    env,
    ids.map((id, n) => row({ id, created: MINUTE + n * 1_000_000, pos: posAt(n % 2 === 0 ? 0 : 1) })),
  ),
)

it('a job is found by its order number, as the API shows it', async () => {
  const pos = await makePos()
  const { paymentJob, created, lastUpdate } = await createJob(await tokenFor(pos), {
    order_number: 'B 1/ü',
    amount: '7.5',
  })
  await expect
    .poll(async () => (await list({ order_number: 'B 1/ü' })).jobs, { timeout: 15_000 })
    .toEqual([
      {
        id: paymentJob,
        created,
        pos: pos.id,
        posName: 'Shop 1',
        account: 'sandbox',
        reference: expect.any(String) as string,
        paymentMethod: 'ideal',
        orderId: '7',
        orderNumber: 'B 1/ü',
        currency: 'EUR',
        amount: '7.50',
        mode: 'test',
        paid: '0.00',
        paidAt: null,
        refunded: '0.00',
        chargedBack: '0.00',
        net: '0.00',
        status: 'PENDING',
        updated: lastUpdate,
        owedSince: null,
        givenUp: null,
      },
    ])
  expect((await list({ pos: pos.id })).jobs.map(({ id }) => id)).toEqual([paymentJob])
  expect((await list({ order_number: 'B 1/ü', pos: posAt(0) })).jobs).toEqual([])
})

it('those of live or of test points of sale, and those whose report fails, are asked for apart', async () => {
  const [live, test] = [
    await answerTo<{ id: string }>('POST', '/pos', { name: 'Listed live', mode: 'live' }),
    await makePos(),
  ]
  const created = Date.UTC(2023, 4, 7) * 1000
  const rows = [row({ created, pos: live.id, owedSince: 1 }), row({ created, pos: test.id })]
  await writeRows(env, rows)
  const day = { from: '2023-05-07T00:00:00Z', to: '2023-05-07T01:00:00Z' }
  const found = async (query: Record<string, string>) =>
    (await list({ ...day, ...query })).jobs.map(({ id }) => id)
  expect(await found({ mode: 'live' })).toEqual([rows[0]?.id])
  expect(await found({ mode: 'test' })).toEqual([rows[1]?.id])
  expect((await found({})).toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  expect(await found({ failing: '1' })).toEqual([rows[0]?.id])
  expect(await found({ mode: 'test', pos: live.id })).toEqual([])
  expect((await list({ month: '2023-05', mode: 'live', failing: '1' })).jobs.map(({ id }) => id)).toEqual([
    rows[0]?.id,
  ])
})

it('jobs of a time come newest first; the end is not in it', async () => {
  const { jobs, next } = await list({ from: '2023-05-06T12:00:05Z', to: '2023-05-06T12:00:08.000Z' })
  expect(jobs.map(({ id }) => id)).toEqual([ids[7], ids[6], ids[5]])
  expect(next).toBeNull()
})

it('pages follow each other by the place of the last job', async () => {
  const time = { from: '2023-05-06T12:00:00Z', to: '2023-05-06T12:01:00Z' }
  const first = await list(time)
  expect(first.jobs).toHaveLength(50)
  const last = first.jobs.at(-1)
  expect(first.next).toBe(`${last?.created}-${last?.id}`)
  const second = await list({ ...time, after: String(first.next), limit: '10' })
  expect(second.next).toBeNull()
  expect([...first.jobs, ...second.jobs].map(({ id }) => id)).toEqual(ids.toReversed())
})

it.each([
  { order_number: '\u0000', limit: '1' },
  { order_number: "' or 1=1 --" },
  { from: '9999-12-31T23:59:59Z' },
  { to: '0001-01-01T00:00:00Z' },
  { from: '2020-07-01T00:00:00Z', to: '2020-06-01T00:00:00Z' },
])('finds nothing where there is nothing: %j', async (query) => {
  expect(await list(query as Record<string, string>)).toEqual({ jobs: [], next: null })
})
