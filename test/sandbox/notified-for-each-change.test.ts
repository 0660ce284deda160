import { describe, expect, it, vi } from 'vitest'
import { createJob, location, makePos, send, tokenFor } from '../support/hub.ts'
import { stored } from '../support/job.ts'
import { receiver } from '../support/receiver.ts'
import { type Payment, completed, notified, told } from '../../src/psp/sandbox/payment.ts'

const open: Payment = {
  id: 'tr_1',
  fingerprint: 'f',
  origin: 'https://hub.example',
  status: 'open',
  amount: { currency: 'EUR', value: '12.50' },
  description: 'Coffee',
  redirectUrl: 'https://shop.nl/',
  cancelUrl: null,
  webhookUrl: 'https://hub.example/notifications/a',
  method: null,
  locale: null,
  metadata: 'null',
  createdAt: 0,
  expiresAt: 900_000,
  settledAt: null,
  notify: null,
}
const paid = completed(open, 'paid', 1000)
const first = paid.notify

describe('a change that comes before the notification of another one was sent', () => {
  it('has a notification of its own, after that one', () => {
    expect(first).toEqual({ tries: 0, at: 1300 })
    const changed = told(paid, 1200)
    expect(changed.notify).toEqual(first)
    const once = notified(changed, first, true, 1310)
    expect(once.notify).toEqual({ tries: 0, at: 1500 })
    expect(notified(once, once.notify, true, 1510)).toEqual({ ...paid, notify: null })
  })

  it('has it also while that one is being sent, or is to be sent again', () => {
    const changed = told(paid, 1400)
    const failed = notified(changed, first, false, 1500)
    expect(failed.notify).toEqual({ tries: 1, at: 61_500 })
    expect(notified(failed, failed.notify, true, 61_600).notify).toEqual({ tries: 0, at: 1700 })
  })

  it('does not wait until one that has failed is sent again', () => {
    const failed = notified(paid, first, false, 1400)
    const changed = told(failed, 5000)
    expect(changed.notify).toEqual({ tries: 0, at: 5300 })
    expect(notified(changed, changed.notify, true, 5310).notify).toEqual({ tries: 0, at: 5300 })
  })

  it('is told to nobody where the payment has no webhook', () => {
    expect(told({ ...open, webhookUrl: null }, 1000).notify).toBeNull()
  })
})

it('a refund right after the payment, before its notification, reaches the job by itself', async () => {
  const shop = receiver()
  try {
    const { payUrl, paymentJob: id } = await createJob(await tokenFor(await makePos()))
    const checkout = location(await send(payUrl))
    const reference = checkout.split('/').at(-1) ?? ''
    const act = async (action: string) =>
      expect((await send(`/sandbox/payments/${reference}/${action}`, { method: 'POST' })).status).toBe(200)
    await act('pay')
    // The customer comes back at once: this question is the first to say that the payment is paid.
    await send(`/return/${id}`)
    expect((await stored(id)).status).toBe('SUCCESS')
    await act('refund')
    await vi.waitFor(async () => expect((await stored(id)).refunded).toBe(1250), 15_000)
  } finally {
    shop.stop()
  }
})
