import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { netOf } from '../contract/job-money.ts'
import { FIGURES, figuresWith } from '../contract/money-figures.ts'
import { DAY } from '../contract/timestamp.ts'
import { callReadableJob } from '../job/call-job.ts'
import type { JobRow } from '../job/core/row.ts'
import { inShards } from './index-shards.ts'

/** The longest time (µs) between jobs of one order. Later, some shops use the same order numbers again. */
const APART = 30 * DAY * 1000
/** The most jobs of an order number that the hub looks at. */
const MOST_LOOKED_AT = 20

/** The most jobs that one batch of rows informs. Only a shop that uses one number for all orders has more. */
const MOST_INFORMED = 200

type Pair = { job: string; paid: number; other: string; otherPaid: number }

/**
 * Informs paid jobs with the same order number, point of sale and currency about each other, because
 * their customer may have paid twice. A job that knows already stays unchanged.
 */
export async function informPaidAgain(env: Env, rows: readonly JobRow[]): Promise<void> {
  const paid = rows.filter((row) => row.paid > 0)
  if (paid.length === 0) return
  const times = paid.map(({ created }) => created)
  const span = { from: Math.min(...times) - APART, to: Math.max(...times) + APART }
  const pairs = await inShards(env, (database) => pairsIn(database, paid), span)
  const informed = pairs.flatMap((pair) => [
    { id: pair.job, job: pair.other, paid: pair.otherPaid },
    { id: pair.other, job: pair.job, paid: pair.paid },
  ])
  await Promise.all(
    informed.slice(0, MOST_INFORMED).map(({ id, ...other }) =>
      callReadableJob(env, id, async (stub) => {
        await stub.tell({ do: 'record-also-paid', ...other })
      }),
    ),
  )
}

function pairsIn(database: D1Database, rows: readonly JobRow[]): Promise<Pair[]> {
  const net = ['paid', ...figuresWith('isBack').map((name) => FIGURES[name].column)].map(
    (one) => `other.${one}`,
  )
  return drizzle(database).all<Pair>(sql`
    select given.value ->> 'id' as job,
      given.value ->> 'net' as paid, other.id as other, ${sql.raw(net.join(' - '))} as otherPaid
    from json_each(${JSON.stringify(rows.map((row) => ({ ...row, net: netOf(row) })))}) as given
    cross join jobs as other on (other.pos, other.created, other.id) in (
      select pos, created, id from jobs
      where order_number = given.value ->> 'orderNumber' and pos = given.value ->> 'pos'
        and created between given.value ->> 'created' - ${APART} and given.value ->> 'created' + ${APART}
      order by created desc limit ${MOST_LOOKED_AT})
    where other.paid > 0 and other.id <> given.value ->> 'id' and other.currency = given.value ->> 'currency'`)
}
