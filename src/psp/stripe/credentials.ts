import * as v from 'valibot'
import type { Mode } from '../../registry/account.ts'

export const Credentials = v.object({
  secretKey: v.pipe(
    v.string('must be a text'),
    v.regex(/^[sr]k_(test|live)_[\x21-\x7e]+$/, 'must be a Stripe secret key: sk_live_…, sk_test_…, rk_…'),
    v.description(
      'secret key (sk_…), or a restricted one (rk_…) that may write Checkout Sessions, PaymentIntents and Charges and Refunds, and read Disputes, from Developers → API keys',
    ),
  ),
  webhookSecret: v.pipe(
    v.string('must be a text'),
    v.regex(
      /^[\s,]*whsec_[^\s,]+([\s,]+whsec_[^\s,]+)*[\s,]*$/,
      'must be a Stripe signing secret: whsec_…, or several with spaces between them',
    ),
    v.description(
      "the webhook endpoint's signing secret (whsec_…), from Developers → Webhooks; while it is rolled the one before it too, after a space",
    ),
  ),
})
export type Credentials = v.InferOutput<typeof Credentials>

/** Stripe's keys show their mode. */
export function modeOf({ secretKey }: Credentials): Mode {
  return /^.k_live_/.test(secretKey) ? 'live' : 'test'
}
