/**
 * Cloudflare's list prices (Workers Paid plan) in USD, beyond the included amounts, as read on 2026-11-21 at
 * https://developers.cloudflare.com/{workers,durable-objects,kv,d1,queues}/platform/pricing/. If they change,
 * only this file does. The price of log events, and of spans, is from the documentation of Workers Logs as
 * known on 2026-11-22; its source was not read that day.
 */
export const PRICES_READ_ON = '2026-11-21'

/** For a million. */
export const PER_MILLION = {
  'worker requests': 0.3,
  'worker CPU milliseconds': 0.02,
  'object requests': 0.15,
  'object rows read': 0.001,
  'object rows written': 1,
  // A request of the object, and a row of it.
  'alarm runs': 0.15,
  'alarm sets': 1,
  'kv reads': 0.5,
  'kv writes': 5,
  'kv deletes': 5,
  'kv lists': 5,
  'd1 rows read': 0.001,
  'd1 rows written': 1,
  'queue operations': 0.4,
  'log events': 0.6,
  'trace spans': 0.6,
} as const

/** For a million GB-seconds; an object is billed 128 MB. */
export const OBJECT_DURATION = { perMillionGbSeconds: 12.5, gigabytes: 0.128 }

/** For a gigabyte a month. */
export const STORAGE = { object: 0.2, d1: 0.75, kv: 0.5 }
