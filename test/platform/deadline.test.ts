import { describe, expect, it, vi } from 'vitest'
import { unlessAborted } from '../../src/platform/deadline.ts'

function never() {
  return new Promise<never>(() => {})
}
/** How an outage looks to those who may repeat their call. */
const outage = { message: 'what was asked did not answer in time', retryable: true }

describe('what a promise brings', () => {
  it('is given where it comes before the signal, which then stops nothing', async () => {
    const [stop, abandon] = [new AbortController(), vi.fn<() => void>()]
    const added = vi.spyOn(stop.signal, 'addEventListener')
    const removed = vi.spyOn(stop.signal, 'removeEventListener')
    expect(await unlessAborted(stop.signal, Promise.resolve('there'), abandon)).toBe('there')
    // A signal may live for hours, and be given to many calls.
    expect(removed.mock.calls).toEqual(added.mock.calls)
    stop.abort()
    expect(abandon).not.toHaveBeenCalled()
  })

  it('is abandoned when the signal aborts first', async () => {
    const [stop, abandon] = [new AbortController(), vi.fn<() => void>()]
    const waiting = unlessAborted(stop.signal, never(), abandon)
    stop.abort()
    await expect(waiting).rejects.toMatchObject(outage)
    expect(abandon).toHaveBeenCalledOnce()
  })

  it('is not waited for where the signal has aborted before', async () => {
    await expect(unlessAborted(AbortSignal.abort(), never())).rejects.toMatchObject(outage)
  })

  it('is abandoned with its own fault where it fails', async () => {
    const abandon = vi.fn<() => void>()
    const failed = unlessAborted(new AbortController().signal, Promise.reject(new Error('gone')), abandon)
    await expect(failed).rejects.toThrow('gone')
    expect(abandon).toHaveBeenCalledOnce()
  })
})
