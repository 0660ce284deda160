import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MINUTE } from '../../src/contract/timestamp.ts'
import type { WeatherChange } from '../../src/job/rules/weather-change.ts'
import { weatherCopy } from '../../src/registry/weather-copy.ts'
import { gossipOf } from '../../src/weather/gossip.ts'
import { placeWeather } from '../../src/weather/place-weather.ts'

const NOW = Date.now()
const ACCOUNT = { id: 'shop-mollie', sealed: 'key' }
const SILENT: WeatherChange = {
  account: ACCOUNT.id,
  method: 'ideal',
  is: 'silent',
  since: NOW,
  until: NOW + MINUTE,
  at: NOW,
}

afterEach(() => vi.restoreAllMocks())

/** A place whose queue and KV are played: `sending` and `reading` have the calls of them. */
function place(
  get: () => Promise<unknown> = async () => weatherCopy.write({ changes: [SILENT] }),
  send: () => Promise<void> = async () => {},
) {
  const [sending, reading] = [vi.fn(send), vi.fn(get)]
  const bindings = { ...env, COPIES: { send: sending }, TOKENS: { get: reading } } as unknown as Env
  const weather = placeWeather()
  const { gossip, listen } = gossipOf(weather)
  return {
    sending,
    reading,
    advice: () => weather.look(ACCOUNT, 'ideal', NOW).advice,
    gossip: (change: WeatherChange) => gossip(bindings, change),
    listen: (...times: number[]) => times.forEach((time) => listen(bindings, time)),
  }
}

/** Five payments, the last of them now, so far (ms) from one another. */
function five(apart: number, end = NOW) {
  return [4, 3, 2, 1, 0].map((before) => end - before * apart)
}

describe('what other places tell', () => {
  it('is heard where five payments come within a minute, and read again after half a minute', async () => {
    const busy = place()
    busy.listen(...five(1000).slice(0, 4))
    expect(busy.reading).not.toHaveBeenCalled()
    busy.listen(NOW)
    await vi.waitFor(() => expect(busy.advice()).toBe('last'))
    busy.listen(...five(1000, NOW + MINUTE / 2 - 1))
    expect(busy.reading).toHaveBeenCalledOnce()
    busy.listen(NOW + MINUTE / 2)
    expect(busy.reading).toHaveBeenCalledTimes(2)
  })

  it('is not read in a quiet place', () => {
    const quiet = place()
    quiet.listen(...five(MINUTE / 4))
    expect(quiet.reading).not.toHaveBeenCalled()
  })

  it('is not known where KV does not answer, which is told', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const deaf = place(async () => Promise.reject(new Error('KV is down')))
    deaf.listen(...five(1000))
    await vi.waitFor(() =>
      expect(logged).toHaveBeenCalledWith(expect.objectContaining({ event: 'kv.read-failed' })),
    )
    expect(deaf.advice()).toBe('go')
  })
})

describe('what a place tells', () => {
  it('goes to the others, six times a minute at most', () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const talking = place()
    for (let nth = 0; nth < 8; nth++) talking.gossip({ ...SILENT, at: NOW + nth })
    expect(talking.sending).toHaveBeenCalledTimes(6)
    talking.gossip({ ...SILENT, at: NOW + MINUTE })
    expect(talking.sending).toHaveBeenCalledTimes(7)
  })

  it('is in the log, and so is that the queue did not take it', async () => {
    const [warned, failed] = [
      vi.spyOn(console, 'warn').mockReturnValue(),
      vi.spyOn(console, 'error').mockReturnValue(),
    ]
    place(undefined, async () => Promise.reject(new Error('the queue is down'))).gossip(SILENT)
    expect(warned).toHaveBeenCalledWith(
      expect.objectContaining({
        event: 'weather.changed',
        account: ACCOUNT.id,
        method: 'ideal',
        is: 'silent',
      }),
    )
    await vi.waitFor(() =>
      expect(failed).toHaveBeenCalledWith(expect.objectContaining({ event: 'queue.send-failed' })),
    )
  })
})
