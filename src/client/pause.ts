/** Waits (ms). Throws the signal's reason when that ends it. */
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

/** The pause (ms) after the nth try, from 1 on: it doubles up to ten seconds, jittered by half. */
export function backoff(tries: number): number {
  return Math.min(300 * 2 ** (tries - 1), 10_000) * (0.5 + Math.random() / 2)
}

/** Throws the signal's reason once that aborts; until then it never ends. */
export function whenAborted(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Aborts with the first of both. */
export function either(one: AbortSignal, other?: AbortSignal): AbortSignal {
  return other ? AbortSignal.any([one, other]) : one
}
