import { toHex } from '../../platform/crypto/bytes.ts'
import { equalInConstantTime } from '../../platform/crypto/hash.ts'
import { hmac } from '../../platform/crypto/hmac.ts'

/** How many seconds a signature may be old, as in Stripe's own clients, or ahead, which they do not limit. */
const TOLERANCE = 300

/**
 * Whether a `Stripe-Signature` is of a body that came in at `at` (ms), by one of the secrets:
 * https://docs.stripe.com/webhooks#verify-manually. It reads `t=…,v1=…`, with a `v1` for each secret while one is
 * rolled; other schemes do not count.
 */
export async function isSigned(
  header: string,
  body: string,
  at: number,
  secrets: readonly string[],
): Promise<boolean> {
  const members = header.split(',').map((member) => member.split('=', 2))
  const valuesOf = (name: string) => members.flatMap(([key, value]) => (key === name && value ? [value] : []))
  const [time, ...otherTimes] = valuesOf('t')
  if (time === undefined || otherTimes.length > 0 || !/^\d+$/.test(time)) return false
  if (Math.abs(Math.floor(at / 1000) - Number(time)) > TOLERANCE) return false
  const expected = await Promise.all(
    secrets.map(async (secret) => toHex(await hmac('SHA-256', secret, `${time}.${body}`))),
  )
  const matches = await Promise.all(
    valuesOf('v1').flatMap((given) => expected.map((wanted) => equalInConstantTime(given, wanted))),
  )
  return matches.includes(true)
}
