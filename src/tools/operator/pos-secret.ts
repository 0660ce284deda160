import { type NewSigningSecret, SigningSecretRotated } from '../../contract/points-of-sale.ts'
import { quoted, UsageError } from '../usage-error.ts'
import { hubCommand } from './hub-command.ts'
import { path } from './operator-api.ts'
import { withAdvice } from './unseen-answer.ts'
import type { View } from './view.ts'
import { POS, posIdOf } from './which-pos.ts'

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
  example: 'pos resecret 0f3a6c1de9b24875a1c3e5f708192a3b --overlap 48',
  args: {
    id: POS,
    overlap: {
      type: 'string',
      valueHint: 'HOURS',
      description: 'let the one before sign X-Signature for so long, up to 720',
    },
    again: { type: 'boolean', description: 'make another one, though one was just made' },
  },
  run: async (api, { id, overlap, again = false }) => {
    const wanted: NewSigningSecret = {
      ...(overlap === undefined ? {} : { overlapHours: hoursOf(overlap) }),
      ...(again ? { again } : {}),
    }
    const body = Object.keys(wanted).length === 0 ? undefined : wanted
    return withAdvice(
      api(SigningSecretRotated, 'POST', path`/pos/${await posIdOf(api, id)}/secret`, body),
      `If it was made all the same, this shows it, within an hour: pos resecret ${id}`,
    )
  },
  show,
})
