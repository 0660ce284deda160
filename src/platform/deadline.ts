/** Returns the promise's value, or null after a time (ms); the promise's work goes on. */
export async function within<Value>(time: number, promise: Promise<Value>): Promise<Value | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(late.resolve, time, null)
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer))
}

/** Returns the promise's value; throws if the signal aborts. `abandon` runs after any failure. */
export async function unlessAborted<Value>(
  signal: AbortSignal,
  promise: Promise<Value>,
  abandon: () => void = () => {},
): Promise<Value> {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void =>
    aborted.reject(Object.assign(new Error('a part of the hub did not answer in time'), { retryable: true }))
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
 * Calls `ask` with a signal that aborts after a time (ms), and clears the timer as soon as there is an
 * answer. The timer of `AbortSignal.timeout` would keep running, and an object with a running timer is
 * not evicted, and billed until it ends.
 */
export async function withDeadline<Answer>(
  time: number,
  ask: (deadline: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const controller = new AbortController()
  // Made only if needed: capturing its stack took a fifteenth of the time of a create.
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
