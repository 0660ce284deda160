/** How long a PSP may take to answer, in milliseconds. */
export const DEADLINE = 8000

/**
 * Asks with a signal that ends the asking after so many milliseconds. The timer is cleared as soon as there is an answer.
 * That of `AbortSignal.timeout` would stay: an object with a timer left cannot be evicted, and is billed until it is due.
 */
export async function within<Answer>(
  milliseconds: number,
  ask: (deadline: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const controller = new AbortController()
  // Made only when it is needed: it takes its stack along, which was a fifteenth of a create.
  const timer = setTimeout(
    () => controller.abort(new DOMException('no answer in time', 'TimeoutError')),
    milliseconds,
  )
  try {
    return await ask(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
