import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { afterEach, expect, it } from 'vitest'
import { type JobJson, create, order, readJob, send, tokenFor } from '../support/hub.ts'
import { objectOf, stored } from '../support/job.ts'
import { type PspWorld, posAt, pspWorld } from '../support/psp-world.ts'

let world: PspWorld
afterEach(() => world.stop())

it('a paid order that MultiSafepay holds under the id of a job pays no other order', async () => {
  world = pspWorld('multisafepay')
  const token = await tokenFor(await posAt(world))
  const createWith = async (amount: string): Promise<JobJson> =>
    (await create(token, { ...order, amount }, { 'idempotency-key': 'held-1' })).json()
  const { paymentJob: job } = await createWith('50.00')
  const { fingerprint } = await stored(job)
  expect(fingerprint).toMatch(/\w{20,}/)
  world.fake.bring(job, 'paid')
  // As if the job had been forgotten since.
  await runInDurableObject(objectOf(job), async (_, { storage }) => storage.deleteAll())
  await evictDurableObject(objectOf(job))
  const other = await createWith('5.00')
  expect(other.paymentJob).toBe(job)
  expect([other.status, other.error]).toEqual([
    'FAILURE',
    'refused_other: MultiSafepay holds another order under this id.',
  ])
  await send(`/return/${job}`)
  expect(await readJob(token, job)).toMatchObject({ status: 'FAILURE', amountPaid: '0.00' })
})
