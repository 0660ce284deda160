import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { batchOf } from '../support/hub/queue.ts'
import toml from '../../wrangler.toml?raw'

const queues = [...new Set(Array.from(toml.matchAll(/^queue = "([\w-]+)"/gm), ([, name = '']) => name))]

/** The consumer of each queue drops invalid messages, which shows that it has read them. */
async function isConsumed(queue: string): Promise<boolean> {
  const { batch, acked } = batchOf([{ nonsense: true }], queue)
  await worker.queue(batch, env)
  return acked() === 1
}

it.each(queues)('the hub consumes %s, and the same queue of another environment', async (queue) => {
  expect(await isConsumed(queue)).toBe(true)
  expect(await isConsumed(queue.replace('payment-hub', 'payment-hub-staging'))).toBe(true)
})

it('an unknown queue is an error, so that its messages are kept', async () => {
  const { batch } = batchOf([{}], 'payment-hub-other')
  await expect(worker.queue(batch, env)).rejects.toThrow('no consumer for queue payment-hub-other')
})
