import { expect, vi } from 'vitest'
import { withOwnTimers } from '../support/time/own-timers.ts'

/** Expects that the hub gives up a PSP that never answers after eight seconds, not sooner and not later. */
export function expectEightSeconds(ask: () => Promise<unknown>): Promise<void> {
  return withOwnTimers(async () => {
    let answered = false
    const answer = ask().finally(() => (answered = true))
    await vi.advanceTimersByTimeAsync(7999)
    expect(answered).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await answer).toEqual({
      is: 'unavailable',
      message: 'The payment service provider did not answer in time.',
    })
  })
}
