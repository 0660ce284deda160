import { expect, it, vi } from 'vitest'
import { createJob, makePos, payAs, readJob, tokenFor } from '../kit/hub.ts'
import { receiver } from '../kit/receiver.ts'

it('plays a whole payment', async () => {
  const shop = receiver()
  const token = await tokenFor(await makePos())
  const job = await createJob(token)
  expect(await payAs(job.payUrl, 'paid')).toBe('https://shop.nl/thanks?order=7')
  await vi.waitFor(() => expect(shop.received).toHaveLength(1), 3000)
  await vi.waitFor(async () => {
    const now = await readJob(token, job.paymentJob)
    expect(now.payments.steps.map((step) => step.action)).toEqual(['Start', 'Return', 'Statuspull'])
  }, 3000)
})
