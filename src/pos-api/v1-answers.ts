import * as v from 'valibot'
import { HOUR, formatWithOffset } from '../contract/timestamp.ts'
import type { Token } from '../contract/pos-operations.ts'

/** What the answers of `/v2` have that the dialect tells otherwise. */
const Job = v.looseObject({ payUrl: v.string(), status: v.string(), error: v.nullable(v.string()) })

/**
 * An answer of `/v2` as clients of v1 expect it: `OPEN` in place of `PENDING`, and `pay_url` beside
 * `payUrl`. They take any answer with an `error` for a failed request, so only a job that failed
 * has one. A problem stays as it is.
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
 * JSON byte for byte as PHP's `json_encode` writes it: the PHP SDK decodes a body, encodes it again
 * and verifies the signature over that.
 */
export function phpJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('/', String.raw`\/`)
    .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * The access token of v1. Its clients never send it: it is the key by which they verify answers,
 * reports and returns. So it is the signing secret, and expires when another one may sign: in an
 * hour, or at `formerSecretUntil` (ms) if that is sooner.
 */
export function tokenOf(secret: string, formerSecretUntil: number, now: number): Token {
  const changes = formerSecretUntil > now ? formerSecretUntil : Infinity
  const expiration = Math.floor(Math.min(now + HOUR, changes) / 1000)
  return { token: secret, expiration, expiration_datetime: formatWithOffset(expiration) }
}
