import * as v from 'valibot'
import { toBase64, utf8 } from '../../platform/crypto/hash.ts'
import { bounded } from '../../platform/bounded.ts'
import { type Authorised, type CallResult, apiClient, unavailable } from '../http-client.ts'
import type { Fetch } from '../port.ts'
import type { Credentials } from './tables.ts'

/** https://developer.paypal.com/api/rest/authentication/ */
const Token = v.object({ access_token: v.pipe(v.string(), v.minLength(1)), expires_in: v.number() })

/** How long (ms) before its end the hub replaces a token. */
const EARLY = 60_000

/** The tokens of this isolate, by address and credentials. PayPal slows down an account that fetches many. */
const tokens = bounded<{ account: Authorised; until: number }>()

/**
 * Returns the function that names the account in requests: by a token, which lives for hours, and which the function
 * fetches when there is none, or when PayPal has refused it. `prefer` makes PayPal answer with the whole object.
 */
export function authoriseBy({
  fetch,
  endpoint,
  credentials: { clientId, clientSecret },
}: {
  fetch: Fetch
  endpoint: string
  credentials: Credentials
}) {
  const name = [endpoint, clientId, clientSecret].join(' ')
  const basic = `Basic ${toBase64(utf8(`${clientId}:${clientSecret}`))}`
  const client = { headers: { authorization: basic }, secret: clientSecret }
  const call = apiClient({ fetch, endpoint, authorise: () => client })
  return async (deadline: AbortSignal, refused?: Authorised): Promise<Authorised | CallResult> => {
    const kept = tokens.get(name)
    if (kept && kept.account !== refused && Date.now() < kept.until) return kept.account
    const body = new URLSearchParams({ grant_type: 'client_credentials' })
    const answer = await call('POST', '/v1/oauth2/token', { body, deadline })
    if (answer.is === 'unavailable' || answer.status >= 400) return answer
    const token = v.safeParse(Token, answer.body)
    if (!token.success) return unavailable(`PayPal answered ${answer.status} without a token.`)
    const { access_token: secret, expires_in: seconds } = token.output
    // PayPal gives the same token again while it lives.
    if (secret === refused?.secret) return refused
    const account = {
      headers: { authorization: `Bearer ${secret}`, prefer: 'return=representation' },
      secret,
    }
    tokens.set(name, { account, until: Date.now() + seconds * 1000 - EARLY })
    return account
  }
}
