import type { Account } from '../contract/accounts.ts'
import type { PaymentRoute } from '../contract/points-of-sale.ts'

/**
 * A route: numbers say in which order accounts are tried; one without a number is not. The script lets them be dragged besides. The form
 * leads to a page that shows what will be, and asks. It is posted: no link of somebody else's can fill that page in.
 */
export function RouteForm({
  pos,
  route,
  accounts,
}: {
  pos: string
  route: PaymentRoute
  accounts: readonly Account[]
}) {
  const isNew = route.paymentMethod === ''
  const rest = accounts.map(({ id }) => id).filter((id) => !route.accounts.includes(id))
  const name = isNew ? 'New route' : route.paymentMethod === '*' ? 'Any other method' : route.paymentMethod
  return (
    <form
      class="route"
      method="post"
      action={`/console/points-of-sale/${pos}/route`}
      aria-label={`Route: ${name}`}
    >
      {isNew ? (
        <label class="field">
          <span>New route for</span>
          <input name="method" required autocomplete="off" spellcheck={false} placeholder="ideal, or *" />
        </label>
      ) : (
        <p class="what">
          <b>{name}</b>
          <input type="hidden" name="method" value={route.paymentMethod} />
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
