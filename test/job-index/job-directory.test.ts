import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { addToDirectory, directoryDays, directoryPage } from '../../src/job-index/job-directory.ts'

/** A day on which no other test has jobs. */
const [DAY, CREATED] = ['2018-07-09', Date.UTC(2018, 6, 9, 12) * 1000]
function add(id: string) {
  return addToDirectory(env, [{ id, created: CREATED }])
}

it('a batch that this release cannot read hides no other batch of its day, and is logged', async () => {
  await add('one')
  const directory = env.JOB_DIRECTORY.getByName(DAY)
  await runInDurableObject(directory, (_, state) => state.storage.kv.put('5', { version: 99, of: DAY }))
  await add('other')
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const { ids } = await directoryPage(env, DAY, null, 10)
  expect(ids.toSorted()).toEqual(['one', 'other'])
  expect(logged).toHaveBeenCalledWith(expect.objectContaining({ event: 'stored.unreadable' }))
})

it('a page ends with the batch that fills it, and says where the next one begins', async () => {
  const [day, created] = ['2018-07-11', Date.UTC(2018, 6, 11, 12) * 1000]
  const directory = env.JOB_DIRECTORY.getByName(day)
  await runInDurableObject(directory, (_, { storage }) => storage.deleteAll())
  for (const id of ['one', 'two', 'three']) await addToDirectory(env, [{ id, created }])
  const first = await directoryPage(env, day, null, 2)
  expect([first.ids.length, first.next]).toEqual([2, expect.any(String)])
  const rest = await directoryPage(env, day, first.next, 2)
  expect([...first.ids, ...rest.ids].toSorted()).toEqual(['one', 'three', 'two'])
  expect(rest.next).toBeNull()
})

it.each([
  ['', () => {}],
  [', although another reader comes in between', (day: string) => directoryPage(env, day, null, 9)],
])('a job that several batches have is on one page%s', async (_reader, between) => {
  const [day, created] = ['2018-07-12', Date.UTC(2018, 6, 12, 12) * 1000]
  const directory = env.JOB_DIRECTORY.getByName(day)
  await runInDurableObject(directory, (_, { storage }) => storage.deleteAll())
  for (const ids of [['one', 'two'], ['two', 'three'], ['one']])
    await addToDirectory(
      env,
      ids.map((id) => ({ id, created })),
    )
  const first = await directoryPage(env, day, null, 2)
  await between(day)
  const rest = await directoryPage(env, day, first.next, 2)
  expect([...first.ids, ...rest.ids].toSorted()).toEqual(['one', 'three', 'two'])
})

it('the day of a job is in the list of days', async () => {
  await addToDirectory(env, [{ id: 'three', created: Date.UTC(2018, 6, 10) * 1000 }])
  expect(await directoryDays(env)).toContain('2018-07-10')
})
