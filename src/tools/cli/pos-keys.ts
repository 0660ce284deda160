import type { SigningSecretRotated } from '../../operator-api/contract/points-of-sale.ts'
import { UsageError, quoted } from '../usage-error.ts'
import { hubCommand, withAdvice } from './hub-command.ts'
import { ask } from './operator-api.ts'
import { EXAMPLE_ID, POS, posIdOf } from './pos.ts'
import type { View } from './view.ts'

const ID = { id: POS } as const

export const posRekey = hubCommand({
  name: 'pos rekey',
  does: 'adds an API key; the older ones stay live',
  example: `pos rekey ${EXAMPLE_ID}`,
  args: ID,
  run: async ({ id }) =>
    withAdvice(
      ask('addApiKey', { params: { id: await posIdOf(id) } }),
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
  run: async ({ id }) => ask('revokeApiKeys', { params: { id: await posIdOf(id) } }),
  show: ({ revoked }) => `${revoked} older ${revoked === 1 ? 'key is' : 'keys are'} revoked, and all tokens.`,
})

function hoursOf(written: string): number {
  const hours = Number(written)
  if (written.trim() !== '' && hours >= 0) return hours
  throw new UsageError(`--overlap must be a number of hours, such as 48, not ${quoted(written)}`)
}

function show(
  { id, signingSecret, made, repeated = false, formerUntil }: SigningSecretRotated,
  view: View,
): string {
  return [
    `Signing secret  ${signingSecret}`,
    '',
    formerUntil
      ? `X-Signature is made with the one before until ${view.time(formerUntil)}, then with it; webhook-signature with both.`
      : 'X-Signature is made with it from now on; webhook-signature also with the one before.',
    ...(repeated
      ? [
          `It was made at ${view.time(made)}: this is the same one. To make another: pos resecret ${id} --again`,
        ]
      : []),
  ].join('\n')
}

export const posResecret = hubCommand({
  name: 'pos resecret',
  does: 'makes a new signing secret; repeated within an hour, shows it again',
  example: `pos resecret ${EXAMPLE_ID} --overlap 48`,
  args: {
    id: POS,
    overlap: {
      type: 'string',
      valueHint: 'HOURS',
      description: 'let the one before sign X-Signature for so long, up to 720',
    },
    again: { type: 'boolean', description: 'make another one, though one was just made' },
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
  show,
})
