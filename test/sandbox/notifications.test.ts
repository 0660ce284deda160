import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { changed } from '../../src/psp/sandbox/change.ts'
import { type Payment, notified, openPayment } from '../../src/psp/sandbox/payment.ts'
import { createJob, makePos, readJob, send, tokenFor } from '../support/hub/hub.ts'
import { stored } from '../support/jobs/job.ts'
import { receiver } from '../support/shops/receiver.ts'
import { act, choose, get, make, newPayment, objectOf, referenceOf, sandbox } from './client.ts'

const MINUTE = 60_000

/** Returns a payment after these changes at a time (ms). */
function after(payment: Payment, is: 'pay' | 'refund', now: number): Payment {
  const result = changed(payment, { is }, now)
  if (!result.ok) throw new Error(result.error)
  return result.value
}

describe('the notification of a change', () => {
  const paid = after(openPayment({ ...newPayment, id: 'tr_1' }, 0), 'pay', 1000)

  const [first = { tries: 0, at: 0 }] = paid.notify

  it('comes soon, and is repeated ten times within 26 hours until it is accepted', () => {
    expect(paid.notify).toEqual([{ tries: 0, at: 1300 }])
    const minutes: number[] = []
    for (let next = paid, [notice] = next.notify; notice; [notice] = next.notify) {
      minutes.push(Math.round(notice.at / MINUTE))
      next = notified(next, notice, false, notice.at)
    }
    expect(minutes).toEqual([0, 1, 3, 7, 15, 31, 60, 120, 240, 720, 1560])
    expect(notified(paid, first, true, 1300).notify).toEqual([])
  })

  it('is one of its own, although the previous one is unsent, under way, or failed', () => {
    const second = { tries: 0, at: 1700 }
    const refunded = after(paid, 'refund', 1400)
    expect(refunded.notify).toEqual([first, second])
    expect(notified(refunded, first, true, 1500).notify).toEqual([second])
    expect(notified(refunded, first, false, 1500).notify).toEqual([second, { tries: 1, at: 61_500 }])
  })
})

describe('at the hub', () => {
  beforeEach(() => void receiver())

  it('completes a job without its customer, and without leaving the hub', async () => {
    const outside = receiver()
    const token = await tokenFor(await makePos())
    const { payUrl, paymentJob } = await createJob(token)
    await choose(await referenceOf(payUrl), 'paid')
    await vi.waitFor(async () => expect((await readJob(token, paymentJob)).status).toBe('SUCCESS'), 15_000)
    const { payments } = await readJob(token, paymentJob)
    expect(payments.steps.map(({ action }) => action)).toEqual(['Start', 'Statuspull'])
    expect(outside.received.filter(({ url }) => url.includes('/notifications/'))).toEqual([])
  })

  it("reports a refund right after the payment, before the payment's own notification", async () => {
    const { payUrl, paymentJob: id } = await createJob(await tokenFor(await makePos()))
    const reference = await referenceOf(payUrl)
    await act(reference, 'pay')
    // The customer comes back at once, so this question is the first to find the payment paid.
    await send(`/return/${id}`)
    expect((await stored(id)).status).toBe('SUCCESS')
    await act(reference, 'refund')
    await vi.waitFor(async () => expect((await stored(id)).refunded).toBe(1250), 15_000)
  })
})

describe('a payment that is never completed', () => {
  const START = Math.ceil(Date.now() / 1000) * 1000 + 60 * MINUTE
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }))

  it('has expired at its end, without an alarm', async () => {
    const { id } = await make()
    vi.setSystemTime(START + 15 * MINUTE - 1)
    expect(await get(id)).toHaveProperty('status', 'open')
    vi.setSystemTime(START + 15 * MINUTE)
    expect(await get(id)).toHaveProperty('status', 'expired')
    expect((await choose(id, 'paid')).headers.get('location')).toBe(newPayment.returnUrl)
    expect(await sandbox.stop(id, 'EUR')).toMatchObject({ status: 'EXPIRED' })
    expect(await get(id)).toHaveProperty('status', 'expired')
  })

  it('does not expire when it was paid in time', async () => {
    const { id } = await make()
    await choose(id, 'paid')
    vi.setSystemTime(START + 60 * MINUTE)
    await runDurableObjectAlarm(objectOf(id))
    expect(await get(id)).toHaveProperty('status', 'paid')
    const left = await runInDurableObject(objectOf(id), (_, { storage }) =>
      storage.kv.get<Payment>('payment'),
    )
    expect(left?.notify).toEqual([])
  })
})
