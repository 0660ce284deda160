import { expect, vi } from 'vitest'
import { withOwnTimers } from '../support/own-timers.ts'

/** A PSP that never answers is given up after eight seconds, not sooner and not later. */
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
