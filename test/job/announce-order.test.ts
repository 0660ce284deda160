import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { SANDBOX_ACCOUNT } from '../../src/registry/account.ts'
import { accountsInTurn, askFor, endAsking } from '../../src/job/announce-order.ts'
import { weather } from '../../src/weather/place-weather.ts'

afterEach(() => vi.restoreAllMocks())

const now = Date.now()
const SILENT = { is: 'unavailable', message: 'No answer in time.' } as const
function accountOf(id: string) {
  return { id: `order-${id}`, psp: 'mollie', mode: 'live' as const, sealed: id }
}
function turnOf(id: string) {
  return { account: accountOf(id), method: 'ideal' }
}

/** An account that has just not answered. */
function silent(id: string) {
  const turn = turnOf(id)
  askFor(turn, now - 4000, { time: 4000, left: 1, cause: 'again' })
  endAsking(env, turn, now - 4000, SILENT)
  return turn
}

it('a create leaves an account out that does not answer, and whoever announces again asks it last', () => {
  const route = [silent('a'), turnOf('b')]
  const orderFor = (cause: 'create' | 'again') => {
    const { turns, skipped } = accountsInTurn(env, route, cause, now)
    return [turns.map(({ account }) => account.sealed), skipped.map(({ account }) => account)]
  }
  expect(orderFor('create')).toEqual([['b'], ['order-a']])
  expect(orderFor('again')).toEqual([['b', 'a'], ['order-a']])
})

it('only who announces again, and has no other account, waits as long as there is time', () => {
  const turn = silent('c')
  const waits = (left: number, cause: 'create' | 'again') => askFor(turn, now, { time: 8000, left, cause })
  expect(waits(1, 'again')).toBe(8000)
  expect(waits(2, 'again')).toBeLessThan(4000)
  expect(waits(1, 'create')).toBeLessThan(8000)
})

it('the sandbox has no weather: nothing is remembered of it', () => {
  const turn = { account: SANDBOX_ACCOUNT, method: 'ideal' }
  const remembers = vi.spyOn(weather, 'end')
  expect(askFor(turn, now, { time: 8000, left: 2, cause: 'create' })).toBe(4000)
  endAsking(env, turn, now, SILENT)
  expect(remembers).not.toHaveBeenCalled()
  expect(accountsInTurn(env, [turn], 'create', now)).toEqual({ turns: [turn], skipped: [] })
})
