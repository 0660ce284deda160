import type { PaymentRouteList, PointOfSale, SigningSecretRotated } from '../contract/points-of-sale.ts'
import { liveFirst } from '../contract/values.ts'
import { flag, group, option, word } from '../programs/program.ts'
import { UsageError, quoted } from '../programs/usage-error.ts'
import { count } from '../programs/hub-command.ts'
import { operationCommand } from './operation-command.ts'
import { POS } from './named.ts'
import { posTerminals } from './terminal.ts'
import type { Lines, View } from '../programs/view.ts'

const NAME = option('NAME', 'the name of the shop, which its customers see')
const SIGN_RETURN = 'sign the address that the customer returns to'
const DIALECT = {
  type: 'enum',
  options: ['v1', 'v2'],
  description: "what the shop's client speaks: v1 for PayoCity's first PHP SDK and WooCommerce plugin",
} as const
const LIVE_SOON = 'Live everywhere within two minutes.'

const create = operationCommand('createPointOfSale', {
  example: '--name "Shop 1"',
  args: {
    name: { ...NAME, required: true },
    live: flag('real payments; test mode if not given'),
    'sign-return': flag(SIGN_RETURN),
    dialect: DIALECT,
  },
  body: ({ name, live, 'sign-return': signReturn, dialect }) => ({
    name,
    mode: live ? ('live' as const) : ('test' as const),
    signReturn,
    dialect,
  }),
  advice: () =>
    'If pos list shows it all the same, nobody has seen its key and secret. These show others: ' +
    'pos rekey ID, pos resecret ID',
  show: (pos) => [
    `${pos.name} is a ${pos.mode}-mode point of sale, ${pos.id}.`,
    '',
    `API key         ${pos.apiKey}`,
    `Signing secret  ${pos.signingSecret}`,
    '',
    meaningOf(pos),
    '',
    'Keep the API key now: it is not shown again.',
  ],
})

/** Explains each choice to the shop, a line each. */
function meaningOf({ mode, signReturn, dialect }: PointOfSale): Lines {
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

const list = operationCommand('listPointsOfSale', {
  json: ({ pointsOfSale }) => pointsOfSale,
  show: ({ pointsOfSale }, view) =>
    view.list('There is no point of sale yet.', pointsOfSale.toSorted(liveFirst), [
      'id',
      'name',
      'mode',
      'created',
      'disabled',
    ]),
})

const update = operationCommand('changePointOfSale', {
  example: '"Shop 1" --name "Shop 2" --sign-return on',
  args: {
    id: POS,
    name: NAME,
    'sign-return': { type: 'enum', options: ['on', 'off'], description: SIGN_RETURN },
    dialect: DIALECT,
  },
  body: ({ name, 'sign-return': signReturn, dialect }) => ({
    name,
    signReturn: signReturn && signReturn === 'on',
    dialect,
  }),
  show: (pos) => [`${pos.id} is ${pos.name}.`, meaningOf(pos), LIVE_SOON],
})

const disable = operationCommand('disablePointOfSale', {
  args: { id: POS },
  asks: ({ id }) => `Disable point of sale ${id}? It can take no payments until it is enabled again.`,
  show: ({ id }) => `Point of sale ${id} is disabled. Its keys and tokens stop within two minutes.`,
})

const enable = operationCommand('enablePointOfSale', {
  args: { id: POS },
  show: ({ id }) =>
    `Point of sale ${id} is enabled. Its API keys work again; it fetches a new token with one.`,
})

const rekey = operationCommand('addApiKey', {
  args: { id: POS },
  advice: ({ id }) =>
    `A key that nobody has seen may be the newest now. Before any pos revoke, repeat: pos rekey ${id}`,
  show: ({ apiKey }) => [
    `API key  ${apiKey}`,
    '',
    'Keep it now: it is not shown again. When the shop uses it, end the older ones: pos revoke ID',
  ],
})

const revoke = operationCommand('revokeApiKeys', {
  args: { id: POS },
  asks: ({ id }) => `End all API keys of point of sale ${id} but the newest, and all its tokens?`,
  show: ({ revoked }) => `${count(revoked, 'older key is', 'older keys are')} revoked, and all tokens.`,
})

const resecret = operationCommand('rotateSigningSecret', {
  example: '"Shop 1" --overlap 48',
  args: {
    id: POS,
    overlap: {
      ...option('HOURS', 'let the one before sign X-Signature for so long, up to 720'),
      read: readHours,
    },
    again: flag('make another one, though one was just made'),
  },
  body: ({ overlap, again }) => ({ overlapHours: overlap, again }),
  advice: ({ id }) => `If it was made all the same, this shows it, within an hour: pos resecret ${id}`,
  show: showSecret,
})

function readHours(text: string, flagName: string): number {
  const hours = Number(text)
  if (text.trim() !== '' && hours >= 0) return hours
  throw new UsageError(`${flagName} must be a number of hours, such as 48, not ${quoted(text)}`)
}

function showSecret(secret: SigningSecretRotated, { time }: View): Lines {
  const { id, signingSecret, made, repeated, formerUntil } = secret
  return [
    `Signing secret  ${signingSecret}`,
    '',
    formerUntil
      ? `X-Signature is made with the one before until ${time(formerUntil)}, then with it; webhook-signature with both.`
      : 'X-Signature is made with it from now on; webhook-signature also with the one before.',
    repeated &&
      `It was made at ${time(made)}: this is the same one. To make another: pos resecret ${id} --again`,
  ]
}

const route = operationCommand('changePaymentRoute', {
  example: `"Shop 1" '*' shop-mollie shop-stripe`,
  args: {
    id: POS,
    method: word("a payment method, or '*' for any other"),
    accounts: { ...word('one or more accounts'), required: false, repeats: true },
    remove: flag('take the route away; in place of accounts'),
  },
  body: ({ method, remove = false, _: [, , ...accounts] }) => {
    if ((accounts.length === 0) !== remove) {
      throw new UsageError('Say what goes where: pos route POS METHOD ACCOUNT …, or --remove for accounts.')
    }
    return { paymentMethod: method, accounts }
  },
  show: (routes, view) => [showRoutes(routes, view), '', LIVE_SOON],
})

const routes = operationCommand('listPaymentRoutes', {
  args: { id: POS },
  show: showRoutes,
})

function showRoutes(answer: PaymentRouteList, view: View): Lines {
  return [
    view.list(`Point of sale ${answer.pos} has no routes.`, answer.routes, [
      'paymentMethod',
      ['accounts, in the order they are tried', ({ accounts }) => accounts.join(', ')],
    ]),
    answer.mode === 'test' &&
      answer.routes.length > 0 && [
        '',
        'These accounts are of test mode: payments succeed, and no money moves.',
      ],
  ]
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
  terminals: posTerminals,
})
