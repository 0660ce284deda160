import { throwIfLost } from '../registry/lost-registry.ts'
import type { State } from '../job/core/state.ts'
import { toHex } from '../platform/crypto/hash.ts'
import { hmac } from '../platform/crypto/signing.ts'
import { type Profile, presentSecret } from '../registry/profile.ts'
import { shownText } from '../platform/pages/formats.ts'
import { tillAddress } from '../platform/http/public-url.ts'
import { readProfile } from '../registry/copies.ts'

/**
 * A shop as its customer knows it. `back` leads there; null for an order of the hub's own
 * till, or at a terminal, that has no such address. An invisible name counts as none.
 */
export type Shop = { name: string | undefined; back: string | null; isTest: boolean }

/** Throws an outage if the registry is lost: an unsigned return would be wrong. */
export async function shopOf(env: Env, job: State): Promise<Shop> {
  const profile = await readProfile(env, job.pos)
  if (!profile) await throwIfLost(env)
  return {
    name: shownText(profile?.name ?? '') || undefined,
    back: await returnLocation(env, job, profile),
    isTest: !job.isLive,
  }
}

/**
 * Returns the address to which the customer goes back: exactly the `return_url`. For a point of sale
 * with signed returns, adds `order_number`, `order_code` (the order id), `payment_job` and their
 * `signature`.
 */
async function returnLocation(env: Env, job: State, profile: Profile | null): Promise<string | null> {
  const { returnUrl, orderNumber, orderId } = job.order
  if (returnUrl === '' || returnUrl === tillAddress(job.origin)) return null
  if (!profile?.signReturn) return headerSafe(returnUrl)
  const secret = await presentSecret(env.SIGNING_ROOT, profile)
  const signature = toHex(await hmac('SHA-512', secret, `${orderNumber},${orderId},${job.id}`))
  const parameters = new URLSearchParams({
    order_number: orderNumber,
    order_code: orderId,
    payment_job: job.id,
    signature,
  })
  const [address = '', fragment] = headerSafe(returnUrl).split('#', 2)
  const joined = `${address}${address.includes('?') ? '&' : '?'}${parameters}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}

/** Makes an address safe for a header, which holds ASCII only, by encoding it as browsers do. */
function headerSafe(url: string): string {
  return /^[\x21-\x7e]*$/.test(url) ? url : new URL(url).href
}
