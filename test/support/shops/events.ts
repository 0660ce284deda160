/** One server-sent event as a client reads it. */
export type SeenEvent = { event: string; id?: string; data: string }

/** Reads a stream of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function readEvents(response: Response) {
  if (!response.body) throw new Error('the response has no body')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const waiting: SeenEvent[] = []
  /** Everything except events: comments, and `retry`. */
  const others: string[] = []
  let text = ''

  const take = (block: string): void => {
    const lines = block.split('\n')
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
    const [event, id, data] = [field('event'), field('id'), field('data')]
    if (data === undefined) others.push(block)
    else waiting.push({ event: event ?? 'message', ...(id === undefined ? {} : { id }), data })
  }

  return {
    others,
    /** The next event; null when the stream has ended. */
    async next(): Promise<SeenEvent | null> {
      for (;;) {
        const event = waiting.shift()
        if (event) return event
        const { done, value } = await reader.read()
        if (done) return null
        text += value
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        blocks.forEach(take)
      }
    },
    cancel: () => reader.cancel(),
  }
}
export type Events = ReturnType<typeof readEvents>

/** A body that arrives in these pieces, without a Content-Length. */
export function inPieces(...pieces: Uint8Array[]): ReadableStream<Uint8Array> {
  const left = [...pieces]
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift()
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
  })
}
