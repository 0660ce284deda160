import { HubError } from './hub-error.ts'

/** A server-sent event. */
export type ServerEvent = { event: string; data: string; id: string | null }

/** Reads server-sent events as they come (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export async function* serverEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerEvent, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause: unknown) => {
        throw new HubError({ code: 'no-answer', message: 'The stream was cut off.', cause })
      })
      if (done) return
      onBytes()
      text += decoder.decode(value, { stream: true })
      const blocks = text.split(/\r\n\r\n|\n\n|\r\r/)
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parse(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Null for a block that has no data: a comment, or a time to come back after. */
function parse(block: string): ServerEvent | null {
  let [event, id]: [string, string | null] = ['message', null]
  const data: string[] = []
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === 'event') event = value
    else if (field === 'id') id = value
    else if (field === 'data') data.push(value)
  }
  return data.length === 0 ? null : { event, data: data.join('\n'), id }
}
