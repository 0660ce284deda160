import * as v from 'valibot'
import { command } from './command.ts'
import { CommandError } from './operator-api.ts'
import { table } from '../table.ts'

const PointOfSale = v.object({
  id: v.string(),
  name: v.string(),
  mode: v.picklist(['test', 'live']),
  signReturn: v.boolean(),
  created: v.string(),
  disabled: v.nullable(v.string()),
})
const NewPointOfSale = v.object({ ...PointOfSale.entries, apiKey: v.string(), signingSecret: v.string() })

const idOf = (id: string | undefined, usage: string): string => {
  if (!id) throw new CommandError(`Say which point of sale: ${usage}`)
  return encodeURIComponent(id)
}

export const posCreate = command({
  usage: 'pos create --name NAME [--live] [--sign-return]',
  does: 'adds a point of sale, and shows its key once',
  options: { name: { type: 'string' }, live: { type: 'boolean' }, 'sign-return': { type: 'boolean' } },
  answer: NewPointOfSale,
  run: (api, { name, live, 'sign-return': signReturn }) => {
    if (typeof name !== 'string') throw new CommandError('Give the point of sale a name: --name "Shop 1"')
    return api('POST', '/pos', { name, mode: live ? 'live' : 'test', signReturn: signReturn ?? false })
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

export const posList = command({
  usage: 'pos list',
  does: 'lists the points of sale',
  options: {},
  answer: v.pipe(
    v.object({ pointsOfSale: v.array(PointOfSale) }),
    v.transform(({ pointsOfSale }) => pointsOfSale),
  ),
  run: (api) => api('GET', '/pos'),
  show: (all) =>
    all.length === 0
      ? 'There is no point of sale yet.'
      : table(
          ['id', 'name', 'mode', 'created', 'disabled'],
          all.map((pos) => [pos.id, pos.name, pos.mode, pos.created, pos.disabled ?? '']),
        ),
})

export const posRekey = command({
  usage: 'pos rekey ID',
  does: 'adds an API key; the older ones stay live',
  options: {},
  answer: v.object({ id: v.string(), apiKey: v.string() }),
  run: (api, _, [id]) => api('POST', `/pos/${idOf(id, 'pos rekey ID')}/keys`),
  show: ({ apiKey }) =>
    `API key  ${apiKey}\n\nKeep it now: it is not shown again. When the shop uses it, end the older ones: pos revoke ID`,
})

export const posRevoke = command({
  usage: 'pos revoke ID',
  does: 'ends its API keys but the newest, and its tokens',
  options: {},
  answer: v.object({ id: v.string(), revoked: v.number() }),
  run: (api, _, [id]) => api('POST', `/pos/${idOf(id, 'pos revoke ID')}/keys/revoke`),
  show: ({ revoked }) => `${revoked} older ${revoked === 1 ? 'key is' : 'keys are'} revoked, and all tokens.`,
})

export const posResecret = command({
  usage: 'pos resecret ID',
  does: 'makes a new signing secret',
  options: {},
  answer: v.object({ id: v.string(), signingSecret: v.string() }),
  run: (api, _, [id]) => api('POST', `/pos/${idOf(id, 'pos resecret ID')}/secret`),
  show: ({ signingSecret }) =>
    `Signing secret  ${signingSecret}\n\nX-Signature is made with it from now on; webhook-signature also with the one before.`,
})

export const posDisable = command({
  usage: 'pos disable ID',
  does: 'stops its keys and tokens within a minute',
  options: {},
  answer: v.object({ id: v.string(), disabled: v.boolean() }),
  run: (api, _, [id]) => api('POST', `/pos/${idOf(id, 'pos disable ID')}/disable`),
  show: ({ id }) => `Point of sale ${id} is disabled. Its keys and tokens stop within a minute.`,
})
