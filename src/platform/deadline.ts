/** What a promise brings, or null after a time (ms). The promise's work goes on all the same. */
export async function within<Value>(time: number, promise: Promise<Value>): Promise<Value | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(late.resolve, time, null)
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer))
}

/** What a promise brings. Throws an outage once the signal aborts; `abandon` sees to what comes. */
export async function unlessAborted<Value>(
  signal: AbortSignal,
  promise: Promise<Value>,
  abandon: () => void = () => {},
): Promise<Value> {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void =>
    aborted.reject(Object.assign(new Error('what was asked did not answer in time'), { retryable: true }))
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  try {
    return await Promise.race([promise, aborted.promise])
  } catch (error) {
    abandon()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * Asks with a signal that ends the asking after a time (ms). The timer is cleared as soon as there
 * is an answer. That of `AbortSignal.timeout` would stay: an object with a timer left cannot be
 * evicted, and is billed until it is due.
 */
export async function withDeadline<Answer>(
  time: number,
  ask: (deadline: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const controller = new AbortController()
  // Made only when it is needed: it takes its stack along, which was a fifteenth of a create.
  const timer = setTimeout(
    () => controller.abort(new DOMException('no answer in time', 'TimeoutError')),
    time,
  )
  try {
    return await ask(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
