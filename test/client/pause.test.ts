import { describe, expect, it, vi } from 'vitest'
import { pause } from '../../src/client/pause.ts'

describe('a pause', () => {
  it('leaves nothing behind at a signal that outlives it', async () => {
    const { signal } = new AbortController()
    const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')]
    const pausing = pause(5, signal)
    expect(added).toHaveBeenCalledOnce()
    await pausing
    expect(removed).toHaveBeenCalledExactlyOnceWith('abort', added.mock.calls[0]?.[1])
  })

  it('ends with the reason of its signal', async () => {
    const controller = new AbortController()
    const pausing = pause(60_000, controller.signal)
    controller.abort(new Error('enough'))
    await expect(pausing).rejects.toThrow('enough')
    await expect(pause(1, controller.signal)).rejects.toThrow('enough')
  })
})
