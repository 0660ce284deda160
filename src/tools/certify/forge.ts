import { createHmac, randomBytes } from 'node:crypto'
import type { PaymentJob } from '../../contract/payment-job.ts'

/** A secret of the same form as that of a shop, which is none of it. */
export function anotherSecret(): string {
  return randomBytes(48).toString('base64')
}

/**
 * The headers of a report, signed as the hub signs: `X-Signature`, and those of Standard Webhooks
 * 1.0. `time` is in ms.
 */
export function signedHeaders(
  secret: string,
  id: string,
  time: number,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(time / 1000))
  const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')
  return {
    'content-type': 'application/json',
    'x-signature': createHmac('sha512', secret).update(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}

/** A job as its report would tell it had it been paid. */
export function asIfPaid(job: PaymentJob): PaymentJob {
  const paid = { status: 'SUCCESS', amountDue: '0.00', amountPaid: job.amountDue } as const
  return {
    ...job,
    ...paid,
    lastUpdate: job.lastUpdate.replace(/^\d{4}/, (year) => String(Number(year) + 1)),
    payments: { ...job.payments, ...paid },
  }
}

/** A report's body with members, and an action, that the shop does not know. */
export function withUnknownMembers(body: string): string {
  const members = '{"loyalty":{"points":7},"future":null,'
  return body.replace('{', members).replace('"steps":[', '"later":[],"steps":[{"action":"Certify","mood":7},')
}
