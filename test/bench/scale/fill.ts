import type { Hub } from '../servers/hub.ts'

/** Points of sale that the rows are of, at every size: a shop sees its own jobs only. */
export const SHOPS = 20
const ROWS_AT_ONCE = 10_000
/** One report in so many was given up. */
const GIVEN_UP = 100

export function shopId(place: number): string {
  return `5c0b${String(place).padStart(28, '0')}`
}
export function orderNumber(place: number | ''): string {
  return `SCALE-${place}`
}

/** When row `place` was created (ms): one a second, the first a day and a half ago. */
const START = Date.now() - 130_000_000
export function createdAt(place: number): number {
  return START + place * 1000
}

/**
 * Fills the index with `rows` rows, by SQL in D1: a hundred thousand real creates would take minutes and
 * gigabytes, and what is asked here is what the rows do to the hub, not how they came. They look as the queue consumer
 * writes them, in the table that it writes.
 */
export async function fillIndex({ runtime }: Hub, rows: number): Promise<void> {
  const database = await runtime.miniflare.getD1Database('DB')
  // D1 binds numbers as doubles: without the cast the texts made of them would have decimals.
  const statement = `
    with recursive n(i) as (select cast(? as integer) union all select i + 1 from n where i + 1 < ?)
    insert into jobs (created, id, pos, account, payment_method, order_id, order_number, currency, amount, paid, status,
                      updated, undelivered_at, sequence, announcement)
    select (? + i * 1000) * 1000,
           printf('%08x-0000-4000-8000-%012x', i, i),
           printf('5c0b%028d', i % ${SHOPS}),
           'sandbox', 'ideal', cast(i as text), 'SCALE-' || i, 'EUR', 1250, 1250, 'SUCCESS',
           (? + i * 1000) * 1000 + 1,
           case when i % ${GIVEN_UP} = 0 then ? + i * 1000 end,
           2, 'announced'
    from n`
  for (let first = 0; first < rows; first += ROWS_AT_ONCE) {
    const last = Math.min(first + ROWS_AT_ONCE, rows)
    await database.prepare(statement).bind(first, last, START, START, START).run()
  }
}
