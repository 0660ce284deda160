import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startBuiltHub } from './built-hub.ts'
import { type Pos, choose, next, openPos } from './clients.ts'
import { openShops } from './shops.ts'

const HEALTHY = 9
const JOBS_EACH = 3
/**
 * More than two batches of the queue, so that a consumer that waits for them would be at it for a
 * long time.
 */
const DEAD_JOBS = 12

let hub: Awaited<ReturnType<typeof startBuiltHub>>
let shops: Awaited<ReturnType<typeof openShops>>
let points: Pos[]
const endings: (() => unknown)[] = []
beforeAll(async () => {
  shops = await openShops()
  endings.unshift(shops.close)
  hub = await startBuiltHub(inject('built'))
  endings.unshift(hub.stop)
  points = []
  for (let count = 0; count <= HEALTHY; count++)
    points.push(await openPos(hub.url, hub.secrets['OPERATOR_TOKEN']))
})
afterAll(async () => {
  for (const end of endings) await end()
})

let number = 0

/** Has a job paid and its customer return. Gives its id, and when (ms) the hub was told. */
async function paidJob(pos: Pos, path: string): Promise<{ id: string; told: number }> {
  const job = await pos.create(shops.url, path, ++number)
  const back = await choose(job.payUrl, 'paid')
  const told = Date.now()
  await next(back)
  return { id: job.paymentJob, told }
}

/**
 * Pays jobs at every healthy shop, and gives how long (ms) each report took, the shortest first.
 */
async function delays(): Promise<number[]> {
  const rounds = Array.from({ length: JOBS_EACH }, () => points.slice(1))
  const paid: { id: string; told: number }[] = []
  for (const round of rounds) {
    paid.push(...(await Promise.all(round.map((pos, place) => paidJob(pos, `/shop-${place}`)))))
  }
  const deadline = Date.now() + 40_000
  while (paid.some(({ id }) => shops.of(id).length === 0)) {
    const arrived = paid.filter(({ id }) => shops.of(id).length > 0).length
    if (Date.now() > deadline) throw new Error(`${arrived} of ${paid.length} reports arrived within 40 s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return paid.map(({ id, told }) => (shops.of(id)[0]?.at ?? Infinity) - told).toSorted((a, b) => a - b)
}

function middle(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Infinity
}

it('a shop that never answers holds up none of nine others', { timeout: 120_000 }, async () => {
  const [first] = points
  if (!first) throw new Error('there is no point of sale')
  const before = await delays()
  await Promise.all(Array.from({ length: DEAD_JOBS }, () => paidJob(first, '/dead')))
  const beside = await delays()
  // A queue that waits for the dead one waits its 15 s, once for each batch that it is in.
  const measured = JSON.stringify({ before, beside })
  expect(beside.at(-1), measured).toBeLessThan(6000)
  expect(middle(beside), measured).toBeLessThan(middle(before) + 3000)
})
