import { env, exports } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { rowsOf } from '../../src/job-index/job-index.ts'
import { directoryDays, directoryPage } from '../../src/job-index/job-directory.ts'
import { createJob, readJob, send, tokenFor } from '../support/hub.ts'
import { stored } from '../support/job.ts'
import { makeLivePos, outside } from '../support/live-pos.ts'

type Sent = { row?: { id: string; status: string } }

let world: ReturnType<typeof outside>
let sent: Sent[]
beforeEach(() => {
  world = outside()
  sent = []
  const { send: sendOn } = env.JOB_INDEX
  vi.spyOn(env.JOB_INDEX, 'send').mockImplementation((body, options) => {
    sent.push(body as Sent)
    return sendOn.call(env.JOB_INDEX, body, options)
  })
})
afterEach(() => {
  world.stop()
  vi.restoreAllMocks()
})

/** A live payment that is paid within its first minute, after something went wrong. */
async function pay(fail = () => {}): Promise<string> {
  const token = await tokenFor(await makeLivePos())
  const { paymentJob: id } = await createJob(token)
  fail()
  world.fake.bring(id, 'paid')
  await send(`/return/${id}`)
  expect((await readJob(token, id)).status).toBe('SUCCESS')
  return id
}

function untilReported(id: string) {
  return vi.waitFor(
    async () => expect((await stored(id)).reports).toMatchObject([{ state: 'delivered' }]),
    15_000,
  )
}

function messagesOf(id: string) {
  return sent.filter(({ row }) => row?.id === id)
}

it('who delivers a report writes the row of its change, and no message of the row is sent', async () => {
  const id = await pay()
  await untilReported(id)
  const job = await stored(id)
  expect(job).toMatchObject({ indexAt: null, listed: true })
  expect(await rowsOf(env, [job])).toMatchObject([{ id, status: 'SUCCESS', sequence: job.sequence }])
  const day = new Date(job.created / 1000).toISOString().slice(0, 10)
  const { ids } = await directoryPage(env, day, null, 1_000_000)
  expect(ids.filter((listed) => listed === id)).toHaveLength(1)
  expect(messagesOf(id)).toEqual([])
})

it('a row that the queue has taken already is not written with a report that is sent once more', async () => {
  const id = await pay()
  await untilReported(id)
  const job = await stored(id)
  // A day that no other test has jobs of: its directory would tell of a write.
  const [day, created] = ['2018-08-01', Date.UTC(2018, 7, 1) * 1000]
  const revision = job.reports.at(-1)?.revision ?? 0
  const before = world.reportsOf(id).length
  expect(await exports.ReportDelivery.attempt({ job: id, revision }, { ...job, created })).not.toBe('failed')
  await vi.waitFor(() => expect(world.reportsOf(id).length).toBeGreaterThan(before))
  expect(await directoryDays(env)).not.toContain(day)
})

it.each([
  [
    'D1 does not take it',
    () => vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1 is down')),
    'D1 is down',
  ],
  [
    'the directory is not there',
    () =>
      vi.spyOn(env.JOB_DIRECTORY, 'getByName').mockImplementation(() => {
        throw new Error('the directory is down')
      }),
    'the directory is down',
  ],
])('the row goes by its own queue when %s, and the report is recorded', async (_, fail, fault) => {
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  const id = await pay(fail)
  await untilReported(id)
  expect(errors).toHaveBeenCalledWith(
    expect.objectContaining({ event: 'index.write-failed', error: expect.stringContaining(fault) as string }),
  )
  // While the fault lasts, the consumer sends the row again: the first message is the delivery's.
  await vi.waitFor(() =>
    expect(messagesOf(id)[0]).toMatchObject({ row: { status: 'SUCCESS' }, listed: false }),
  )
})
