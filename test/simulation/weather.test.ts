import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../src/contract/timestamp.ts'
import type { WeatherChange } from '../../src/job/rules/weather-change.ts'
import { placeWeather } from '../../src/weather/place-weather.ts'

/** Places that create payments over a route of accounts, without a network: what each create waits for, and where it goes. */

const DEADLINE = 8000
const NOW = Date.UTC(2026, 0, 31, 10)

/** How an account answers at a time: after so many milliseconds, or never (null). */
type Psp = (at: number, place: number) => number | null
type Scenario = {
  accounts: Readonly<Record<string, Psp>>
  places: number
  /** A create of each place each so many milliseconds. */
  every: number
  minutes: number
  /** Whether places hear of one another, half a minute late. */
  gossips?: boolean
  seed: number
}
type Created = { at: number; place: number; took: number; account: string | null; waitedFor: string[] }

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number) {
  return (): number => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function play({ accounts, places, every, minutes, gossips = false, seed }: Scenario) {
  const random = randomOf(seed)
  const all = Array.from({ length: places }, () => placeWeather())
  const told: WeatherChange[] = []
  const created: Created[] = []
  const turns = Array.from({ length: places }, (_, place) => ({
    place,
    at: NOW + Math.floor(random() * every),
  }))
  const heardAt = turns.map(() => NOW)
  const end = NOW + minutes * MINUTE
  for (;;) {
    const turn = turns.reduce((first, other) => (other.at < first.at ? other : first))
    if (turn.at >= end) return { created, told }
    const { place } = turn
    const weather = all[place]
    if (!weather) throw new Error('no such place')
    let now = turn.at
    if (gossips && now - (heardAt[place] ?? 0) >= MINUTE / 2) {
      heardAt[place] = now
      weather.hear(
        told.filter(({ at }) => at < now - 5000),
        now,
      )
    }
    const named = Object.keys(accounts).map((id) => ({ id, sealed: '' }))
    const looks = named.map((account) => ({ account, ...weather.look(account, 'ideal', now) }))
    const rank = { go: 0, try: 0, last: 1, avoid: 2 }
    const order = looks
      .filter(({ advice }) => advice !== 'avoid')
      .toSorted((one, other) => rank[one.advice] - rank[other.advice])
    const waitedFor: string[] = []
    let taker: string | null = null
    for (const [tried, { account }] of order.entries()) {
      const left = order.length - tried
      const share = Math.floor((turn.at + DEADLINE - now) / left)
      const patience = weather.begin(account, 'ideal', now, share, { isLast: left === 1, isHurried: true })
      const answers = accounts[account.id]?.(now, place) ?? null
      const answered = answers !== null && answers <= patience
      const began = now
      now += answered ? answers : patience
      const change = weather.end(account, 'ideal', { began, answered }, now, random())
      if (change) told.push(change)
      if (answered) {
        taker = account.id
        break
      }
      waitedFor.push(account.id)
    }
    created.push({ at: turn.at, place, took: now - turn.at, account: taker, waitedFor })
    turn.at = Math.max(now, turn.at + every)
  }
}

const well: Psp = () => 200
function silentBetween(from: number, to: number): Psp {
  return (at) => (at >= NOW + from * MINUTE && at < NOW + to * MINUTE ? null : 200)
}
const SEEDS = Array.from({ length: 12 }, (_, seed) => seed + 1)

/** Times that a place fell into trouble or out of it. */
function changesAt(told: readonly WeatherChange[]): number {
  const troubles = new Set(told.filter(({ is }) => is !== 'well').map(({ since }) => since))
  return troubles.size + told.filter(({ is }) => is === 'well').length
}

describe.each(SEEDS)('seed %i', (seed) => {
  it('a PSP that is silent for ten minutes is waited for once by a place, and by its trials', () => {
    const { created } = play({
      accounts: { a: silentBetween(2, 12), b: well },
      places: 5,
      every: 700,
      minutes: 20,
      seed,
    })
    expect(created.length).toBeGreaterThan(5000)
    for (let place = 0; place < 5; place++) {
      const here = created.filter((one) => one.place === place)
      const first = here.findIndex(({ waitedFor }) => waitedFor.includes('a'))
      // The next costs no more than a healthy one.
      expect(here[first + 1]).toMatchObject({ account: 'b', took: 200, waitedFor: [] })
      const waits = here.filter(({ waitedFor }) => waitedFor.length > 0)
      expect(waits.length).toBeLessThanOrEqual(10)
      expect(Math.max(...waits.map(({ took }) => took))).toBeLessThanOrEqual(4200)
      // None is without an account, and all go back once it answers.
      expect(here.every(({ account }) => account !== null)).toBe(true)
      expect(here.filter(({ at }) => at > NOW + 15 * MINUTE).every(({ account }) => account === 'a')).toBe(
        true,
      )
    }
  })

  it('a hub with one account waits no more often, and creates are born at once meanwhile', () => {
    const { created } = play({
      accounts: { a: silentBetween(2, 12) },
      places: 3,
      every: 1000,
      minutes: 16,
      seed,
    })
    const during = created.filter(({ at }) => at >= NOW + 2 * MINUTE && at < NOW + 12 * MINUTE)
    const waited = during.filter(({ took }) => took > 200)
    expect(waited.length).toBeLessThanOrEqual(3 * 10)
    expect(during.filter(({ took, account }) => took === 0 && account === null).length).toBeGreaterThan(1000)
    const later = created.filter(({ at }) => at > NOW + 15 * MINUTE)
    expect(later.every(({ account }) => account === 'a')).toBe(true)
  })

  it('a PSP that answers every other call does not make places flap', () => {
    const random = randomOf(seed * 77)
    const { created, told } = play({
      accounts: { a: () => (random() < 0.5 ? null : 200), b: well },
      places: 4,
      every: 500,
      minutes: 30,
      seed,
    })
    // Of thousands of creates; without a memory half of them would wait.
    expect(changesAt(told)).toBeLessThanOrEqual(4 * 12)
    const waits = created.filter(({ waitedFor }) => waitedFor.length > 0)
    expect(waits.length / created.length).toBeLessThan(0.02)
    expect(created.every(({ account }) => account !== null)).toBe(true)
  })

  it('a PSP that comes and goes each minute is left within seconds, and changes are few', () => {
    const { created, told } = play({
      accounts: { a: (at) => (Math.floor((at - NOW) / MINUTE) % 2 === 1 ? null : 200), b: well },
      places: 3,
      every: 500,
      minutes: 40,
      seed,
    })
    expect(changesAt(told)).toBeLessThanOrEqual(3 * 42)
    const waits = created.filter(({ waitedFor }) => waitedFor.length > 0)
    expect(waits.length / created.length).toBeLessThan(0.03)
  })

  it('a place that is blind by itself does not take others with it, though it tells them', () => {
    const { created } = play({
      accounts: { a: (_, place) => (place === 0 ? null : 200), b: well },
      places: 5,
      every: 1000,
      minutes: 10,
      gossips: true,
      seed,
    })
    const others = created.filter(({ place }) => place !== 0)
    expect(others.filter(({ account }) => account === 'a').length / others.length).toBeGreaterThan(0.98)
    const blind = created.filter(({ place, at }) => place === 0 && at > NOW + MINUTE)
    expect(blind.filter(({ account }) => account === 'b').length).toBe(blind.length)
  })

  it('places that hear of one another wait no more often than those that do not', () => {
    const scenario = {
      accounts: { a: silentBetween(3, 8), b: well },
      places: 20,
      every: 20_000,
      minutes: 12,
      seed,
    }
    const waits = (gossips: boolean) =>
      play({ ...scenario, gossips }).created.filter(({ waitedFor }) => waitedFor.length > 0).length
    expect(waits(true)).toBeLessThanOrEqual(waits(false))
  })

  it('a PSP that becomes ten times slower is asked last, and first again when it is quick', () => {
    const { created } = play({
      accounts: { a: (at) => (at > NOW + 3 * MINUTE && at < NOW + 8 * MINUTE ? 2400 : 240), b: well },
      places: 2,
      every: 1000,
      minutes: 14,
      seed,
    })
    const during = created.filter(({ at }) => at > NOW + 4 * MINUTE && at < NOW + 8 * MINUTE)
    expect(during.filter(({ account }) => account === 'b').length / during.length).toBeGreaterThan(0.9)
    const later = created.filter(({ at }) => at > NOW + 11 * MINUTE)
    expect(later.every(({ account }) => account === 'a')).toBe(true)
    expect(created.every(({ account }) => account !== null)).toBe(true)
  })
})
