import * as v from 'valibot'
import { command } from './command.ts'
import { CommandError } from './operator-api.ts'
import { table } from '../table.ts'

const Routes = v.object({
  pos: v.string(),
  mode: v.nullable(v.string()),
  routes: v.array(v.object({ paymentMethod: v.string(), accounts: v.array(v.string()) })),
})

const USAGE = 'pos route POS METHOD|* ACCOUNT [ACCOUNT …]'

const show = ({ pos, mode, routes }: v.InferOutput<typeof Routes>): string =>
  routes.length === 0
    ? `Point of sale ${pos} has no routes.`
    : [
        table(
          ['payment method', 'accounts, in the order they are tried'],
          routes.map(({ paymentMethod, accounts }) => [paymentMethod, accounts.join(', ')]),
        ),
        ...(mode === 'test'
          ? ['', 'These accounts are of test mode: payments succeed, and no money moves.']
          : []),
      ].join('\n')

export const posRoute = command({
  usage: `${USAGE} | --remove`,
  does: 'sends a payment method (* for any) to accounts, in order',
  options: { remove: { type: 'boolean' } },
  answer: Routes,
  run: (api, { remove }, [pos, paymentMethod, ...accounts]) => {
    if (!pos || !paymentMethod || (accounts.length === 0) !== (remove === true)) {
      throw new CommandError(`Say what goes where: ${USAGE}, or --remove in place of accounts.`)
    }
    return api('POST', `/pos/${encodeURIComponent(pos)}/routes`, { paymentMethod, accounts })
  },
  show: (routes) => `${show(routes)}\n\nLive everywhere within a minute.`,
})

export const posRoutes = command({
  usage: 'pos routes POS',
  does: 'shows the routes of a point of sale',
  options: {},
  answer: Routes,
  run: (api, _, [pos]) => {
    if (!pos) throw new CommandError('Say which point of sale: pos routes POS')
    return api('GET', `/pos/${encodeURIComponent(pos)}/routes`)
  },
  show,
})
