/**
 * Whether an error says that a part of the platform is down or too busy for now. Objects say so by properties (https://developers.cloudflare.com/durable-objects/best-practices/error-handling/),
 * D1 and KV by their messages.
 */
export function isOutage(error: unknown): boolean {
  return (
    error instanceof Error &&
    (('overloaded' in error && error.overloaded === true) ||
      ('retryable' in error && error.retryable === true) ||
      /^(D1_|KV )/.test(error.message) ||
      (error.cause !== undefined && isOutage(error.cause)))
  )
}

/**
 * Whether an error says that an object lacks a method: a deploy has not reached it yet. The runtime says so in the long form,
 * Vitest's in the short one.
 */
export function isOfReleaseBefore(error: unknown): boolean {
  return error instanceof Error && /does not implement (the method )?"/.test(error.message)
}
