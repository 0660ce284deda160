import { expect, it, vi } from 'vitest'
import { askedHub } from './asked-hub.ts'
import { runHub } from './run-hub.ts'

const { answer } = askedHub()

const AT = '2026-01-31T10:00:00.000Z'
const WEBHOOK = {
  id: 'a',
  psp: 'adyen',
  address: 'https://hub.nl/notifications/a',
  setUp: 'In the Customer Area',
  state: 'none',
  last: null,
}

it('psp webhook shows the address, and waits for the first notification', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  for (let looks = 0; looks < 3; looks++) answer(WEBHOOK)
  answer({ ...WEBHOOK, state: 'working', last: AT })
  const running = runHub(['psp', 'webhook', 'a', '--utc'])
  await vi.advanceTimersByTimeAsync(10_000)
  const { code, out, err } = await running
  vi.useRealTimers()
  expect([code, err.slice(0, 2)]).toEqual([0, [WEBHOOK.address, WEBHOOK.setUp]])
  expect(out.join()).toContain('2026-01-31')
})

it('psp webhook ends with 1 when none comes in time, or with a wrong signature', async () => {
  answer({ ...WEBHOOK, state: 'refused' })
  answer({ ...WEBHOOK, state: 'refused' })
  const { code, out } = await runHub(['psp', 'webhook', 'a', '--wait', '1ms'])
  expect([code, out.join()]).toEqual([1, expect.stringContaining('wrong signature')])
})

it('psp webhook does not wait if each payment names its address', async () => {
  answer({ ...WEBHOOK, address: null })
  expect((await runHub(['psp', 'webhook', 'a'])).code).toBe(0)
})
