/**
 * What a promise brings, unless the signal aborts first: a job's object may take for ever. Then `abandon` sees to what comes after
 * all, and it throws an error that counts as an outage (`src/platform/http/outage.ts`).
 */
export async function unlessStopped<Value>(
  signal: AbortSignal,
  promise: Promise<Value>,
  abandon: () => void = () => {},
): Promise<Value> {
  const stopped = Promise.withResolvers<never>()
  const stop = (): void =>
    stopped.reject(Object.assign(new Error('the job did not answer in time'), { retryable: true }))
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop)
  try {
    return await Promise.race([promise, stopped.promise])
  } catch (error) {
    abandon()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
