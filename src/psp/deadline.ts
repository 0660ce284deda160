/** How long a PSP may take to answer, in milliseconds. */
export const DEADLINE = 8000

/**
 * Asks with a signal that ends it after so many milliseconds. The timer goes with the answer, which that of
 * `AbortSignal.timeout` does not: an object with a timer left cannot be put to rest, and is billed until it has rung.
 */
export const within = async <Answer>(
  milliseconds: number,
  ask: (deadline: AbortSignal) => Promise<Answer>,
): Promise<Answer> => {
  const controller = new AbortController()
  const late = new DOMException('no answer in time', 'TimeoutError')
  const timer = setTimeout(() => controller.abort(late), milliseconds)
  try {
    return await ask(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
