import {
  ApiKeyAdded,
  ApiKeysRevoked,
  type ChangedPointOfSale,
  type NewPointOfSale,
  NewPointOfSaleCreated,
  PointOfSale,
  PointOfSaleDisabled,
  PointOfSaleEnabled,
  PointOfSaleList,
} from '../../contract/points-of-sale.ts'
import { UsageError } from '../usage-error.ts'
import { hubCommand } from './hub-command.ts'
import { path } from './operator-api.ts'
import { withAdvice } from './unseen-answer.ts'
import { POS, posIdOf } from './which-pos.ts'

const ID = { id: POS } as const
const EXAMPLE_ID = '0f3a6c1de9b24875a1c3e5f708192a3b'

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
  run: (api, { name, live = false, 'sign-return': signReturn = false }) => {
    const wanted: NewPointOfSale = { name, mode: live ? 'live' : 'test', signReturn }
    return withAdvice(
      api(NewPointOfSaleCreated, 'POST', '/pos', wanted),
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
  run: (api) => api(PointOfSaleList, 'GET', '/pos'),
  json: ({ pointsOfSale }) => pointsOfSale,
  show: ({ pointsOfSale }, view) =>
    pointsOfSale.length === 0
      ? 'There is no point of sale yet.'
      : view.table(
          ['id', 'name', 'mode', 'created', 'disabled'],
          pointsOfSale.map((pos) => [
            pos.id,
            pos.name,
            pos.mode,
            view.time(pos.created),
            view.time(pos.disabled),
          ]),
        ),
})

export const posRekey = hubCommand({
  name: 'pos rekey',
  does: 'adds an API key; the older ones stay live',
  example: `pos rekey ${EXAMPLE_ID}`,
  args: ID,
  run: async (api, { id }) =>
    withAdvice(
      api(ApiKeyAdded, 'POST', path`/pos/${await posIdOf(api, id)}/keys`),
      `A key that nobody has seen may be the newest now. Before any pos revoke, repeat: pos rekey ${id}`,
    ),
  show: ({ apiKey }) =>
    `API key  ${apiKey}\n\nKeep it now: it is not shown again. When the shop uses it, end the older ones: pos revoke ID`,
})

export const posRevoke = hubCommand({
  name: 'pos revoke',
  does: 'ends its API keys but the newest, and its tokens',
  example: `pos revoke ${EXAMPLE_ID}`,
  args: ID,
  asks: ({ id }) => `End all API keys of point of sale ${id} but the newest, and all its tokens?`,
  run: async (api, { id }) => api(ApiKeysRevoked, 'POST', path`/pos/${await posIdOf(api, id)}/keys/revoke`),
  show: ({ revoked }) => `${revoked} older ${revoked === 1 ? 'key is' : 'keys are'} revoked, and all tokens.`,
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
  run: async (api, { id, name, 'sign-return': signReturn }) => {
    if (name === undefined && signReturn === undefined) {
      throw new UsageError('Say what to change: pos update ID --name NAME, or --sign-return on or off.')
    }
    const changes: ChangedPointOfSale = {
      ...(name === undefined ? {} : { name }),
      ...(signReturn === undefined ? {} : { signReturn: signReturn === 'on' }),
    }
    return api(PointOfSale, 'POST', path`/pos/${await posIdOf(api, id)}`, changes)
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
  run: async (api, { id }) => api(PointOfSaleDisabled, 'POST', path`/pos/${await posIdOf(api, id)}/disable`),
  show: ({ id }) => `Point of sale ${id} is disabled. Its keys and tokens stop within two minutes.`,
})

export const posEnable = hubCommand({
  name: 'pos enable',
  does: 'lets a disabled one in again',
  example: `pos enable ${EXAMPLE_ID}`,
  args: ID,
  run: async (api, { id }) => api(PointOfSaleEnabled, 'POST', path`/pos/${await posIdOf(api, id)}/enable`),
  show: ({ id }) =>
    `Point of sale ${id} is enabled. Its API keys work again; it fetches a new token with one.`,
})
