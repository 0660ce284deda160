import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { batchOf } from '../support/hub/queue.ts'

type Message<Body> = { body: Body; attempts: number }

/**
 * A queue of the platform: it delivers at least once, in any order. `refusals`: how many of the next sends
 * fail.
 */
export function modelQueue<Body>() {
  const waiting: Message<Body>[] = []
  const queue = {
    waiting,
    refusals: 0,
    accept(body: Body) {
      if (queue.refusals > 0) {
        queue.refusals--
        throw new Error('Queue is overloaded. Please back off.')
      }
      waiting.push({ body, attempts: 1 })
    },
    /** Takes a message out. With `keep` a copy stays, as if its acknowledgement got lost. */
    take(pick: number, keep: boolean): Message<Body> | undefined {
      const place = waiting.length === 0 ? 0 : pick % waiting.length
      const message = waiting[place]
      if (message && !keep) waiting.splice(place, 1)
      return message
    },
  }
  return queue
}
export type ModelQueue<Body> = ReturnType<typeof modelQueue<Body>>

type Consumer = (batch: MessageBatch, env: Env, ctx: ExecutionContext) => Promise<void>

/**
 * Hands a batch to a consumer, and waits for its background work. Returns whether the consumer wants it
 * again.
 */
export async function handTo(env: Env, consumer: Consumer, bodies: readonly unknown[]): Promise<boolean> {
  const { batch, retried } = batchOf(bodies)
  const context = createExecutionContext()
  await consumer(batch, env, context)
  await waitOnExecutionContext(context)
  return retried() > 0
}

/**
 * Hands a batch to a consumer. Messages that it does not acknowledge wait again, or are dead after `tries`.
 */
export async function consume<Body>(
  env: Env,
  queue: ModelQueue<Body>,
  messages: readonly Message<Body>[],
  consumer: Consumer,
  { tries, dead }: { tries: number; dead: (body: Body) => Promise<unknown> },
): Promise<void> {
  const bodies = messages.map(({ body }) => body)
  if (!(await handTo(env, consumer, bodies))) return
  for (const { body, attempts } of messages) {
    if (attempts > tries) await dead(body)
    else queue.waiting.push({ body, attempts: attempts + 1 })
  }
}
