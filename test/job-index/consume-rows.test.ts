import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { consumeJobIndex } from '../../src/job-index/consume-rows.ts'
import { batchOf } from '../support/queue.ts'
import { row } from '../support/shards.ts'

/** A day that no other file has jobs on. */
const DAY = '2018-03-04'
const created = Date.UTC(2018, 2, 4, 12) * 1000

async function consume(bodies: unknown[]) {
  const batch = batchOf(bodies, 'payment-hub-job-index')
  await consumeJobIndex(batch.batch, env)
  return batch
}

it.each([
  ['before', true],
  ['after', false],
])('a row goes with its job when it comes in one batch with the purge, %s it', async (_, rowFirst) => {
  const last = row({ created })
  const { id, pos, sequence } = last
  const messages = [{ row: last, listed: true }, { forgotten: { id, created, pos, sequence } }]
  expect((await consume(rowFirst ? messages : messages.toReversed())).acked()).toBe(2)
  expect(await env.DB.prepare('select id from jobs where id = ?').bind(id).first()).toBeNull()
})

it('a job is added to the directory by the rows that say it is not there yet, and by no others', async () => {
  const [first, later] = [row({ created }), row({ created })]
  await consume([
    { row: first, listed: false },
    { row: later, listed: true },
  ])
  const { ids } = await env.JOB_DIRECTORY.getByName(DAY).page(null, 100)
  expect(ids).toContain(first.id)
  expect(ids).not.toContain(later.id)
})

it.each([
  [1, 10],
  [3, 40],
  [20, 3600],
])(
  'after %i attempts a batch that failed waits for %i s: longer each time, an hour at most',
  async (attempts, seconds) => {
    const failing = batchOf([{ row: row({ created }), listed: false }], 'payment-hub-job-index')
    for (const message of failing.batch.messages)
      Object.defineProperty(message, 'attempts', { value: attempts })
    const JOB_DIRECTORY = {
      getByName: () => {
        throw new Error('the directory is overloaded')
      },
    } as unknown as typeof env.JOB_DIRECTORY
    await consumeJobIndex(failing.batch, { ...env, JOB_DIRECTORY })
    expect([failing.acked(), failing.delays()]).toEqual([0, [seconds]])
  },
)
