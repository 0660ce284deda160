import { traceHead } from '../../src/job/trace-head.ts'
import { signingSecret } from '../../src/platform/crypto/signing.ts'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { traceLine } from '../../src/contract/payment-job.ts'
import { type JobJson, createJob, makePos, payAs, send, tokenFor } from '../support/hub/hub.ts'
import { operate } from '../support/hub/operator.ts'
import { receiver } from '../support/shops/receiver.ts'

let shop: ReturnType<typeof receiver>
beforeEach(() => {
  shop = receiver()
})

async function readWith(token: string, id: string, headers: Record<string, string>) {
  return send(`/v2/paymentjobs/${id}`, { headers: { authorization: `Bearer ${token}`, ...headers } })
}

describe('the head of a trace', () => {
  it('is in each report, and every later trace begins with the same lines', async () => {
    const pos = await makePos()
    const token = await tokenFor(pos)
    const { paymentJob, payUrl } = await createJob(token)
    await payAs(payUrl, 'paid')
    await vi.waitFor(() => expect(shop.of(paymentJob)).toHaveLength(1), 10_000)
    await operate('POST', `/jobs/${paymentJob}/refunds`, { id: crypto.randomUUID(), amount: '5.00' })
    await operate('POST', `/jobs/${paymentJob}/refunds`, { id: crypto.randomUUID(), amount: '1.00' })
    await vi.waitFor(() => expect(shop.of(paymentJob).length).toBeGreaterThan(1), 10_000)

    const read = await readWith(token, paymentJob, { prefer: 'trace-head' })
    const job = await read.json<JobJson>()
    const { steps } = job.payments
    expect(steps.map(({ action }) => action)).toContain('Refund')
    const secret = await signingSecret(env.SIGNING_ROOT, pos.id, 1)
    expect(secret).toBe(pos.signingSecret)
    const headAt = (count: number, of = steps) =>
      traceHead(secret, paymentJob, of.slice(0, count).map(traceLine))

    expect(read.headers.get('x-trace-head')).toBe(await headAt(steps.length))
    for (const { headers, body } of shop.of(paymentJob)) {
      const told = (JSON.parse(body) as JobJson).payments.steps.length
      const kept = headers['x-trace-head']
      expect(kept).toBe(await headAt(told))
      const changed = steps.map((step, place) => (place === 1 ? { ...step, amountPaid: '12.49' } : step))
      expect(kept).not.toBe(await headAt(told, changed))
    }
  })

  it('is in a read only if the client asks for it, also with a wait and in a 304', async () => {
    const token = await tokenFor(await makePos())
    const { paymentJob, payUrl } = await createJob(token)
    await payAs(payUrl, 'canceled')
    const plain = await readWith(token, paymentJob, { prefer: 'wait=1' })
    expect(plain.headers.get('x-trace-head')).toBeNull()
    const asked = await readWith(token, paymentJob, { prefer: 'wait=1, trace-head' })
    const head = asked.headers.get('x-trace-head')
    expect(head).toMatch(/^steps=\d+, sha256=[0-9a-f]{64}, signature=[0-9a-f]{128}$/)
    const known = { prefer: 'Trace-Head', 'if-none-match': asked.headers.get('etag') ?? '' }
    const unchanged = await readWith(token, paymentJob, known)
    expect([unchanged.status, unchanged.headers.get('x-trace-head')]).toEqual([304, head])
  })
})
