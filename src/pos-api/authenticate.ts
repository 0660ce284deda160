import type { IRequest } from 'itty-router'
import { bearerOf } from '../http/bearer.ts'
import type { Answer } from '../http/routes.ts'
import type { Refusal } from '../http/refusal.ts'
import type { Profile } from '../domain/profile.ts'
import { verifyToken } from '../storage/kv/access-token.ts'

/** A request of a known point of sale. */
export type PosRequest = IRequest & Request & { profile: Profile }

export const authenticate = async (request: PosRequest, env: Env): Promise<Answer> => {
  const token = bearerOf(request)
  if (token === null) return noCredentials(request, 'an access token')
  const profile = await verifyToken(env.TOKENS, token, Date.now())
  if (!profile) {
    const detail = 'The access token is unknown or has expired. Get a new one from the guardian.'
    return { refused: 'unauthenticated', detail, tokenGiven: true }
  }
  request.profile = profile
  return undefined
}

export const noCredentials = (request: Request, what: string): Refusal => ({
  refused: 'unauthenticated',
  detail: `Send ${what} as Authorization: Bearer.`,
  tokenGiven: request.headers.has('authorization'),
})
