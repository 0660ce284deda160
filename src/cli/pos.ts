import type { SigningSecretRotated } from '../contract/points-of-sale.ts'
import { flag, group, word } from '../programs/program.ts'
import { UsageError } from '../programs/usage-error.ts'
import { hubCommand } from '../programs/hub-command.ts'
import { operationCommand } from './operation-command.ts'
import { POS, posIdOf } from './named.ts'
import { ask } from './operator-api.ts'
import { posTerminals } from './terminal.ts'
import type { Lines, View } from '../programs/view.ts'

const create = operationCommand('createPointOfSale', {
  example: '--name "Shop 1"',
  body: {
    mode: {
      flag: 'live',
      type: 'boolean',
      description: 'real payments; test mode if not given',
      send: (isLive: boolean) => (isLive ? 'live' : 'test'),
    },
  },
  advice: () =>
    'If pos list has it, you have not seen its key and secret. Make others: pos rekey ID, pos resecret ID',
  show: (pos, view) => [view.answer(pos), '', 'Keep the API key now: it is not shown again.'],
})

const show = operationCommand('showPointOfSale')

const list = operationCommand('listPointsOfSale', { json: ({ pointsOfSale }) => pointsOfSale })

const update = operationCommand('changePointOfSale', {
  example: '"Shop 1" --name "Shop 2" --refund-limit "EUR 500.00"',
  body: {
    refundLimits: { flag: 'refund-limit', valueHint: 'EUR 500.00|none' },
  },
})

const disable = operationCommand('disablePointOfSale')

const enable = operationCommand('enablePointOfSale')

const rekey = operationCommand('addApiKey', {
  advice: ({ id }) =>
    `The newest key may be one that you have not seen. Before any pos revoke, repeat: pos rekey ${id}`,
  example: '"Shop 1" --can create,read --expires 1y',
  show: ({ apiKey, can, expires }, view) => [
    view.answer({ apiKey, can, expires }),
    '',
    'Keep it now: it is not shown again. When the shop uses it, end the older ones: pos revoke ID',
  ],
})

const revoke = operationCommand('revokeApiKeys')

const resecret = operationCommand('rotateSigningSecret', {
  example: '"Shop 1" --overlap 48',
  body: { overlapHours: { flag: 'overlap' } },
  advice: ({ id }) => `The hub may have made it. Within an hour this shows the same one: pos resecret ${id}`,
  show: showSecret,
})

const pin = operationCommand('setRefundPin', {
  example: '"Shop 1"',
  body: { pin: { valueHint: '482913|none' } },
  advice: ({ id }) => `If you have not seen the PIN, make another: pos pin ${id}`,
  show: ({ pin: set }) =>
    set === null
      ? 'The PIN is taken away.'
      : [`PIN for refunds  ${set}`, '', 'Keep it now: it is not shown again.'],
})

function showSecret(secret: SigningSecretRotated, { time }: View): Lines {
  const { id, signingSecret, made, repeated, formerUntil } = secret
  return [
    `Signing secret  ${signingSecret}`,
    '',
    formerUntil
      ? `The former secret signs X-Signature until ${time(formerUntil)}, then this one does. Both sign webhook-signature.`
      : 'It signs X-Signature from now on. The former secret still signs webhook-signature too.',
    repeated &&
      `It was made at ${time(made)}: this is the same one. To make another: pos resecret ${id} --again`,
  ]
}

const route = hubCommand({
  does: 'set or remove a payment route',
  example: `"Shop 1" '*' shop-mollie shop-stripe`,
  args: {
    id: POS,
    method: word("a payment method, or '*' for any other"),
    accounts: { ...word('one or more accounts'), required: false, repeats: true },
    remove: flag('take the route away; instead of accounts'),
  },
  run: async ({ id, method: paymentMethod, remove = false, _: [, , ...accounts] }) => {
    if ((accounts.length === 0) !== remove) {
      throw new UsageError('Say what goes where: pos route POS METHOD ACCOUNT …, or --remove for accounts.')
    }
    return ask('changePaymentRoute', { params: { id: await posIdOf(id) }, body: { paymentMethod, accounts } })
  },
})

const routes = operationCommand('listPaymentRoutes')

export const pos = group('points of sale', 'create --name "Shop 1"', {
  create,
  list,
  update,
  disable,
  enable,
  show,
  rekey,
  revoke,
  resecret,
  pin,
  route,
  routes,
  terminals: posTerminals,
})
