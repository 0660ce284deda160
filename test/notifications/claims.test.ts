import { expect, it, vi } from 'vitest'
import { createJob, send, tokenFor } from '../support/hub.ts'
import { ringNext, stored } from '../support/job.ts'
import { type PspWorld, notify, posAt, pspWorld } from '../support/psp-world.ts'

let world: PspWorld

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

it('a payment that the PSP has signed as paid, while its API still says open, is asked about again within seconds', async () => {
  world = pspWorld('stripe')
  const { paymentJob: id } = await createJob(await tokenFor(await posAt(world)))
  vi.setSystemTime(Date.now())
  const answers: Response[] = []
  world.fault = async (request) => {
    const answer = await world.fake.handle(request)
    if (request.method === 'GET') answers.push(answer.clone())
    return answer
  }
  await send(`/return/${id}`)
  const [open] = answers
  world.fault = (request) => (request.method === 'GET' && open ? open.clone() : world.fake.handle(request))
  world.fake.bring(id, 'paid')
  expect(await notify(world, id)).toContain(200)
  expect((await stored(id)).status).toBe('PENDING')
  world.fault = null
  const before = Date.now()
  expect((await ringNext(id)).status).toBe('SUCCESS')
  expect(Date.now() - before).toBeLessThan(10_000)
})
