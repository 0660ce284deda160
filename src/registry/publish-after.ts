import * as v from 'valibot'
import { log } from '../platform/log.ts'
import { allOf, eachMessage, sendAll } from '../platform/queues.ts'
import { storedShape } from '../platform/stored.ts'
import { refreshAccount, refreshProfile } from './copies.ts'

/** Queue `copies`: writes the KV copy of a point of sale from D1, or of an `account`. */
const CopyMessage = v.object({ pos: v.string(), account: v.exactOptional(v.string()) })
type CopyMessage = v.InferOutput<typeof CopyMessage>
export const copyMessage = storedShape(CopyMessage)

/** Seconds until the second write of a copy: by then, the change is done or was cut off. */
const SECOND_LOOK = 90
/** How many copies the hub writes before it answers the operator; the queue writes the rest. */
export const AT_ONCE = 100

/**
 * Makes a change in D1, and then writes the KV copies. First queues a second write of each copy, in case
 * this is cut off, or two changes reach KV in the wrong order. Writes all copies that it can; throws
 * if one could be neither written nor queued.
 */
export async function publishAfter<Result>(
  env: Env,
  copies: readonly CopyMessage[],
  change: () => Promise<Result>,
): Promise<Result> {
  await queueSecondLook(env, copies)
  const result = await change()
  await allOf([
    ...copies.slice(0, AT_ONCE).map((copy) => refreshCopy(env, copy)),
    queueRefreshes(env, copies.slice(AT_ONCE), 0),
  ])
  return result
}

/** Does the same for a new API key. It works without its copy, so a fault is only logged. */
export async function publishNewKey(env: Env, pos: string, change: () => Promise<void>): Promise<void> {
  await queueSecondLook(env, [{ pos }])
  await change()
  try {
    await refreshProfile(env, pos)
  } catch (error) {
    log.fault('kv.write-failed', error, { pos })
  }
}

/** Consumes the `copies` queue: each message is one copy to write. */
export function consumeCopies(batch: MessageBatch, env: Env): Promise<void> {
  return eachMessage(batch, copyMessage, (message) => refreshCopy(env, message))
}

function refreshCopy(env: Env, { pos, account }: CopyMessage): Promise<void> {
  return account === undefined ? refreshProfile(env, pos) : refreshAccount(env, account)
}

export function accountCopyOf(account: string): CopyMessage {
  return { pos: '', account }
}

/** Only logs a fault: an operator must be able to stop a shop even while the queue is down. */
async function queueSecondLook(env: Env, copies: readonly CopyMessage[]): Promise<void> {
  try {
    await queueRefreshes(env, copies, SECOND_LOOK)
  } catch (error) {
    log.fault('queue.send-failed', error, { messages: copies.length })
  }
}

function queueRefreshes(env: Env, copies: readonly CopyMessage[], delaySeconds: number): Promise<void> {
  const messages = copies.map((copy) => ({ body: copyMessage.write(copy), delaySeconds }))
  return sendAll(env.COPIES, messages)
}
