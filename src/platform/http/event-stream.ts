import { utf8 } from '../crypto/hash.ts'
import { within } from '../deadline.ts'

export type ServerEvent = { event: string; id?: string; data: string }

/** How often (ms) the hub sends a comment: it keeps proxies open, and reveals that a client has gone. */
export const COMMENT_EVERY = 15_000

/** Milliseconds until a client reconnects; `later` if the stream could not follow the changes. */
const RETRY = { soon: 2000, later: 10_000 }

type StreamOptions = {
  stop: () => void
  /** Called before each event and each comment. False ends the stream. */
  mayGoOn?: () => Promise<boolean>
  /** The stream ends before the changes do, so the client should reconnect later. */
  isShort: boolean
}

/**
 * Answers with server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * Takes the next event only after the client has read the previous one.
 */
export function eventStream(events: AsyncIterable<ServerEvent>, options: StreamOptions): Response {
  const { stop, mayGoOn, isShort } = options
  const iterator = events[Symbol.asyncIterator]()
  let next: Promise<IteratorResult<ServerEvent>> | null = null

  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    next ??= iterator.next()
    const came = await within(COMMENT_EVERY, next)
    if (came?.done === true) {
      if (isShort) controller.enqueue(utf8(`retry: ${RETRY.later}\n\n`))
    } else if (!mayGoOn || (await mayGoOn())) {
      if (came !== null) next = null
      return controller.enqueue(utf8(came === null ? ':\n\n' : encode(came.value)))
    }
    controller.close()
    stop()
  }

  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(utf8(`retry: ${RETRY.soon}\n\n`)),
    async pull(controller) {
      try {
        await pull(controller)
      } catch (error) {
        stop()
        throw error
      }
    },
    cancel: stop,
  })
  return new Response(body, { headers: STREAM_HEADERS })
}

export function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}

/** Intermediaries must not store, compress or buffer the stream. */
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

function encode({ event, id, data }: ServerEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`
}
