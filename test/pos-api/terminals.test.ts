import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TerminalList } from '../../src/contract/terminals.ts'
import { openJobsAtTerminals } from '../../src/job-index/at-terminals.ts'
import { type Pos, askWith, create, makePos, order, tokenFor } from '../support/hub/hub.ts'
import { operate } from '../support/hub/operator.ts'
import { searchCost } from '../support/hub/search-cost.ts'
import { addAccount, pspWorld } from '../support/psp-world.ts'
import { withTerminals } from '../support/terminals.ts'

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  vi.useRealTimers()
})

async function terminalsOf(token: string): Promise<TerminalList['terminals']> {
  return (await (await askWith(token, 'GET', '/v2/terminals')).json<TerminalList>()).terminals
}

/** Places an order for a terminal, and returns its job. */
async function sellAt(token: string, terminal: string): Promise<string> {
  const { return_url: _return, payment_method: _method, ...sale } = order
  return (await (await create(token, { ...sale, terminal })).json<{ paymentJob: string }>()).paymentJob
}

let shops = 0

/** A live shop with its own terminal, which its PSP lists. */
async function shopAt(
  psp: ReturnType<typeof withTerminals>,
  isOn: boolean | null,
): Promise<Pos & { till: string }> {
  const world = pspWorld('mollie')
  const [pos, account] = [await makePos({ mode: 'live' }), await addAccount(world)]
  const till = `term_till${++shops}`
  psp.list = [...(psp.list ?? []), { id: till, name: `Till ${shops}`, isOn }]
  await operate('POST', `/accounts/${account}/terminals`, { terminal: till })
  await operate('POST', `/pos/${pos.id}/terminals`, { terminal: till })
  return { ...pos, till }
}

describe('the terminals of a live point of sale', () => {
  it('are only its own, and each is on or off as its PSP says', async () => {
    const psp = withTerminals('mollie', [])
    const [on, off, unknown] = [await shopAt(psp, true), await shopAt(psp, false), await shopAt(psp, null)]
    const seen = await Promise.all([on, off, unknown].map(async (pos) => terminalsOf(await tokenFor(pos))))
    expect(seen).toMatchObject([
      [{ id: on.till, isDefault: true, isOn: true, busyWith: null }],
      [{ id: off.till, isOn: false }],
      [{ id: unknown.till, isOn: null }],
    ])
    expect(seen.map((one) => one.length)).toEqual([1, 1, 1])
  })

  it('are listed while the PSP is silent, and cost one question in ten seconds', async () => {
    const psp = withTerminals('mollie', [])
    const pos = await shopAt(psp, true)
    const token = await tokenFor(pos)
    vi.setSystemTime(Date.now() + 11_000)
    psp.list = null
    psp.asked = 0
    for (let look = 0; look < 3; look++) {
      expect(await terminalsOf(token)).toMatchObject([{ id: pos.till, isOn: null }])
    }
    expect(psp.asked).toBe(1)
  })
})

it('a repeated create finds its job, even after the terminal was taken away', async () => {
  const shop = await shopAt(withTerminals('mollie', []), true)
  const token = await tokenFor(shop)
  const { return_url: _return, payment_method: _method, ...sale } = order
  const ask = (terminal: string) =>
    create(token, { ...sale, terminal }, { 'idempotency-key': `sale-${shop.id}` })
  const first = await ask('default')
  const { paymentJob } = await first.json<{ paymentJob: string }>()
  await operate('POST', `/pos/${shop.id}/terminals`, { terminal: shop.till, isAssigned: false })
  vi.setSystemTime(Date.now() + 5 * 60_000)
  expect((await create(await tokenFor(shop), { ...sale, terminal: 'default' })).status).toBe(422)
  const again = await ask('default')
  expect([first.status, again.status]).toEqual([201, 201])
  expect(await again.json()).toMatchObject({ paymentJob })
  expect((await ask(shop.till)).status).toBe(422)
})

describe('a busy terminal', () => {
  const busyWith = async (token: string) => (await terminalsOf(token)).map((one) => one.busyWith)
  /** The index has the row within seconds. */
  const soon = { timeout: 15_000, interval: 200 }

  it('names the job to its own shop, and to no other that uses the same terminal', async () => {
    const [one, other] = [await tokenFor(await makePos()), await tokenFor(await makePos())]
    const job = await sellAt(one, 'sandbox-2')
    await vi.waitFor(async () => expect(await busyWith(one)).toEqual([null, job, null]), soon)
    expect(await busyWith(other)).toEqual([null, null, null])
    await askWith(one, 'POST', `/v2/paymentjobs/${job}/cancel`)
    await vi.waitFor(async () => expect(await busyWith(one)).toEqual([null, null, null]), soon)
  })

  it('is found without reading payments on pages, however many there are', async () => {
    const { plan } = await searchCost(() => openJobsAtTerminals(env, 'p'))
    expect(plan.join()).toContain('jobs_at_terminal')
  })
})
