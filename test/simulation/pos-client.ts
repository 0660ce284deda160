import { checkSigned } from './reports-seen.ts'
import { promise } from './violation.ts'

/** How long (ms) a token is valid. It ends on a whole second. */
const TOKEN_LIFE = 86_400_000
const SECOND = 1000
/** Everywhere, an ended token stops working within this time (ms). */
const ENDS_WITHIN = 120_000

type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** The answer if the shop gets no token now. */
function noToken() {
  return new Response(null, { status: 503 })
}

/**
 * The shop's credentials at the hub. `secrets`: the signing secrets that may be in use; null after a change
 * whose outcome is unknown. Until `formerUntil` (ms) a former one may sign. `ended`: when (ms) earlier tokens
 * were ended, and whether that is certain.
 */
export type Access = {
  apiKey: string
  secrets: readonly string[] | null
  formerUntil: number
  ended: { at: number; isSure: boolean } | null
  isDisabled: boolean
}

/**
 * The shop as a client of the hub's API. It trades its API key for a token, and keeps it until the hub
 * refuses it. The hub does so when the token's time is over or an operator has ended it, and not before. Its
 * answers are signed.
 */
export function posClient(access: () => Access, ask: Ask): Ask {
  let held: { token: string; since: number; ended: Access['ended'] } | null = null
  const trade = async () => {
    const since = Date.now()
    const { apiKey, ended } = access()
    const response = await ask('/v1/guardian', { headers: { authorization: `Bearer ${apiKey}` } })
    if (response.status >= 500) return null
    const mayBeRefused = access().isDisabled || access().ended !== null
    promise(
      response.status === 200 || (response.status === 401 && mayBeRefused) || response.status === 429,
      `a live API key was answered with ${response.status}`,
    )
    if (response.status !== 200) return null
    const { token } = await response.json<{ token: string }>()
    return (held = { token, since, ended })
  }
  return async (path, init = {}) => {
    const known = held ?? (await trade())
    if (!known) return noToken()
    const before = Date.now()
    const call = (token: string) => {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${token}`)
      return ask(path, { ...init, headers })
    }
    const endedBefore = access().ended
    const response = await call(known.token)
    if (response.status === 429) return noToken()
    if (response.status !== 401) {
      const isOver =
        before >= known.since + TOKEN_LIFE ||
        (endedBefore?.isSure === true &&
          // By identity, not time: the clock may have stepped back in between.
          known.ended !== endedBefore &&
          before > endedBefore.at + ENDS_WITHIN)
      promise(response.status >= 500 || !isOver, `a token of ${before - known.since} ms was honoured`)
      return signed(access().secrets, path, response)
    }
    const age = Date.now() - known.since
    const { ended } = access()
    const isEnded = ended !== null && known.since <= ended.at + ENDS_WITHIN
    promise(age > TOKEN_LIFE - SECOND || isEnded, `a token of ${age} ms was refused`)
    if (held === known) held = null
    const fresh = held ?? (await trade())
    if (!fresh) return noToken()
    const again = await call(fresh.token)
    return again.status === 401 || again.status === 429 ? noToken() : signed(access().secrets, path, again)
  }
}

/** Checks the signature of an answer. A 5xx has none if it comes before the hub knows the shop. */
async function signed(
  secrets: readonly string[] | null,
  path: string,
  response: Response,
): Promise<Response> {
  const { status, headers } = response
  if (secrets === null || (status >= 500 && !headers.has('x-signature'))) return response
  await checkSigned(secrets, `the answer ${status} to ${path}`, headers, await response.clone().text())
  return response
}
