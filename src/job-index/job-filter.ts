import type { Status } from '../contract/values.ts'
import { type SQL, sql } from 'drizzle-orm'
import { CURRENCIES, decimalsOf } from '../contract/currency.ts'

/** What jobs have that no index has. Amounts are in ten-thousandths, which every currency has. */
export type JobFilter = {
  statuses?: readonly Status[] | undefined
  method?: string | undefined
  account?: string | undefined
  currency?: string | undefined
  amountFrom?: number | undefined
  amountTo?: number | undefined
}

/** The conditions of a filter. They name columns alone, so they fit a part of the table too. */
export function conditionsOf(filter: JobFilter): SQL[] {
  const { statuses = [], method, account, currency, amountFrom, amountTo } = filter
  return [
    ...(statuses.length > 0
      ? [sql`status in (select value from json_each(${JSON.stringify(statuses)}))`]
      : []),
    ...(method === undefined ? [] : [sql`payment_method = ${method}`]),
    ...(account === undefined ? [] : [sql`account = ${account}`]),
    ...(currency === undefined ? [] : [sql`currency = ${currency}`]),
    ...(amountFrom === undefined ? [] : [sql`${AMOUNT} >= ${amountFrom}`]),
    ...(amountTo === undefined ? [] : [sql`${AMOUNT} <= ${amountTo}`]),
  ]
}

/** Nearly all currencies have two decimals; those that have not are few enough to stand in the query. */
const ODD = Map.groupBy(CURRENCIES, decimalsOf)
  .entries()
  .filter(([decimals]) => decimals !== 2)
  .map(([decimals, codes]) => `when currency in ('${codes.join(`', '`)}') then ${10 ** (4 - decimals)}`)

/** The amount of a job in ten-thousandths, whatever its currency. */
const AMOUNT = sql.raw(`amount * (case ${[...ODD].join(' ')} else 100 end)`)
