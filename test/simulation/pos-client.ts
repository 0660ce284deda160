import type { Pos } from '../support/hub.ts'
import { checkSigned } from './reports-seen.ts'
import { promise } from './violation.ts'

/** How long (ms) a token is valid. Its end is told in whole seconds. */
const TOKEN_LIFE = 86_400_000
const SECOND = 1000

type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** No token is to be had now. */
const NOT_NOW = () => new Response(null, { status: 503 })

/** What the shop is known by, at the hub: its API key, and the signing secrets that may be in use. */
export type Credentials = { apiKey: string; secrets: readonly string[] }

export const credentialsOf = ({ apiKey, signingSecret }: Pos): Credentials => ({
  apiKey,
  secrets: [signingSecret],
})

/**
 * The shop as a client of the hub's API. It trades its API key for a token, and keeps that until the hub refuses it, which
 * the hub does when the token's time is over, and not before. What it answers with is signed.
 */
export const posClient = (credentials: () => Credentials, ask: Ask): Ask => {
  let held: { token: string; since: number } | null = null
  const trade = async () => {
    const since = Date.now()
    const { apiKey } = credentials()
    const response = await ask('/v1/guardian', { headers: { authorization: `Bearer ${apiKey}` } })
    if (response.status >= 500) return null
    promise(response.status === 200, `a live API key was answered with ${response.status}`)
    const { token } = await response.json<{ token: string }>()
    return (held = { token, since })
  }
  return async (path, init = {}) => {
    const known = held ?? (await trade())
    if (!known) return NOT_NOW()
    const before = Date.now()
    const call = (token: string) => {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${token}`)
      return ask(path, { ...init, headers })
    }
    const response = await call(known.token)
    if (response.status !== 401) {
      const isFair = response.status >= 500 || before < known.since + TOKEN_LIFE
      promise(isFair, `a token of ${before - known.since} ms was honoured`)
      return signed(credentials().secrets, path, response)
    }
    const age = Date.now() - known.since
    promise(age > TOKEN_LIFE - SECOND, `a token of ${age} ms was refused`)
    if (held === known) held = null
    const fresh = held ?? (await trade())
    return fresh ? signed(credentials().secrets, path, await call(fresh.token)) : NOT_NOW()
  }
}

/** An answer to a shop that the hub knows is signed. A 503 may come from before that. */
const signed = async (secrets: readonly string[], path: string, response: Response): Promise<Response> => {
  const { status, headers } = response
  if (status === 401 || (status >= 500 && !headers.has('x-signature'))) return response
  await checkSigned(secrets, `the answer ${status} to ${path}`, headers, await response.clone().text())
  return response
}
