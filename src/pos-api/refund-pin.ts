import { auditLog } from '../audit/audit-log.ts'
import { type Result, refuse } from '../contract/result.ts'
import { isoTime } from '../contract/timestamp.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { log } from '../platform/log.ts'
import { currentRequestId } from '../platform/request-context.ts'
import type { Profile } from '../registry/profile.ts'
import { MOST_WRONG, readRefundPin, tryRefundPin } from '../registry/refund-pin.ts'

type Refused = Result<never, Refusal>

/**
 * Lets a key without the right to refund (`lack`) refund by the PIN of its point of sale: null if the request has
 * it, otherwise why not. Whoever guesses locks the PIN, and with it all keys that need it.
 */
export async function lackOfPin(
  request: Request,
  env: Env,
  { pos }: Profile,
  lack: Refused,
): Promise<Refused | null> {
  const pin = request.headers.get('refund-pin')
  const now = Date.now()
  if (!pin) return (await readRefundPin(env.DB, pos)) ? pinMissing : lack
  const tried = await tryRefundPin(env, pos, pin, now)
  if (tried === null) return lack
  if (tried.is === 'right') return null
  const until = isoTime(tried.until)
  if (tried.is === 'locked')
    return refuse({
      code: 'refund-pin-locked',
      detail: `Too many wrong PINs were tried. The hub looks at the next one from ${until} on.`,
      name: 'refund-pin',
      limit: MOST_WRONG,
      period: Math.max(1, Math.ceil((tried.until - now) / 1000)),
    })
  if (tried.until > 0) await recordLock(env, pos, until)
  return pinWrong
}

const pinMissing = refuse({
  code: 'refund-pin-missing',
  detail: 'The API key may only refund by the PIN of the point of sale: send it as Refund-PIN.',
})

const pinWrong = refuse({
  code: 'refund-pin-wrong',
  detail: 'The PIN is wrong. After some wrong tries the hub looks at none for a while.',
})

/** Tells the operators by the audit log. If that does not answer, the lock holds all the same. */
async function recordLock(env: Env, pos: string, until: string): Promise<void> {
  const change = { by: 'hub', action: 'pos.pin-lock', subject: pos, result: 'done' } as const
  const record = { ...change, role: '', via: '', token: '', request: currentRequestId(), of: null }
  await auditLog(env)
    .append({ ...record, before: null, after: { until } })
    .catch((error) => log.fault('audit.end-lost', error, { ...change, entry: null }))
}
