/** How much of an answer is read at most, in bytes, and how long (ms). */
const MOST_BYTES = 1024
const LONGEST = 1000
/** How much of it is kept, in characters. */
const MOST_CHARACTERS = 200

/**
 * How a receiver's answer begins, as one line without control characters; empty where it says nothing. It ends in time, whatever
 * the receiver sends or does not send.
 */
export async function answerBeginning({ body }: Response): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<{ value?: undefined }>((resolve) => {
    timer = setTimeout(() => resolve({}), LONGEST)
  })
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  try {
    while (length < MOST_BYTES) {
      const { value } = await Promise.race<{ value?: Uint8Array | undefined }>([reader.read(), late])
      if (!value) break
      text += decoder.decode(value.subarray(0, MOST_BYTES - length), { stream: true })
      length += value.byteLength
    }
  } catch {
    // The connection broke in the middle: what came before tells something.
  } finally {
    clearTimeout(timer)
    void reader.cancel().catch(() => {})
  }
  return inOneLine(text)
}

function inOneLine(text: string): string {
  return Array.from(text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim())
    .slice(0, MOST_CHARACTERS)
    .join('')
}
