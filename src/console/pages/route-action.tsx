import type { Account } from '../../contract/accounts.ts'
import type { PaymentRoute } from '../../contract/points-of-sale.ts'
import { type Action, Sure, idOf } from '../plumbing/action.tsx'
import type { Values } from '../plumbing/values.ts'
import { refused } from '../plumbing/api.ts'
import { TextField } from '../parts/form.tsx'
import { useVisit } from '../plumbing/visit.ts'
import { Facts } from '../parts/parts.tsx'

type RouteFormProps = { pos: string; route: PaymentRoute; accounts: readonly Account[] }

/**
 * Lets an operator number the accounts in the order in which the hub tries them; accounts without a
 * number are not tried. The script adds dragging. The form is sent by POST to a page that asks for
 * confirmation, so that no foreign link can fill that page in.
 */
export function RouteForm({ pos, route, accounts }: RouteFormProps) {
  const isNew = route.paymentMethod === ''
  const rest = accounts.map(({ id }) => id).filter((id) => !route.accounts.includes(id))
  const name = isNew ? 'New route' : route.paymentMethod === '*' ? 'Any other method' : route.paymentMethod
  return (
    <form
      class="route"
      method="post"
      action={useVisit().changeAddress('changePaymentRoute', pos)}
      aria-label={`Route: ${name}`}
    >
      {isNew ? (
        <TextField label="New route for" name="paymentMethod" required placeholder="ideal, or *" />
      ) : (
        <p class="what">
          <b>{name}</b>
          <input type="hidden" name="paymentMethod" value={route.paymentMethod} />
        </p>
      )}
      {accounts.length === 0 ? (
        <p class="soft">
          There is no account yet. <a href="/console/accounts/new">Add one</a>
        </p>
      ) : (
        <ol data-order>
          {[...route.accounts, ...rest].map((id) => (
            <li key={id}>
              <label>
                <input
                  type="number"
                  name={`order.${id}`}
                  min="1"
                  max="9"
                  aria-label={`Place of ${id}`}
                  value={route.accounts.includes(id) ? route.accounts.indexOf(id) + 1 : ''}
                />
                <span>{id}</span>
              </label>
            </li>
          ))}
        </ol>
      )}
      {accounts.length > 0 && (
        <p class="buttons">
          <button type="submit" class="small">
            {isNew ? 'Add route' : 'Change route'}
          </button>
        </p>
      )}
    </form>
  )
}

const PREFIX = 'order.'

/** Returns the numbered accounts in order. Equal numbers keep the order of the form. */
export function accountsOf(values: Values): string[] {
  return values
    .entries()
    .flatMap(([name, value]) =>
      name.startsWith(PREFIX) ? [{ id: name.slice(PREFIX.length), place: Number(value) }] : [],
    )
    .filter(({ place }) => place > 0)
    .toSorted((one, other) => one.place - other.place)
    .map(({ id }) => id)
}

/** Sets the accounts for a payment method, in order. An empty list removes the route. */
export const askRoute: Action['ask'] = async (visit, values) => {
  const found = await visit.api('listPaymentRoutes', { params: { id: idOf(visit) } })
  if (!found.ok) return found
  const method = values.get('paymentMethod').toLowerCase()
  if (method === '') return refused('Choose the route on the page of the point of sale.', 400)
  const before = found.value.routes.find(({ paymentMethod }) => paymentMethod === method)?.accounts ?? []
  const accounts = accountsOf(values)
  return {
    title: accounts.length === 0 ? 'Take the route away' : 'Change the route',
    body: (
      <>
        <p>
          Payments by <b>{method === '*' ? 'any other method' : method}</b> go to these accounts from now on:
        </p>
        <Facts
          rows={[
            ['Before', before.join(', then ') || 'none'],
            ['From now on', <b>{accounts.join(', then ') || 'none'}</b>],
          ]}
        />
        <Sure />
        <input type="hidden" name="paymentMethod" value={method} />
        {accounts.map((id, place) => (
          <input key={id} type="hidden" name={PREFIX + id} value={place + 1} />
        ))}
      </>
    ),
  }
}
