import type { PaymentRouteList } from '../../contract/points-of-sale.ts'
import { UsageError, quoted } from '../usage-error.ts'
import { hubCommand, withAdvice } from './hub-command.ts'
import { ask } from './operator-api.ts'
import type { View } from './view.ts'

/** The argument that names a point of sale. */
export const POS = {
  type: 'positional',
  required: true,
  description: 'the point of sale: its id or name',
} as const

const ID = { id: POS } as const
export const EXAMPLE_ID = '0f3a6c1de9b24875a1c3e5f708192a3b'

/**
 * The id of a point of sale that an operator named by its id or by its name, in small or capital
 * letters.
 */
export async function posIdOf(named: string): Promise<string> {
  if (/^[0-9a-f]{32}$/.test(named)) return named
  const { pointsOfSale } = await ask('listPointsOfSale')
  const exact = pointsOfSale.filter(({ id, name }) => id === named || name === named)
  const wanted = named.trim().toLowerCase()
  const like = pointsOfSale.filter(({ name }) => name.toLowerCase() === wanted)
  const [found, ...others] = exact.length > 0 ? exact : like
  if (!found) return named // The hub says that it knows none of that id.
  if (others.length === 0) return found.id
  const ids = [found, ...others].map(({ id }) => id).join(', ')
  throw new UsageError(`Several points of sale are named ${quoted(named)}. Say which by its id: ${ids}`)
}

export const posCreate = hubCommand({
  name: 'pos create',
  does: 'adds a point of sale, and shows its key once',
  example: 'pos create --name "Shop 1"',
  args: {
    name: {
      type: 'string',
      required: true,
      valueHint: 'NAME',
      description: 'the name of the shop, which its customers see',
    },
    live: { type: 'boolean', description: 'real payments; test mode if not given' },
    'sign-return': { type: 'boolean', description: 'sign the address that the customer returns to' },
  },
  run: ({ name, live = false, 'sign-return': signReturn = false }) => {
    const body = { name, mode: live ? 'live' : 'test', signReturn } as const
    return withAdvice(
      ask('createPointOfSale', { body }),
      'If pos list shows it all the same, nobody has seen its key and secret. These show others: pos rekey ID, pos resecret ID',
    )
  },
  show: (pos) =>
    [
      `${pos.name} is a ${pos.mode}-mode point of sale, ${pos.id}.`,
      '',
      `API key         ${pos.apiKey}`,
      `Signing secret  ${pos.signingSecret}`,
      '',
      'Keep the API key now: it is not shown again.',
    ].join('\n'),
})

export const posList = hubCommand({
  name: 'pos list',
  does: 'lists the points of sale',
  example: 'pos list',
  args: {},
  run: () => ask('listPointsOfSale'),
  json: ({ pointsOfSale }) => pointsOfSale,
  show: ({ pointsOfSale }, view) =>
    view.list(
      'There is no point of sale yet.',
      ['id', 'name', 'mode', 'created', 'disabled'],
      pointsOfSale.map(({ id, name, mode, created, disabled }) => [
        id,
        name,
        mode,
        view.time(created),
        view.time(disabled),
      ]),
    ),
})

export const posUpdate = hubCommand({
  name: 'pos update',
  does: 'changes its name, or whether returns are signed',
  example: `pos update ${EXAMPLE_ID} --name "Shop 2" --sign-return on`,
  args: {
    ...ID,
    name: { type: 'string', valueHint: 'NAME', description: 'the name of the shop, which its customers see' },
    'sign-return': {
      type: 'enum',
      options: ['on', 'off'],
      description: 'sign the address that the customer returns to',
    },
  },
  run: async ({ id, name, 'sign-return': signReturn }) => {
    if (name === undefined && signReturn === undefined) {
      throw new UsageError('Say what to change: pos update ID --name NAME, or --sign-return on or off.')
    }
    const body = {
      ...(name === undefined ? {} : { name }),
      ...(signReturn === undefined ? {} : { signReturn: signReturn === 'on' }),
    }
    return ask('changePointOfSale', { params: { id: await posIdOf(id) }, body })
  },
  show: ({ id, name, signReturn }) =>
    `Point of sale ${id} is ${name}, with returns ${signReturn ? 'signed' : 'unsigned'}. Live everywhere within two minutes.`,
})

export const posDisable = hubCommand({
  name: 'pos disable',
  does: 'stops its keys and tokens within two minutes',
  example: `pos disable ${EXAMPLE_ID} --yes`,
  args: ID,
  asks: ({ id }) => `Disable point of sale ${id}? It can take no payments until it is enabled again.`,
  run: async ({ id }) => ask('disablePointOfSale', { params: { id: await posIdOf(id) } }),
  show: ({ id }) => `Point of sale ${id} is disabled. Its keys and tokens stop within two minutes.`,
})

export const posEnable = hubCommand({
  name: 'pos enable',
  does: 'lets a disabled one in again',
  example: `pos enable ${EXAMPLE_ID}`,
  args: ID,
  run: async ({ id }) => ask('enablePointOfSale', { params: { id: await posIdOf(id) } }),
  show: ({ id }) =>
    `Point of sale ${id} is enabled. Its API keys work again; it fetches a new token with one.`,
})

function showRoutes({ pos, mode, routes }: PaymentRouteList, view: View): string {
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
  example: `pos route ${EXAMPLE_ID} '*' shop-mollie shop-stripe`,
  args: {
    pos: POS,
    method: { type: 'positional', required: true, description: "a payment method, or '*' for any other" },
    accounts: { type: 'positional', required: false, description: 'one or more accounts' },
    remove: { type: 'boolean', description: 'take the route away; in place of accounts' },
  },
  repeats: true,
  run: async ({ pos, method, remove = false, _: [, , ...accounts] }) => {
    if ((accounts.length === 0) !== remove) {
      throw new UsageError('Say what goes where: pos route POS METHOD ACCOUNT …, or --remove for accounts.')
    }
    const body = { paymentMethod: method, accounts }
    return ask('changePaymentRoute', { params: { id: await posIdOf(pos) }, body })
  },
  show: (routes, view) => `${showRoutes(routes, view)}\n\nLive everywhere within two minutes.`,
})

export const posRoutes = hubCommand({
  name: 'pos routes',
  does: 'shows the routes of a point of sale',
  example: `pos routes ${EXAMPLE_ID}`,
  args: { pos: POS },
  run: async ({ pos }) => ask('listPaymentRoutes', { params: { id: await posIdOf(pos) } }),
  show: showRoutes,
})
