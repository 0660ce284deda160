import { readEvents } from '../support/shops/events.ts'
import type { OpenTill } from './scenes.ts'

/** A till that reads the events of its job until one says "paid". */
export const tillByEvents: OpenTill = async (read) => {
  const events = readEvents(await read({ accept: 'text/event-stream' }))
  await events.next()
  return async () => {
    for (let event = await events.next(); event !== null; event = await events.next()) {
      if (event.event === 'paymentjob' && isPaid(event.data)) return events.cancel()
    }
    throw new Error('the stream ended before the payment was paid')
  }
}

/** A till that asks for a change again and again, and waits for up to a minute. */
export const tillByWaiting: OpenTill = async (read) => {
  const look = async (headers: Record<string, string>) => {
    const response = await read({ prefer: 'wait=50', ...headers })
    return { etag: response.headers.get('etag') ?? '', text: await response.text() }
  }
  const first = look({})
  return async () => {
    let { etag, text } = await first
    while (!isPaid(text)) ({ etag, text } = await look({ 'if-none-match': etag }))
  }
}

function isPaid(text: string): boolean {
  return text !== '' && (JSON.parse(text) as { status: string }).status === 'SUCCESS'
}
