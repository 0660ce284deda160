import { afterEach, describe, expect, it, vi } from 'vitest'
import { answerBeginning } from '../../src/reports/deliver.ts'

afterEach(() => vi.useRealTimers())

function of(body: string | null): Promise<string> {
  return answerBeginning(new Response(body))
}
function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

describe('the beginning of an answer is kept', () => {
  it.each([
    ['a text', 'out of memory', 'out of memory'],
    ['no body', null, ''],
    ['lines and tabs, in one line', ' <h1>\r\n\tOops</h1>\n', '<h1> Oops</h1>'],
    ['control characters, and those that turn a text around', 'a\u0000b\u001b[31mc\u202ed', 'a b [31mc d'],
    ['more than 200 characters', 'x'.repeat(300), 'x'.repeat(200)],
    ['characters of two units, which are not cut', '😀'.repeat(210), '😀'.repeat(200)],
  ])('%s', async (_, body, kept) => {
    expect(await of(body)).toBe(kept)
  })

  it('of a receiver that sends for ever: only a little is read, and the rest is cancelled', async () => {
    let pulls = 0
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls++
        controller.enqueue(bytes('y'.repeat(500)))
      },
      cancel: () => void (isCancelled = true),
    })
    expect(await answerBeginning(new Response(body))).toBe('y'.repeat(200))
    expect(pulls).toBeLessThan(6)
    expect(isCancelled).toBe(true)
  })

  it('of a receiver that begins and then sends nothing: the hub waits a second', async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes('begun')),
      pull: () => new Promise(() => {}),
    })
    const start = Date.now()
    expect(await answerBeginning(new Response(body))).toBe('begun')
    expect(Date.now() - start).toBeLessThan(5000)
  })

  it('of a connection that breaks in the middle', async () => {
    let isBegun = false
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (isBegun) controller.error(new Error('reset'))
        else controller.enqueue(bytes('half'))
        isBegun = true
      },
    })
    expect(await answerBeginning(new Response(body))).toBe('half')
  })
})
