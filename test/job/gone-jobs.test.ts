import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { cancelJob } from '../../src/job/call-job.ts'
import { restoreTombstoneAlarm } from '../../src/job/tombstone.ts'
import { objectOf } from '../support/job.ts'

it('a job that is purged between the question and the wish to cancel it is unknown to the wish too', async () => {
  expect(await cancelJob(env, crypto.randomUUID(), 'shop')).toBeNull()
})

it('no alarm is set where the tombstone went while its alarm was asked for', async () => {
  const alarm = await runInDurableObject(objectOf(crypto.randomUUID()), async (_, { storage }) => {
    await restoreTombstoneAlarm(storage, Date.now())
    return await storage.getAlarm()
  })
  expect(alarm).toBeNull()
})
