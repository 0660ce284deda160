import type { PointOfSale } from '../contract/points-of-sale.ts'
import { Choice, Field } from './fields.tsx'
import { plainText, localOf } from './formats.ts'
import type { Visit } from './visit.ts'

/** Names of the filters, the same in the form, the page's address and the API. */
export const NAMES = ['q', 'status', 'pos', 'method', 'account', 'amount', 'from', 'to'] as const
export type Filters = Record<(typeof NAMES)[number], string>

const STATUSES = [
  ['', 'Any'],
  ['PENDING', 'Pending'],
  ['SUCCESS', 'Success'],
  ['FAILURE', 'Failure'],
  ['CANCELLED', 'Cancelled'],
  ['EXPIRED', 'Expired'],
] as const

const DAY = 86_400_000

/** Shows the filters. Their times are in the operator's zone. */
export function FilterForm({
  given,
  shops,
  visit,
}: {
  given: Filters
  shops: readonly PointOfSale[]
  visit: Visit
}) {
  const used = NAMES.filter((name) => name !== 'q' && given[name] !== '').length
  const today = localOf(visit.now, visit.zone).slice(0, 10)
  // Counts by calendar days, because a day on which clocks change has 23 or 25 hours.
  const yesterday = localOf(Date.parse(today) - DAY, 'UTC').slice(0, 10)
  return (
    <details class="filters" open={used > 0}>
      <summary>{used === 0 ? 'Filter' : `Filter · ${used} set`}</summary>
      <form action="/console/payments">
        {given.q !== '' && <input type="hidden" name="q" value={given.q} />}
        <Field label="Status">
          <Choice name="status" value={given.status} options={STATUSES} />
        </Field>
        <Field label="Shop">
          <Choice
            name="pos"
            value={given.pos}
            options={[['', 'Any'], ...shops.map(({ id, name }) => [id, plainText(name)] as const)]}
          />
        </Field>
        <Field label="Method">
          <input name="method" value={given.method} autocomplete="off" spellcheck={false} />
        </Field>
        <Field label="Account">
          <input name="account" value={given.account} autocomplete="off" spellcheck={false} />
        </Field>
        <Field label="Amount">
          <input
            name="amount"
            value={given.amount}
            inputMode="decimal"
            autocomplete="off"
            placeholder="12.50"
          />
        </Field>
        <Field label="From">
          <input type="datetime-local" name="from" value={given.from} />
        </Field>
        <Field label="To">
          <input type="datetime-local" name="to" value={given.to} />
        </Field>
        <p class="buttons">
          <button type="submit" class="first">
            Show
          </button>
          <a class="button" href={`/console/payments?from=${today}T00:00`}>
            Today
          </a>
          <a class="button" href={`/console/payments?from=${yesterday}T00:00&to=${today}T00:00`}>
            Yesterday
          </a>
          {used > 0 && (
            <a
              href={
                given.q === '' ? '/console/payments' : `/console/payments?q=${encodeURIComponent(given.q)}`
              }
            >
              Clear
            </a>
          )}
        </p>
      </form>
    </details>
  )
}
