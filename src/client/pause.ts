/** Waits `time` ms. Throws the signal's reason when it aborts. */
export async function pause(time: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, time)
    signal?.addEventListener('abort', end, { once: true })
  })
}

/** Returns the pause (ms) after the nth try, from 1 on: doubles up to 10 s, jittered by half. */
export function backoff(tries: number): number {
  return Math.min(300 * 2 ** (tries - 1), 10_000) * (0.5 + Math.random() / 2)
}

/** Rejects with the signal's reason once it aborts; never resolves. */
export function whenAborted(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Returns a signal that aborts with the first of both. */
export function either(one: AbortSignal, other?: AbortSignal): AbortSignal {
  if (!other || other instanceof AbortSignal) return other ? AbortSignal.any([one, other]) : one
  // `AbortSignal.any` and `fetch` refuse a signal of another realm or library.
  const first = new AbortController()
  Promise.race([whenAborted(one), whenAborted(other)]).catch((reason: unknown) => first.abort(reason))
  return first.signal
}
