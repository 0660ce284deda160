import { describe, expect, it, vi } from 'vitest'
import { createJob, send, tokenFor } from '../support/hub/hub.ts'
import { ringNext, stored, untilNothingIsDue } from '../support/jobs/job.ts'
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

describe('a payment that the PSP has signed as paid', () => {
  /** The notification comes long after any question, while the API still says that the payment is open. */
  const notifiedEarly = async (psp: string): Promise<string> => {
    world = pspWorld(psp)
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
    vi.setSystemTime(Date.now() + 10_000)
    world.fake.bring(id, 'paid')
    expect(await notify(world, id)).toContain(200)
    expect((await stored(id)).status).toBe('PENDING')
    return id
  }

  it.each(['adyen', 'multisafepay', 'stripe'])(
    'while the API of %s still says open, is asked about again within seconds, until it says paid',
    async (psp) => {
      const id = await notifiedEarly(psp)
      const before = Date.now()
      expect((await ringNext(id)).status).toBe('PENDING')
      expect(Date.now() - before).toBeLessThan(10_000)
      world.fault = null
      expect((await ringNext(id)).status).toBe('SUCCESS')
      expect(Date.now() - before).toBeLessThan(60_000)
    },
  )

  it('that the API says is paid, too, needs no other question, and a repeat no other entry', async () => {
    world = pspWorld('stripe')
    const { paymentJob: id } = await createJob(await tokenFor(await posAt(world)))
    vi.setSystemTime(Date.now())
    world.fake.bring(id, 'paid')
    await send(`/return/${id}`)
    expect((await stored(id)).status).toBe('SUCCESS')
    const requestCount = world.asked.length
    expect(await notify(world, id)).toContain(200)
    expect((await stored(id)).payments[0]?.asks.prompted).toBeNull()
    expect(world.asked).toHaveLength(requestCount)
    await notify(world, id)
    const { entry } = await untilNothingIsDue(id)
    for (let again = 0; again < 3; again++) expect(await notify(world, id)).toContain(200)
    expect((await stored(id)).entry).toEqual(entry)
  })
})
