import { afterEach, describe, expect, it, vi } from 'vitest'
import { COMMENT_EVERY, type ServerEvent, eventStream } from '../../../src/platform/http/event-stream.ts'
import { readEvents } from '../../support/shops/events.ts'

afterEach(() => vi.restoreAllMocks())

/** The fifteen seconds between comments pass at once. Timers of other files stay real. */
function quickComments() {
  const { setTimeout: later } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number, ...rest: unknown[]) =>
    later(run, ms === COMMENT_EVERY ? 5 : ms, ...rest)) as typeof setTimeout)
}

/** Events that the test sends. */
function source() {
  const { readable, writable } = new TransformStream<ServerEvent, ServerEvent>()
  const writer = writable.getWriter()
  const stop = vi.fn<() => void>()
  return { events: readable, writer, stop }
}

describe('a stream of events', () => {
  it('begins with the time after which a client reconnects, and has the form of the standard', async () => {
    const { events, writer, stop } = source()
    const response = eventStream(events, { stop, isShort: false })
    void writer.write({ event: 'step', id: '7', data: '{"a":1}' })
    void writer.write({ event: 'paymentjob', data: '{}' })
    void writer.close()
    expect(await response.text()).toBe(
      'retry: 2000\n\nid: 7\nevent: step\ndata: {"a":1}\n\nevent: paymentjob\ndata: {}\n\n',
    )
    expect(stop).toHaveBeenCalledOnce()
  })

  it('ends with a longer time if the hub cannot follow the changes', async () => {
    const { events, writer, stop } = source()
    const response = eventStream(events, { stop, isShort: true })
    void writer.close()
    expect(await response.text()).toBe('retry: 2000\n\nretry: 10000\n\n')
  })

  it('has a comment after fifteen seconds without an event, and loses no event by it', async () => {
    expect(COMMENT_EVERY).toBe(15_000)
    quickComments()
    const { events, writer, stop } = source()
    const read = readEvents(eventStream(events, { stop, isShort: false }))
    const first = read.next()
    await vi.waitFor(() => expect(read.others.filter((other) => other === ':').length).toBeGreaterThan(2))
    void writer.write({ event: 'step', data: 'late' })
    expect(await first).toEqual({ event: 'step', data: 'late' })
    await read.cancel()
  })

  it('ends when its client is no longer allowed', async () => {
    quickComments()
    const { events, stop } = source()
    let asked = 0
    const read = readEvents(eventStream(events, { stop, isShort: false, mayGoOn: async () => ++asked < 3 }))
    expect(await read.next()).toBeNull()
    expect([asked, read.others]).toEqual([3, ['retry: 2000', ':', ':']])
    expect(stop).toHaveBeenCalledOnce()
  })

  it('stops when its events fail', async () => {
    const { events, writer, stop } = source()
    const read = readEvents(eventStream(events, { stop, isShort: false }))
    const next = read.next()
    void writer.abort(new Error('the source is broken')).catch(() => {})
    await expect(next).rejects.toThrow('the source is broken')
    expect(stop).toHaveBeenCalledOnce()
  })
})
