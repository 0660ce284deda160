import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { createJob, read, send } from '../support/hub/hub.ts'
import { alarmOf, objectOf, ringNext, stored } from '../support/jobs/job.ts'
import { liveShop } from '../support/shops/live-pos.ts'

const shop = liveShop()

describe('an object without a job', () => {
  it('has nothing to do when its alarm rings, and sets none', async () => {
    const found = await runInDurableObject(objectOf(crypto.randomUUID()), async (object, { storage }) => {
      await object.alarm()
      return { keys: [...storage.kv.list()], alarm: await storage.getAlarm() }
    })
    expect(found).toEqual({ keys: [], alarm: null })
  })
})

it('a job that is woken while its alarm handler runs answers, and has its next alarm in the end', async () => {
  const { paymentJob: id } = await createJob(shop.token)
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const requested = vi.fn()
  shop.world.fault = async (request) => {
    requested()
    await answered
    return shop.world.fake.handle(request)
  }
  const rung = ringNext(id)
  await vi.waitFor(() => expect(requested).toHaveBeenCalled())
  expect(await objectOf(id).wake()).toBe(true)
  answer()
  await rung
  expect(await alarmOf(id)).toBeGreaterThan(Date.now())
})

it('a customer who comes back without paying changes no alarm: the one for the next question stays', async () => {
  const { paymentJob: id } = await createJob(shop.token)
  const sets = await runInDurableObject(objectOf(id), (_, { storage }) => vi.spyOn(storage, 'setAlarm'))
  await send(`/return/${id}`)
  expect((await stored(id)).steps.map(({ action }) => action)).toContain('Return')
  expect(sets).not.toHaveBeenCalled()
})

describe('an alarm that the platform gave up', () => {
  const lose = async (id: string) => {
    await runInDurableObject(objectOf(id), (_, state) => state.storage.deleteAlarm())
    await evictDurableObject(objectOf(id))
  }

  it.each([
    ['a retrieve', (id: string) => read(shop.token, id)],
    ['a customer who pays', (id: string) => send(`/pay/${id}`)],
    ['a customer who comes back', (id: string) => send(`/return/${id}`)],
  ])('is set again by %s, once the object starts anew', async (_, ask) => {
    const { paymentJob: id } = await createJob(shop.token)
    const before = await alarmOf(id)
    await lose(id)
    await ask(id)
    const after = await alarmOf(id)
    expect(after).not.toBeNull()
    expect(Math.abs((after ?? 0) - (before ?? 0))).toBeLessThan(60_000)
  })

  it('is set again by a retrieve, even if the object still has its memory', async () => {
    const { paymentJob: id } = await createJob(shop.token)
    await read(shop.token, id)
    const before = await alarmOf(id)
    await runInDurableObject(objectOf(id), (_, { storage }) => storage.deleteAlarm())
    vi.setSystemTime((before ?? 0) + 61_000)
    await read(shop.token, id)
    expect(await alarmOf(id)).toBeGreaterThan(Date.now())
  })

  it('is set again early by the sweep that wakes the job', async () => {
    const { paymentJob: id } = await createJob(shop.token)
    await runInDurableObject(objectOf(id), (_, { storage }) => storage.deleteAlarm())
    await objectOf(id).wake()
    expect(await alarmOf(id)).toBeGreaterThan(Date.now())
  })

  it('stays as it is if there is one', async () => {
    const { paymentJob: id } = await createJob(shop.token)
    const earlier = ((await alarmOf(id)) ?? 0) - 5000
    await runInDurableObject(objectOf(id), (_, state) => state.storage.setAlarm(earlier))
    await evictDurableObject(objectOf(id))
    await read(shop.token, id)
    expect(await alarmOf(id)).toBe(earlier)
  })
})
