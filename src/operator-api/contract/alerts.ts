import * as v from 'valibot'

/** What the operator API answers about alerts: what the operator is told of without asking. */

/** A shop or an account (`subject`) that fails, or failed until `ended`. `told` is when the newest message of it went out. */
export const Alert = v.object({
  id: v.string(),
  kind: v.picklist(['shop-failing', 'account-failing']),
  subject: v.string(),
  detail: v.string(),
  since: v.string(),
  told: v.nullable(v.string()),
  ended: v.nullable(v.string()),
})
export type Alert = v.InferOutput<typeof Alert>

/** The answer of `GET /alerts`: those that last, and the hundred that ended last. `isOn`: whether the hub has an `ALERT_URL`. */
export const AlertList = v.object({ isOn: v.boolean(), alerts: v.array(Alert) })
export type AlertList = v.InferOutput<typeof AlertList>

/** The answer of `POST /alerts/test`: what the receiver answered to a test message. */
export const AlertTested = v.object({ delivered: v.boolean(), outcome: v.string() })
export type AlertTested = v.InferOutput<typeof AlertTested>

/** The answer of `POST /alerts/secret`: the secret that signs alerts, as base64. */
export const AlertSecret = v.object({ signingSecret: v.string() })
export type AlertSecret = v.InferOutput<typeof AlertSecret>
