import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { consumeJobIndex } from '../../src/job-index/consume-rows.ts'
import { rowsOf, writeRows } from '../../src/job-index/job-index.ts'
import { batchOf } from '../support/hub/queue.ts'
import { row } from '../support/hub/shards.ts'

function statusOf(id: string) {
  return env.DB.prepare('select status from jobs where id = ?').bind(id).first('status')
}
/** Whether the job directory has the job of a row. */
function toMessage(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'sequence' in body ? { row: body, listed: false } : body
}

async function consume(bodies: unknown[]) {
  const batch = batchOf(bodies.map(toMessage), 'payment-hub-job-index')
  await consumeJobIndex(batch.batch, env)
  return batch
}

it.each([
  ['before', false],
  ['after', true],
])('a row that is newer than the purge of its job stays, when it comes %s', async (_, rowFirst) => {
  const old = row()
  const { id, created, pos } = old
  const newer = row({ id, status: 'SUCCESS', sequence: 3 })
  const purge = { forgotten: { id, created, pos, sequence: 2 } }
  await consume([old])
  for (const message of rowFirst ? [newer, purge] : [purge, newer]) await consume([message])
  expect(await statusOf(id)).toBe('SUCCESS')
})

it('takes a full batch of a hundred in one transaction', async () => {
  const rows = Array.from({ length: 100 }, () => row({ pos: 'many' }))
  expect((await consume(rows)).acked()).toBe(100)
  expect(await env.DB.prepare("select count(*) as n from jobs where pos = 'many'").first('n')).toBe(100)
})

it('keeps the newest row, in whatever order rows come', async () => {
  const old = row()
  const paid = { ...old, status: 'SUCCESS' as const, paid: 1250, sequence: 2 }
  await consume([paid, old])
  expect(await statusOf(old.id)).toBe('SUCCESS')
})

it('retries the batch with growing pauses while D1 is down, and loses nothing', async () => {
  const one = row()
  const down = vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1 is down'))
  const listed = { row: one, listed: true }
  const failed = await consume([listed])
  expect([failed.acked(), failed.delays()]).toEqual([0, [10]])
  down.mockRestore()
  await consume([listed])
  expect(await statusOf(one.id)).toBe('PENDING')
})

it('keeps a row whose directory is down, and takes it when it comes again', async () => {
  vi.spyOn(env.JOB_DIRECTORY, 'getByName').mockImplementation(() => {
    throw new Error('objects are down')
  })
  const unlisted = await consume([row()])
  expect([unlisted.acked(), unlisted.delays()]).toEqual([0, [10]])
})

it('drops a message that is not a row, and takes the others of the batch', async () => {
  const one = row()
  const batch = await consume(['nonsense', { id: 7 }, one])
  expect(batch.retried()).toBe(0)
  expect(await statusOf(one.id)).toBe('PENDING')
})

it('adds a job to the directory with its first row, unless the directory has it', async () => {
  const created = 1_600_000_000_000_000
  const [late, listed] = [row({ sequence: 3, created }), row({ created })]
  await consume([late, { row: listed, listed: true }])
  expect((await env.JOB_DIRECTORY.getByName('2020-09-13').page(null, 10)).ids).toEqual([late.id])
})

it.each([
  [1, 10],
  [3, 40],
  [20, 3600],
])(
  'writes nothing while the directory fails: after %i attempts it waits for %i s',
  async (attempts, seconds) => {
    const [one, other] = [row(), row()]
    const JOB_DIRECTORY = {
      getByName: () => {
        throw new Error('the directory is overloaded')
      },
    } as unknown as typeof env.JOB_DIRECTORY
    const failing = batchOf([one, other].map(toMessage), 'payment-hub-job-index')
    for (const message of failing.batch.messages)
      Object.defineProperty(message, 'attempts', { value: attempts })
    await consumeJobIndex(failing.batch, { ...env, JOB_DIRECTORY })
    expect([failing.acked(), failing.delays()]).toEqual([0, [seconds, seconds]])
    expect([await statusOf(one.id), await statusOf(other.id)]).toEqual([null, null])
  },
)

it.each([
  ['before', true],
  ['after', false],
])('removes a row that comes in one batch with the purge of its job, %s it', async (_, rowFirst) => {
  const last = row()
  const { id, pos, created, sequence } = last
  const messages = [{ row: last, listed: true }, { forgotten: { id, created, pos, sequence } }]
  expect((await consume(rowFirst ? messages : messages.toReversed())).acked()).toBe(2)
  expect(await statusOf(id)).toBeNull()
})

it('finds each of many rows once, although a statement takes at most 100 parameters', async () => {
  const rows = Array.from({ length: 61 }, () => row())
  await writeRows(env, rows)
  const found = await rowsOf(env, rows)
  expect(found.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
})
