import { table } from '../../src/programs/table.ts'
import type { Run } from './bench.ts'
import { median, percentile } from './compare.ts'
import { type Requests, load } from './load.ts'
import { newFolder } from './runtime.ts'
import { type Hub, createJobs, creates, openShop, reads, startHub } from './servers.ts'
import { build } from '../../src/local/serve.ts'

/** The numbers of index rows to compare. */
const SIZES = [1000, 100_000] as const
/** A time counts as flat if it grows by no more than this factor: the machine may be busy. */
const FLAT = 1.5
const ROUNDS = { full: 7, quick: 3 }
const PACE = { connections: 8, amount: 200 }

/** The points of sale of the rows: a shop sees only its own jobs. */
const SHOPS = 20
const ROWS_AT_ONCE = 10_000
/** When the first row was created (ms): a day and a half ago. The others follow, one a second. */
const START = Date.now() - 130_000_000

/**
 * Measures how long requests take with few and with many jobs in the index. Resolves with whether all times
 * are flat.
 */
export async function runGrowth({ quick, tell, show, line }: Run): Promise<boolean> {
  const bundle = newFolder()
  await build(bundle)
  const order = await openShop()
  const hubs = await Promise.all(SIZES.map(() => startHub(bundle)))
  const sized = await Promise.all(
    hubs.map(async (hub, place) => {
      const rows = SIZES[place] ?? NaN
      await fillIndex(hub, rows)
      tell(`an index has ${rows} rows`)
      return { hub, asked: await requestsOf(hub, rows, order), rounds: new Map<string, number[]>() }
    }),
  )
  const rounds = quick ? ROUNDS.quick : ROUNDS.full
  for (let round = 0; round <= rounds; round++) {
    for (const what of sized[0]?.asked.keys() ?? []) {
      for (const { hub, asked, rounds: known } of round % 2 === 0 ? sized : sized.toReversed()) {
        const wanted = asked.get(what)
        if (!wanted) continue
        const { latencies } = await load(hub, wanted, PACE)
        const p50 = percentile(
          latencies.toSorted((a, b) => a - b),
          0.5,
        )
        // The first round warms up.
        if (round > 0) known.set(what, [...(known.get(what) ?? []), p50])
      }
    }
  }
  await Promise.all(hubs.map((hub) => hub.stop()))
  const [few, many] = sized.map((one) => one.rounds)
  let isFlat = true
  const rows = Array.from(few ?? [], ([what, times]) => {
    const [least, most] = [median(times), median(many?.get(what) ?? [])]
    const ratio = most / least
    isFlat &&= ratio <= FLAT
    line({ what, rows: SIZES, p50: [least, most], ratio })
    return [what, least.toFixed(2), most.toFixed(2), `${ratio.toFixed(2)} ${ratio <= FLAT ? '✓' : '✗'}`]
  })
  show(table(['what', ...SIZES.map((size) => `p50 ms, ${size} rows`), `ratio ≤ ${FLAT}`], rows))
  return isFlat
}

/**
 * The requests to a hub with `rows` rows. Each search finds equally many rows at each size, so that only the
 * search itself may take longer.
 */
async function requestsOf(hub: Hub, rows: number, order: string): Promise<Map<string, Requests>> {
  const headers = { authorization: `Bearer ${hub.operatorToken}` }
  const time = (place: number) => new Date(START + place * 1000).toISOString()
  const lastThousand = `from=${time(rows - 1000)}&to=${time(rows)}`
  const search = (path: (row: number) => string): Requests => ({
    requests: Array.from({ length: 50 }, (_, turn) => ({
      method: 'GET',
      path: `/operator/v1${path(Math.floor((turn / 50) * rows))}`,
      headers,
    })),
    status: 200,
    saying: 'SCALE-',
  })
  return new Map([
    ['create', creates(hub, order)],
    ['read', reads(hub, await createJobs(hub, order, 100))],
    ['reports given up', search(() => `/reports/undelivered?${lastThousand}`)],
    ['search by order number', search((row) => `/jobs?order_number=SCALE-${row}`)],
    ['search by point of sale', search((row) => `/jobs?pos=${shopOf(row)}&limit=20`)],
    ['search by time', search(() => `/jobs?${lastThousand}&limit=20`)],
  ])
}

function shopOf(row: number): string {
  return `5c0b${String(row % SHOPS).padStart(28, '0')}`
}

/**
 * Fills the index with `rows` rows like the queue consumer's, by SQL in D1: a hundred thousand real creates
 * would take minutes and gigabytes.
 */
async function fillIndex({ miniflare }: Hub, rows: number): Promise<void> {
  const database = await miniflare.getD1Database('DB')
  // D1 binds numbers as doubles: without the cast, texts made of them would have decimals.
  const statement = `
    with recursive n(i) as (select cast(? as integer) union all select i + 1 from n where i + 1 < ?)
    insert into jobs (created, id, pos, account, payment_method, order_id, order_number, currency, amount, paid, status,
                      updated, given_up_at, sequence, announcement)
    select (? + i * 1000) * 1000,
           printf('%08x-0000-4000-8000-%012x', i, i),
           printf('5c0b%028d', i % ${SHOPS}),
           'sandbox', 'ideal', cast(i as text), 'SCALE-' || i, 'EUR', 1250, 1250, 'SUCCESS',
           (? + i * 1000) * 1000 + 1,
           case when i % 100 = 0 then ? + i * 1000 end,
           2, 'announced'
    from n`
  for (let first = 0; first < rows; first += ROWS_AT_ONCE) {
    const last = Math.min(first + ROWS_AT_ONCE, rows)
    await database.prepare(statement).bind(first, last, START, START, START).run()
  }
}
