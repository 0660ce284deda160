import { type NewPaymentRoute, PaymentRouteList } from '../../contract/points-of-sale.ts'
import { UsageError } from '../usage-error.ts'
import { hubCommand } from './hub-command.ts'
import { path } from './operator-api.ts'
import type { View } from './view.ts'
import { POS, posIdOf } from './which-pos.ts'

function show({ pos, mode, routes }: PaymentRouteList, view: View): string {
  return routes.length === 0
    ? `Point of sale ${pos} has no routes.`
    : [
        view.table(
          ['payment method', 'accounts, in the order they are tried'],
          routes.map(({ paymentMethod, accounts }) => [paymentMethod, accounts.join(', ')]),
        ),
        ...(mode === 'test'
          ? ['', 'These accounts are of test mode: payments succeed, and no money moves.']
          : []),
      ].join('\n')
}

export const posRoute = hubCommand({
  name: 'pos route',
  does: 'sends a payment method to accounts, in the order they are tried',
  example: "pos route 0f3a6c1de9b24875a1c3e5f708192a3b '*' shop-mollie shop-stripe",
  args: {
    pos: POS,
    method: { type: 'positional', required: true, description: "a payment method, or '*' for any other" },
    accounts: { type: 'positional', required: false, description: 'one or more accounts' },
    remove: { type: 'boolean', description: 'take the route away; in place of accounts' },
  },
  repeats: true,
  run: async (api, { pos, method, remove = false, _: [, , ...accounts] }) => {
    if ((accounts.length === 0) !== remove) {
      throw new UsageError('Say what goes where: pos route POS METHOD ACCOUNT …, or --remove for accounts.')
    }
    const route: NewPaymentRoute = { paymentMethod: method, accounts }
    return api(PaymentRouteList, 'POST', path`/pos/${await posIdOf(api, pos)}/routes`, route)
  },
  show: (routes, view) => `${show(routes, view)}\n\nLive everywhere within two minutes.`,
})

export const posRoutes = hubCommand({
  name: 'pos routes',
  does: 'shows the routes of a point of sale',
  example: 'pos routes 0f3a6c1de9b24875a1c3e5f708192a3b',
  args: { pos: POS },
  run: async (api, { pos }) => api(PaymentRouteList, 'GET', path`/pos/${await posIdOf(api, pos)}/routes`),
  show,
})
