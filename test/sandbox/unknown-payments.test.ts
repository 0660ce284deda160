import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { send } from '../support/hub/hub.ts'
import { patience, paymentRequestOf } from '../psp/scripted.ts'
import { checkoutOf, sandbox } from './client.ts'

const headers = { 'cf-connecting-ip': '198.18.0.7' }
const body = new URLSearchParams({ outcome: 'paid' })
const WAYS: Record<string, (id: string) => Promise<Response>> = {
  'the page': (id) => send(checkoutOf(id), { headers }),
  'a button of the page': (id) => send(checkoutOf(id), { method: 'POST', body, headers }),
  'an action': (id) => send(`/sandbox/payments/${id}/pay`, { method: 'POST', headers }),
}

function invented(): string {
  return `tr_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`
}

describe.each(Object.entries(WAYS))('an unknown payment, requested by %s,', (_, visit) => {
  it('counts for its network, and starts no object above the limit', async () => {
    const counted = vi.spyOn(env.UNKNOWN_JOBS_PER_ADDRESS, 'limit')
    expect((await visit(invented())).status).toBe(404)
    expect(counted).toHaveBeenCalledWith({ key: 'sandbox 198.18.0.7' })
    counted.mockResolvedValue({ success: false })
    const objects = vi.spyOn(env.SANDBOX_PAYMENT, 'getByName')
    const id = invented()
    expect((await visit(id)).status).toBe(429)
    expect(objects.mock.calls.filter(([name]) => name === id)).toEqual([])
  })

  it('does not hold up requests for a payment of the sandbox', async () => {
    vi.spyOn(env.UNKNOWN_JOBS_PER_ADDRESS, 'limit').mockResolvedValue({ success: false })
    const made = await sandbox.announce(paymentRequestOf(crypto.randomUUID()), patience)
    const id = made.is === 'announced' ? made.reference : ''
    expect((await visit(id)).status).toBeLessThan(400)
  })
})

it.each(['GET', 'POST'])('an unknown terminal counts for its network: %s', async (method) => {
  const limit = vi.spyOn(env.UNKNOWN_JOBS_PER_ADDRESS, 'limit').mockResolvedValue({ success: false })
  const objects = vi.spyOn(env.SANDBOX_PAYMENT, 'getByName')
  const name = invented().replace('tr_', 'tm_')
  const press = method === 'POST' ? { body: new URLSearchParams({ outcome: 'tap' }) } : {}
  expect((await send(`/sandbox/terminals/${name}`, { method, headers, ...press })).status).toBe(429)
  expect(limit).toHaveBeenCalledWith({ key: 'sandbox 198.18.0.7' })
  expect(objects.mock.calls.filter(([one]) => one === name)).toEqual([])
})
