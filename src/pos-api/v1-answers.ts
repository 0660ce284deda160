import * as v from 'valibot'
import { HOUR, formatWithOffset } from '../contract/timestamp.ts'
import type { Token } from '../contract/pos-operations.ts'

/** The members of answers of `/v2` that differ in v1. */
const Job = v.looseObject({ payUrl: v.string(), status: v.string(), error: v.nullable(v.string()) })

/**
 * Turns an answer of `/v2` into v1: `OPEN` in place of `PENDING`, and `pay_url` beside `payUrl`.
 * Clients of v1 take any answer with an `error` for a failed request, so only a failed job has one.
 * A problem stays as it is.
 */
export function inV1(answer: unknown): unknown {
  const read = v.safeParse(Job, answer)
  if (!read.success) return answer
  const { payUrl, status, error } = read.output
  return {
    ...read.output,
    status: status === 'PENDING' ? 'OPEN' : status,
    error: status === 'FAILURE' ? error : null,
    pay_url: payUrl,
  }
}

/**
 * Writes JSON byte for byte as PHP's `json_encode` does: the PHP SDK decodes a body, encodes it
 * again and verifies the signature over the result.
 */
export function phpJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('/', String.raw`\/`)
    .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * Makes the access token of v1. Its clients never send it; they use it as the key to verify
 * answers, reports and returns. So it is the signing secret. It expires when another secret may
 * sign: in an hour, or at `formerSecretUntil` (ms) if that is sooner.
 */
export function tokenOf(secret: string, formerSecretUntil: number, now: number): Token {
  const changes = formerSecretUntil > now ? formerSecretUntil : Infinity
  const expiration = Math.floor(Math.min(now + HOUR, changes) / 1000)
  return { token: secret, expiration, expiration_datetime: formatWithOffset(expiration) }
}
