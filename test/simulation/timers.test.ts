import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lateAnswers } from './late.ts'
import { playedTimers } from './timers.ts'

const START = Date.UTC(2030, 0, 1)
const [PAUSE, PATIENCE] = [300, 8000]

beforeEach(() => {
  vi.setSystemTime(START)
})
afterEach(() => {
  vi.useRealTimers()
})

/** A promise that a timer of so many milliseconds fulfils. */
function timed(timers: ReturnType<typeof playedTimers>, ms: number) {
  return new Promise<'over'>((resolve) => timers.set(() => resolve('over'), ms))
}
function soon() {
  return new Promise<'not yet'>((resolve) => setTimeout(resolve, 30, 'not yet'))
}

describe('timers by the played clock', () => {
  it('patience ends when the played clock says so, and not before', async () => {
    const timers = playedTimers()
    const patience = timed(timers, PATIENCE)
    vi.setSystemTime(START + PATIENCE - 1)
    await expect(Promise.race([patience, soon()])).resolves.toBe('not yet')
    vi.setSystemTime(timers.firstEnd())
    await expect(patience).resolves.toBe('over')
    expect(timers.any()).toBe(false)
  })

  it('a pause between tries takes no time of the played clock', async () => {
    await expect(timed(playedTimers(), PAUSE)).resolves.toBe('over')
  })

  it('a timer that is cleared never fires', async () => {
    const timers = playedTimers()
    const fired = vi.fn<() => void>()
    timers.clear(timers.set(fired, PAUSE))
    await soon()
    expect(fired).not.toHaveBeenCalled()
    expect(timers.any()).toBe(false)
  })

  it('a timer of an object that is no more holds nothing up once its time is over', () => {
    const timers = playedTimers()
    const timer = timers.set(() => {}, PATIENCE)
    vi.setSystemTime(START + PATIENCE)
    timers.pass()
    expect(timers.firstEnd()).toBe(Infinity)
    timers.clear(timer)
  })
})

describe('work that waits for a turn which nobody ends', () => {
  it.for(['doneOrTimed', 'doneOrHeld'] as const)('%s goes on without it', async (wait) => {
    const timers = playedTimers()
    const turn = timed(timers, PATIENCE)
    await lateAnswers(timers)[wait](turn)
    await expect(Promise.race([turn, soon()])).resolves.toBe('not yet')
    vi.setSystemTime(timers.firstEnd())
    await turn
  })

  it('work that no timer holds up is waited for, however long it takes', async () => {
    const work = new Promise<'done'>((resolve) => setTimeout(resolve, 700, 'done'))
    await lateAnswers(playedTimers()).doneOrTimed(work)
    await expect(Promise.race([work, soon()])).resolves.toBe('done')
  })
})
