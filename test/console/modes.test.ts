import { expect, it } from 'vitest'
import { healthAnswers } from './answers/health.ts'
import { POS } from './answers/world.ts'
import { get } from './console-client.ts'
import { operatorApiDouble } from './operator-api-double.ts'

const { 'GET /health': health } = healthAnswers({ now: Date.now(), role: 'viewer', todo: 'nothing' } as never)
type Health = { shops: object[]; accounts: object[]; parts: object[] }
const { shops, accounts, ...rest } = health as Health

const LIVE = { ...shops[0], pos: POS.de, name: 'Live shop', mode: 'live' }
const TRIAL = { ...shops[0], pos: POS.test, name: 'Trial shop', mode: 'test' }
const ILL = { ...accounts[0], account: 'mollie-live', state: 'refused', waiting: 0, mode: 'live' }
const WELL = { ...ILL, account: 'mollie-well', state: 'working' }
const WAITED_FOR = { ...WELL, account: 'mollie-waited-for', waiting: 4 }
const TRIAL_ILL = { ...ILL, account: 'mollie-trial', mode: 'test' }

async function overview(mode: string, found: Partial<Health>): Promise<string> {
  const api = operatorApiDouble({
    answers: { 'GET /health': { ...rest, shops: [], accounts: [], ...found } },
  })
  const html = await (await get(`/console?mode=${mode}`, api)).text()
  return /<div data-part="health">[^]*?<div data-part="time">/.exec(html)?.[0] ?? ''
}

it('the Overview shows what fails in its mode, also an account for which payments wait', async () => {
  const found = { shops: [LIVE, TRIAL], accounts: [WELL, ILL, WAITED_FOR, TRIAL_ILL] }
  const live = await overview('live', found)
  for (const name of ['Live shop', 'mollie-live', 'mollie-waited-for']) expect(live).toContain(name)
  for (const name of ['Trial shop', 'mollie-trial', 'mollie-well']) expect(live).not.toContain(name)
  const test = await overview('test', found)
  for (const name of ['Trial shop', 'mollie-trial']) expect(test).toContain(name)
  for (const name of ['Live shop', 'mollie-live', 'mollie-waited-for']) expect(test).not.toContain(name)
})

it('all works in live mode while something fails in test mode', async () => {
  expect(await overview('live', { shops: [TRIAL], accounts: [TRIAL_ILL] })).toContain('Everything works')
  expect(await overview('test', { shops: [LIVE], accounts: [ILL] })).toContain('Everything works')
})

it.each([
  ['', 'live'],
  ['?mode=test', 'test'],
])('the list of failing reports shows one mode: %j', async (query, mode) => {
  const api = operatorApiDouble()
  const html = await (await get(`/console/reports${query}`, api)).text()
  const { search = '' } = api.asked.find(({ path }) => path === '/operator/v1/reports/failing') ?? {}
  expect(new URLSearchParams(search).get('mode')).toBe(mode)
  expect(html).toMatch(new RegExp(`mode=${mode}" aria-current="true"`))
})
