import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { callJob, callReadableJob, cancelJob } from '../../src/job/call-job.ts'
import { withOwnTimers } from '../support/time/own-timers.ts'

/** Makes an object fail with each of these errors in turn and then answer. Counts its calls and stubs. */
function failing(...errors: Error[]) {
  const seen = { calls: 0, stubs: 0 }
  const getByName = () => {
    seen.stubs++
    return {}
  }
  const hub = { ...env, PAYMENT_JOB: { getByName } as unknown as typeof env.PAYMENT_JOB }
  const call = () =>
    callJob(hub, 'x', async () => {
      const error = errors[seen.calls++]
      if (error) throw error
      return 'answer'
    })
  return { seen, call }
}
function fault(properties: object) {
  return Object.assign(new Error('Network connection lost.'), properties)
}

it('a call to one of many jobs throws any fault that is not about its stored form', async () => {
  const failed = callReadableJob(env, 'x', () => Promise.reject(fault({})))
  await expect(failed).rejects.toThrow('Network connection lost.')
})

it('a job that is purged between the question and the cancel is unknown to the cancel too', async () => {
  expect(await cancelJob(env, crypto.randomUUID(), 'shop')).toBeNull()
})

describe('a call to an object that failed', () => {
  it('is made again if that may help, each time on a new stub, three times in all', async () => {
    const twice = failing(fault({ retryable: true }), fault({ retryable: true, overloaded: false }))
    expect(await twice.call()).toBe('answer')
    expect(twice.seen).toEqual({ calls: 3, stubs: 3 })
    const always = failing(...Array.from({ length: 9 }, () => fault({ retryable: true })))
    await expect(always.call()).rejects.toThrow('Network connection lost.')
    expect(always.seen.calls).toBe(3)
  })

  it('is made again after a pause, the second time after twice that: up to 100 and 200 ms', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.75)
    const { seen, call } = failing(fault({ retryable: true }), fault({ retryable: true }))
    await withOwnTimers(async () => {
      const answer = call()
      const callsAfter = async (ms: number): Promise<number> => {
        await vi.advanceTimersByTimeAsync(ms)
        return seen.calls
      }
      expect([await callsAfter(74), await callsAfter(1)]).toEqual([1, 2])
      expect([await callsAfter(149), await callsAfter(1)]).toEqual([2, 3])
      expect(await answer).toBe('answer')
    })
  })

  it.each([
    ['the object is overloaded: more calls make it worse', { retryable: true, overloaded: true }],
    ['the platform says that it does not help', { retryable: false }],
    ['it is a fault of the hub', {}],
  ])('is not made again when %s', async (_, properties) => {
    const once = failing(fault(properties))
    await expect(once.call()).rejects.toThrow('Network connection lost.')
    expect(once.seen.calls).toBe(1)
  })
})
