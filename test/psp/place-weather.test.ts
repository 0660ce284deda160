import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../src/contract/timestamp.ts'
import { placeWeather } from '../../src/weather/place-weather.ts'
import { MIDDLE, NOW } from '../support/sample-job.ts'

const ACCOUNT = { id: 'shop-mollie', sealed: 'key one' }
const OTHER = { id: 'shop-adyen', sealed: 'key' }
const CREATE = { isLast: false, isHurried: true }

function ask(place: ReturnType<typeof placeWeather>, answered: boolean, began = NOW, method = 'ideal') {
  place.begin(ACCOUNT, method, began, 4000, CREATE)
  const now = began + (answered ? 200 : 4000)
  return { now, change: place.end(ACCOUNT, method, { began, answered }, now, MIDDLE) }
}

describe('a place', () => {
  it('tells others when an account falls silent, each time that it stays so, and when it is well again', () => {
    const place = placeWeather()
    expect(ask(place, true, NOW - 1000).change).toBeNull()
    const silent = { account: 'shop-mollie', method: 'ideal', is: 'silent', since: NOW + 4000 }
    expect(ask(place, false).change).toEqual({ ...silent, until: NOW + 9000, at: NOW + 4000 })
    expect(ask(place, false, NOW + 9000).change).toEqual({ ...silent, until: NOW + 23_000, at: NOW + 13_000 })
    expect(ask(place, true, NOW + 23_000).change).toBeNull()
    expect(ask(place, true, NOW + 24_000).change).toMatchObject({ is: 'well', at: NOW + 24_200 })
  })

  it('asks an account last for another method than the one that it was silent at, and tries it in time', () => {
    const place = placeWeather()
    const { now } = ask(place, false)
    expect(place.look(ACCOUNT, 'card', now)).toMatchObject({ advice: 'last', trouble: { why: 'silent' } })
    expect(place.look(OTHER, 'card', now)).toEqual({ advice: 'go', trouble: null })
    expect(place.look(ACCOUNT, 'card', now + 5000).advice).toBe('go')
  })

  it('goes on with a method that was answered since', () => {
    const place = placeWeather()
    const { now } = ask(place, false)
    ask(place, true, now, 'card')
    expect(place.look(ACCOUNT, 'card', now + 300).advice).toBe('go')
    expect(place.look(ACCOUNT, 'ideal', now + 300).advice).toBe('avoid')
  })

  it('knows nothing of an account that has got new credentials', () => {
    const place = placeWeather()
    const { now } = ask(place, false)
    expect(place.look({ ...ACCOUNT, sealed: 'key two' }, 'ideal', now).advice).not.toBe('avoid')
  })

  it('remembers no more than some hundreds of accounts and methods', () => {
    const place = placeWeather()
    const { now } = ask(place, false)
    for (let method = 0; method < 600; method++) ask(place, true, now, `method ${method}`)
    expect(place.look(ACCOUNT, 'ideal', now + MINUTE).advice).toBe('go')
  })

  it('remembers the five hundred that were asked last', () => {
    const place = placeWeather()
    const { now } = ask(place, false)
    const adviceAfter = (method: string) => {
      ask(place, true, now, method)
      return place.look(ACCOUNT, 'ideal', now + 300).advice
    }
    for (let method = 1; method < 499; method++) adviceAfter(`method ${method}`)
    expect(adviceAfter('the 500th')).toBe('avoid')
    expect(adviceAfter('the 501st')).not.toBe('avoid')
  })

  it('tries an account whose time is over once, and does not begin a trial of one that is well', () => {
    const place = placeWeather()
    const adviceOf = (now: number) => place.look(ACCOUNT, 'ideal', now).advice
    place.begin(ACCOUNT, 'ideal', NOW, 4000, CREATE)
    expect(adviceOf(NOW)).toBe('go')
    for (const began of [NOW, NOW + 9000, NOW + 23_000]) ask(place, false, began)
    const over = NOW + 10 * MINUTE
    expect(adviceOf(over)).toBe('try')
    place.begin(ACCOUNT, 'ideal', over, 4000, CREATE)
    expect(adviceOf(over)).toBe('avoid')
  })

  it('gives an account its whole share when a customer waits and there is no other', () => {
    const place = placeWeather()
    const { now } = ask(place, false)
    const waits = { isLast: true, isHurried: false }
    expect(place.begin(ACCOUNT, 'ideal', now, 8000, waits)).toBe(8000)
    expect(place.begin(ACCOUNT, 'ideal', now + 5000, 8000, { ...waits, isHurried: true })).toBe(2500)
  })
})

describe('what other places tell', () => {
  const SILENT = { account: 'shop-mollie', method: 'ideal', is: 'silent' } as const
  const told = { ...SILENT, since: NOW, until: NOW + 20_000, at: NOW }
  const well = { ...told, is: 'well', until: NOW + 9000, at: NOW + 9000 } as const

  it('makes an account the last that is asked, until its time is over', () => {
    const place = placeWeather()
    place.hear([told], NOW + 1000)
    expect(place.look(ACCOUNT, 'ideal', NOW + 1000).advice).toBe('last')
    expect(place.look(ACCOUNT, 'ideal', NOW + 20_000).advice).toBe('go')
  })

  it('counts for nothing where the account has answered since', () => {
    const place = placeWeather()
    ask(place, true, NOW)
    place.hear([told], NOW + 1000)
    expect(place.look(ACCOUNT, 'ideal', NOW + 1000).advice).toBe('go')
  })

  it('is over when they tell that it is well', () => {
    const place = placeWeather()
    place.hear([told], NOW + 1000)
    place.hear([well], NOW + 10_000)
    expect(place.look(ACCOUNT, 'ideal', NOW + 10_000).advice).toBe('go')
  })

  it('brings a trial forward, once', () => {
    const place = placeWeather()
    for (const began of [NOW, NOW + 9000, NOW + 23_000]) ask(place, false, began)
    expect(place.look(ACCOUNT, 'ideal', NOW + 30_000).advice).toBe('avoid')
    const later = { ...well, at: NOW + 30_000 }
    place.hear([later], NOW + 30_000)
    expect(place.look(ACCOUNT, 'ideal', NOW + 30_000).advice).toBe('try')
    ask(place, false, NOW + 30_000)
    place.hear([later], NOW + 35_000)
    expect(place.look(ACCOUNT, 'ideal', NOW + 35_000).advice).toBe('avoid')
  })

  it('is not over by what was told of another method before the trouble began', () => {
    const place = placeWeather()
    place.hear([told], NOW + 1000)
    place.hear([{ ...well, method: 'card', at: NOW - 1 }], NOW + 1000)
    place.hear([{ ...well, method: 'wero', at: NOW }], NOW + 1000)
    expect(place.look(ACCOUNT, 'ideal', NOW + 1000).advice).toBe('last')
    place.hear([{ ...well, method: 'card', at: NOW + 1 }], NOW + 1000)
    expect(place.look(ACCOUNT, 'ideal', NOW + 1000).advice).toBe('go')
  })

  it('brings no trial forward when it was told before the trouble here began', () => {
    const place = placeWeather()
    const { now } = ask(place, false)
    place.hear([{ ...well, at: now }], now)
    expect(place.look(ACCOUNT, 'ideal', now).advice).toBe('avoid')
    place.hear([{ ...well, at: now + 1 }], now + 1)
    expect(place.look(ACCOUNT, 'ideal', now + 1).advice).toBe('try')
  })

  it('is heard in the order in which it was seen, whatever else is heard between', () => {
    const place = placeWeather()
    place.hear([well, { ...told, account: 'another' }, told], NOW + 1000)
    expect(place.look(ACCOUNT, 'ideal', NOW + 1000).advice).toBe('go')
  })

  it('is the trouble that lasts longest, and of two that end at once the first', () => {
    const place = placeWeather()
    const sinceAfter = (since: number, until: number) => {
      place.hear([{ ...told, method: `${since}`, since, until, at: since }], NOW + 1000)
      return place.look(ACCOUNT, 'ideal', NOW + 1000).trouble?.since
    }
    expect(sinceAfter(NOW, NOW + 20_000)).toBe(NOW)
    expect(sinceAfter(NOW + 1, NOW + 20_000)).toBe(NOW)
    expect(sinceAfter(NOW + 2, NOW + 20_001)).toBe(NOW + 2)
  })

  it('is remembered of some hundreds of accounts: the oldest are forgotten', () => {
    const place = placeWeather()
    const accounts = Array.from({ length: 501 }, (_, number) => `account ${number}`)
    const adviceFor = (id: string | undefined) =>
      place.look({ id: id ?? '', sealed: '' }, 'ideal', NOW + 1000).advice
    place.hear(
      accounts.slice(0, 500).map((account) => ({ ...told, account, since: NOW - 5000 })),
      NOW + 1000,
    )
    expect(adviceFor(accounts[0])).toBe('last')
    const older = [{ ...well, account: accounts[2] ?? '', at: NOW - 1 }]
    place.hear(older, NOW + 1000)
    expect(adviceFor(accounts[2])).toBe('last')
    place.hear([{ ...told, account: accounts[500] ?? '' }], NOW + 1000)
    expect([accounts[0], accounts[1], accounts[500]].map(adviceFor)).toEqual(['go', 'last', 'last'])
    // What was heard of them is forgotten as well, all at once: it may be heard again.
    place.hear(older, NOW + 1000)
    expect(adviceFor(accounts[2])).toBe('go')
  })
})
