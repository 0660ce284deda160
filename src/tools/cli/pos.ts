import type { PaymentRouteList, PointOfSale, SigningSecretRotated } from '../../contract/points-of-sale.ts'
import { flag, group, option, word } from '../program.ts'
import { UsageError, notAmong, quoted } from '../usage-error.ts'
import { count, hubCommand, withAdvice } from './hub-command.ts'
import { ask } from './operator-api.ts'
import { YES, confirm } from './prompt.ts'
import type { View } from './view.ts'

const POS = word('the point of sale: its id or name')
const NAME = option('NAME', 'the name of the shop, which its customers see')
const SIGN_RETURN = 'sign the address that the customer returns to'
const DIALECT = {
  type: 'enum',
  options: ['v1', 'v2'],
  description: "what the shop's client speaks: v1 for PayoCity's first PHP SDK and WooCommerce plugin",
} as const
const LIVE_SOON = 'Live everywhere within two minutes.'
const EXAMPLE_ID = '0f3a6c1de9b24875a1c3e5f708192a3b'

/**
 * The id of a point of sale that an operator named by its id or by its name, in small or capital
 * letters. Throws a UsageError where it names none, or several.
 */
export async function posIdOf(named: string): Promise<string> {
  if (/^[0-9a-f]{32}$/.test(named)) return named
  const { pointsOfSale } = await ask('listPointsOfSale')
  const exact = pointsOfSale.filter(({ id, name }) => id === named || name === named)
  const wanted = named.trim().toLowerCase()
  const like = pointsOfSale.filter(({ name }) => name.toLowerCase() === wanted)
  const [found, ...others] = exact.length > 0 ? exact : like
  if (!found) {
    const names = pointsOfSale.map(({ name }) => name)
    throw new UsageError(`There is no point of sale ${quoted(named)}. ${notAmong(names, named)}`)
  }
  if (others.length === 0) return found.id
  const ids = [found, ...others].map(({ id }) => id).join(', ')
  throw new UsageError(`Several points of sale are named ${quoted(named)}. Say which by its id: ${ids}`)
}

const create = hubCommand({
  does: 'adds a point of sale, and shows its key once',
  example: '--name "Shop 1"',
  args: {
    name: { ...NAME, required: true },
    live: flag('real payments; test mode if not given'),
    'sign-return': flag(SIGN_RETURN),
    dialect: DIALECT,
  },
  run: ({ name, live = false, 'sign-return': signReturn = false, dialect = 'v2' }) => {
    const body = { name, mode: live ? 'live' : 'test', signReturn, dialect } as const
    return withAdvice(
      ask('createPointOfSale', { body }),
      'If pos list shows it all the same, nobody has seen its key and secret. These show others: ' +
        'pos rekey ID, pos resecret ID',
    )
  },
  show: (pos) =>
    [
      `${pos.name} is a ${pos.mode}-mode point of sale, ${pos.id}.`,
      '',
      `API key         ${pos.apiKey}`,
      `Signing secret  ${pos.signingSecret}`,
      '',
      ...meaningOf(pos),
      '',
      'Keep the API key now: it is not shown again.',
    ].join('\n'),
})

/** What each choice means for the shop, a line each. */
function meaningOf({ mode, signReturn, dialect }: PointOfSale): string[] {
  return [
    mode === 'test'
      ? 'Test mode: the sandbox takes every payment, and no money moves. --live is for real payments.'
      : 'Live: real payments, by the accounts of its routes. See pos route.',
    signReturn
      ? 'Signed returns: return_url gets order_number, order_code, payment_job and signature, for the shop to check.'
      : 'Unsigned returns: return_url stays as it is. A plugin that waits for a signature then shows its cart after paying.',
    dialect === 'v1'
      ? "Dialect v1: for PayoCity's PHP SDK 1.0.1 and 1.0.2 and its WooCommerce plugin, which ask /api/v1. /v2 works too."
      : "Dialect v2: /v2 alone. PayoCity's PHP SDK before 1.0.3 and its WooCommerce plugin need --dialect v1.",
  ]
}

const list = hubCommand({
  does: 'lists the points of sale',
  run: () => ask('listPointsOfSale'),
  json: ({ pointsOfSale }) => pointsOfSale,
  show: ({ pointsOfSale }, view) =>
    view.list('There is no point of sale yet.', pointsOfSale, {
      id: ({ id }) => id,
      name: ({ name }) => name,
      mode: ({ mode }) => mode,
      created: ({ created }) => view.time(created),
      disabled: ({ disabled }) => view.time(disabled),
    }),
})

const update = hubCommand({
  does: 'changes its name, its dialect, or whether returns are signed',
  example: `${EXAMPLE_ID} --name "Shop 2" --sign-return on`,
  args: {
    id: POS,
    name: NAME,
    'sign-return': { type: 'enum', options: ['on', 'off'], description: SIGN_RETURN },
    dialect: DIALECT,
  },
  run: async ({ id, name, 'sign-return': signReturn, dialect }) => {
    if (name === undefined && signReturn === undefined && dialect === undefined) {
      throw new UsageError('Say what to change: pos update ID with --name, --sign-return or --dialect.')
    }
    const body = {
      ...(name === undefined ? {} : { name }),
      ...(signReturn === undefined ? {} : { signReturn: signReturn === 'on' }),
      ...(dialect === undefined ? {} : { dialect }),
    }
    return ask('changePointOfSale', { params: { id: await posIdOf(id) }, body })
  },
  show: (pos) => [`${pos.id} is ${pos.name}.`, ...meaningOf(pos), LIVE_SOON].join('\n'),
})

const disable = hubCommand({
  does: 'stops its keys and tokens within two minutes',
  example: `${EXAMPLE_ID} --yes`,
  args: { id: POS, ...YES },
  run: async ({ id: named, yes }) => {
    const id = await posIdOf(named)
    await confirm(`Disable point of sale ${named}? It can take no payments until it is enabled again.`, yes)
    return ask('disablePointOfSale', { params: { id } })
  },
  show: ({ id }) => `Point of sale ${id} is disabled. Its keys and tokens stop within two minutes.`,
})

const enable = hubCommand({
  does: 'lets a disabled one in again',
  example: EXAMPLE_ID,
  args: { id: POS },
  run: async ({ id }) => ask('enablePointOfSale', { params: { id: await posIdOf(id) } }),
  show: ({ id }) =>
    `Point of sale ${id} is enabled. Its API keys work again; it fetches a new token with one.`,
})

const rekey = hubCommand({
  does: 'adds an API key; the older ones stay live',
  example: EXAMPLE_ID,
  args: { id: POS },
  run: async ({ id }) =>
    withAdvice(
      ask('addApiKey', { params: { id: await posIdOf(id) } }),
      `A key that nobody has seen may be the newest now. Before any pos revoke, repeat: pos rekey ${id}`,
    ),
  show: ({ apiKey }) =>
    `API key  ${apiKey}\n\nKeep it now: it is not shown again. When the shop uses it, end the ` +
    'older ones: pos revoke ID',
})

const revoke = hubCommand({
  does: 'ends its API keys but the newest, and its tokens',
  example: EXAMPLE_ID,
  args: { id: POS, ...YES },
  run: async ({ id: named, yes }) => {
    const id = await posIdOf(named)
    await confirm(`End all API keys of point of sale ${named} but the newest, and all its tokens?`, yes)
    return ask('revokeApiKeys', { params: { id } })
  },
  show: ({ revoked }) => `${count(revoked, 'older key is', 'older keys are')} revoked, and all tokens.`,
})

const resecret = hubCommand({
  does: 'makes a new signing secret; repeated within an hour, shows it again',
  example: `${EXAMPLE_ID} --overlap 48`,
  args: {
    id: POS,
    overlap: option('HOURS', 'let the one before sign X-Signature for so long, up to 720'),
    again: flag('make another one, though one was just made'),
  },
  run: async ({ id, overlap, again = false }) => {
    const wanted = {
      ...(overlap === undefined ? {} : { overlapHours: hoursOf(overlap) }),
      ...(again ? { again } : {}),
    }
    const body = Object.keys(wanted).length === 0 ? undefined : wanted
    return withAdvice(
      ask('rotateSigningSecret', { params: { id: await posIdOf(id) }, body }),
      `If it was made all the same, this shows it, within an hour: pos resecret ${id}`,
    )
  },
  show: showSecret,
})

function hoursOf(written: string): number {
  const hours = Number(written)
  if (written.trim() !== '' && hours >= 0) return hours
  throw new UsageError(`--overlap must be a number of hours, such as 48, not ${quoted(written)}`)
}

function showSecret(secret: SigningSecretRotated, { time }: View): string {
  const { id, signingSecret, made, repeated = false, formerUntil } = secret
  return [
    `Signing secret  ${signingSecret}`,
    '',
    formerUntil
      ? `X-Signature is made with the one before until ${time(formerUntil)}, then with it; webhook-signature with both.`
      : 'X-Signature is made with it from now on; webhook-signature also with the one before.',
    ...(repeated
      ? [`It was made at ${time(made)}: this is the same one. To make another: pos resecret ${id} --again`]
      : []),
  ].join('\n')
}

const route = hubCommand({
  does: 'sends a payment method to accounts, in the order they are tried',
  example: `${EXAMPLE_ID} '*' shop-mollie shop-stripe`,
  args: {
    pos: POS,
    method: word("a payment method, or '*' for any other"),
    accounts: { ...word('one or more accounts'), required: false, repeats: true },
    remove: flag('take the route away; in place of accounts'),
  },
  run: async ({ pos, method, remove = false, _: [, , ...accounts] }) => {
    if ((accounts.length === 0) !== remove) {
      throw new UsageError('Say what goes where: pos route POS METHOD ACCOUNT …, or --remove for accounts.')
    }
    const body = { paymentMethod: method, accounts }
    return ask('changePaymentRoute', { params: { id: await posIdOf(pos) }, body })
  },
  show: (routes, view) => `${showRoutes(routes, view)}\n\n${LIVE_SOON}`,
})

const routes = hubCommand({
  does: 'shows the routes of a point of sale',
  example: EXAMPLE_ID,
  args: { pos: POS },
  run: async ({ pos }) => ask('listPaymentRoutes', { params: { id: await posIdOf(pos) } }),
  show: showRoutes,
})

function showRoutes(answer: PaymentRouteList, view: View): string {
  const shown = view.list(`Point of sale ${answer.pos} has no routes.`, answer.routes, {
    'payment method': ({ paymentMethod }) => paymentMethod,
    'accounts, in the order they are tried': ({ accounts }) => accounts.join(', '),
  })
  return answer.mode === 'test' && answer.routes.length > 0
    ? `${shown}\n\nThese accounts are of test mode: payments succeed, and no money moves.`
    : shown
}

export const pos = group('points of sale', 'create --name "Shop 1"', {
  create,
  list,
  update,
  disable,
  enable,
  rekey,
  revoke,
  resecret,
  route,
  routes,
})
