import { type FieldError, invalidField } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import { nearest } from '../contract/nearest.ts'
import { ADAPTERS } from '../psp/adapters.ts'
import { accountsNamed, routesOf, setRoute } from '../registry/accounts.ts'
import type { Profile } from '../registry/profile.ts'
import { profileById } from '../registry/profiles.ts'
import { publishAfter } from '../registry/publish-after.ts'
import type { PaymentRoute } from '../contract/points-of-sale.ts'
import { noPos } from './points-of-sale.ts'
import { type OperatorHandler, changed } from './serve.ts'

export const listPaymentRoutes: OperatorHandler<'listPaymentRoutes'> = async ({ env, params: { id: pos } }) =>
  (await profileById(env.DB, pos)) ? reply(await representRoutes(env, pos)) : noPos(pos)

export const changePaymentRoute: OperatorHandler<'changePaymentRoute'> = async ({ env, params, body }) => {
  const { id: pos } = params
  const found = await profileById(env.DB, pos)
  if (!found) return noPos(pos)
  const error = found.profile.mode === 'test' ? testMode : await wrongWith(env, found.profile, body)
  if (error) return invalidField(error.field, error.error)
  await publishAfter(env, [{ pos }], () => setRoute(env.DB, pos, body, Date.now()))
  const { paymentMethod, accounts } = body
  const former = found.profile.routes.filter((route) => route.paymentMethod === paymentMethod)
  return changed(await representRoutes(env, pos), {
    subject: pos,
    before: { paymentMethod, accounts: former.map(({ account }) => account) },
    after: { paymentMethod, accounts },
  })
}

async function representRoutes(env: Env, pos: string) {
  const routes = await routesOf(env.DB, pos)
  const used = routes.flatMap(({ accounts }) => accounts)
  const [first] = await accountsNamed(env.DB, used)
  return { pos, mode: first?.mode ?? null, routes }
}

/**
 * Says what is wrong with a route, or returns null. All accounts of a point of sale have the same
 * mode: if a payment moved from a live account to one in a PSP's test environment, the shop would
 * hand over goods for no money.
 */
async function wrongWith(
  env: Env,
  { routes, terminals = [] }: Profile,
  { paymentMethod, accounts }: PaymentRoute,
): Promise<FieldError | null> {
  const others = [...routes.filter((route) => route.paymentMethod !== paymentMethod), ...terminals]
  const used = await accountsNamed(env.DB, [...accounts, ...others.map(({ account }) => account)])
  const unknown = accounts.filter((account) => !used.some(({ id }) => id === account))
  if (unknown.length > 0) return { field: 'accounts', error: `has no such account: ${unknown.join(', ')}` }
  const misnamed = used.find(({ id, psp }) => accounts.includes(id) && !knows(psp, paymentMethod))
  if (misnamed) return { field: 'paymentMethod', error: noMethodOf(misnamed, paymentMethod) }
  return new Set(used.map(({ mode }) => mode)).size > 1
    ? { field: 'accounts', error: 'must have the same mode as the other accounts of the point of sale' }
    : null
}

/**
 * Returns whether a PSP has a method: a mistyped one is refused. A method that the hub cannot use at
 * this PSP is allowed, because another account of the route may take it. If none can, a create says
 * why.
 */
function knows(psp: string, paymentMethod: string): boolean {
  const adapter = ADAPTERS[psp]
  return (
    paymentMethod === '*' ||
    adapter?.methods.has(paymentMethod) === true ||
    adapter?.unsupported?.has(paymentMethod) === true
  )
}

function noMethodOf({ id, psp }: { id: string; psp: string }, paymentMethod: string): string {
  const meant = nearest(paymentMethod, [...(ADAPTERS[psp]?.methods.keys() ?? [])])
  const advice = meant === null ? "To let the customer choose on the PSP's page: *" : `Did you mean ${meant}?`
  return `is not a payment method of ${psp}, the PSP of ${id}. ${advice}`
}

const testMode: FieldError = {
  field: 'pos',
  error: 'is in test mode, where every method goes to the sandbox; make a point of sale with --live',
}
