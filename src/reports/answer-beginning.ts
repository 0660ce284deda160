/** How much of an answer is read at most, in bytes, and how long (ms). */
const MOST_BYTES = 1024
const LONGEST = 1000
/** How much of it is kept, in characters. */
const MOST_CHARACTERS = 200

/**
 * How a receiver's answer begins, as one line without control characters; empty where it says nothing. It ends in time, whatever
 * the receiver sends or does not send.
 */
export const answerBeginning = async ({ body }: Response): Promise<string> => {
  if (!body) return ''
  const reader = body.getReader()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<{ done: true }>((resolve) => {
    timer = setTimeout(resolve, LONGEST, { done: true })
  })
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  try {
    while (length < MOST_BYTES) {
      const part: { done: boolean; value?: Uint8Array } = await Promise.race([reader.read(), late])
      if (part.done || !part.value) break
      text += decoder.decode(part.value.subarray(0, MOST_BYTES - length), { stream: true })
      length += part.value.byteLength
    }
  } catch {
    // The connection broke in the middle: what came before tells something.
  } finally {
    clearTimeout(timer)
    void reader.cancel().catch(() => {})
  }
  return inOneLine(text)
}

const inOneLine = (text: string): string =>
  Array.from(text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim())
    .slice(0, MOST_CHARACTERS)
    .join('')
