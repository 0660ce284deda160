import { log } from '../platform/log.ts'

/**
 * The body of an export, whose texts are made when the client has taken those before: it holds one of them. The first is there before
 * the answer begins, so what fails by then is said with a status. A fault after that breaks the answer off: a client never takes a
 * part for the whole.
 */
export async function exportBody(texts: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let first: IteratorResult<string, unknown> | null = await texts.next()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const { value, done } = first ?? (await texts.next())
            first = null
            if (done === true) return controller.close()
            if (value !== '') return controller.enqueue(encoder.encode(value))
          }
        } catch (error) {
          log.fault('export.broken-off', error)
          throw error
        }
      },
      async cancel() {
        await texts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
