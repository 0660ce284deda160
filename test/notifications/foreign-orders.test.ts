import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { hmacSha512 } from '../support/shops/hmac.ts'
import { send } from '../support/hub/hub.ts'
import { loggedOf } from '../support/logged.ts'
import { addAccount, pspWorld } from '../support/psp-world.ts'

// By then the minute is over in which other tests made the hub log.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 }))
afterEach(() => vi.useRealTimers())

it('a signed notification of an order that is not the hub’s is accepted, because the PSP would repeat it, and the hub asks nobody', async () => {
  const world = pspWorld('multisafepay')
  const account = await addAccount(world)
  const [{ apiKey }] = world.fake.accounts as readonly [{ apiKey: string }, object]
  const body = JSON.stringify({ order_id: 'A-1001 of the old web shop', status: 'completed' })
  const timestamp = Math.floor(Date.now() / 1000)
  const auth = btoa(`${timestamp}:${await hmacSha512(apiKey, `${timestamp}:${body}`)}`)
  const headers = { 'content-type': 'application/json', auth }
  const requestCount = world.asked.length
  const answer = await send(`/notifications/${account}`, { method: 'POST', headers, body })
  expect([answer.status, await answer.text()]).toEqual([200, 'OK'])
  expect(world.asked).toHaveLength(requestCount)
})

it('a notification to an account that the hub does not have is accepted, and the operator can see it', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const account = `adyen-typo-${crypto.randomUUID().slice(0, 8)}`
  const notify = (name: string) => send(`/notifications/${name}`, { method: 'POST', body: '{}' })
  for (const _ of [1, 2, 3]) expect((await notify(account)).status).toBe(200)
  expect((await notify(`${account}_<x>`)).status).toBe(200)
  expect(loggedOf(warn, account)).toEqual([{ event: 'notification.account-unknown', account }])
  warn.mockRestore()
})

it('strangers cannot fill the log: it has a few lines a minute, however many names and bodies they send', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  vi.setSystemTime(Date.now() + 120_000)
  const account = await addAccount(pspWorld('adyen'))
  for (let times = 0; times < 60; times++) {
    const invented = `adyen-${crypto.randomUUID().slice(0, 8)}`
    expect((await send(`/notifications/${invented}`, { method: 'POST', body: '{}' })).status).toBe(200)
    expect((await send(`/notifications/${account}`, { method: 'POST', body: '{}' })).status).toBe(401)
  }
  const events = warn.mock.calls.map(([entry]) => (entry as { event: string }).event)
  for (const event of ['notification.account-unknown', 'notification.unauthentic']) {
    const lines = events.filter((one) => one === event).length
    expect([event, lines > 0, lines <= 20]).toEqual([event, true, true])
  }
})
