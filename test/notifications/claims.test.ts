import { afterEach, expect, it, vi } from 'vitest'
import { createJob, send, tokenFor } from '../support/hub.ts'
import { stored } from '../support/job.ts'
import { type PspWorld, notify, posAt, pspWorld } from '../support/psp-world.ts'

let world: PspWorld
afterEach(() => {
  vi.useRealTimers()
  world.stop()
})

it('a failure that the PSP has signed counts although its API said a moment ago that the payment is open', async () => {
  world = pspWorld('stripe')
  const { paymentJob: id } = await createJob(await tokenFor(await posAt(world)))
  vi.setSystemTime(Date.now())
  await send(`/return/${id}`)
  expect((await stored(id)).status).toBe('PENDING')
  world.fake.bring(id, 'failed')
  expect(await notify(world, id)).toContain(200)
  expect((await stored(id)).status).toBe('FAILURE')
})
