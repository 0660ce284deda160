import { type CopyMessage, copyMessage } from '../job/rules/messages.ts'
import { log } from '../platform/log.ts'
import { refreshAccount } from './account-cache.ts'
import { refreshProfile } from './profile-cache.ts'

/** Seconds until a copy is written once more: by then the change is done, or cut off. */
const SECOND_LOOK = 90
/** Messages that a queue takes at once. */
const BATCH = 100
/** Copies that are written before the operator is answered; the queue writes the others, some seconds later. */
export const AT_ONCE = 100

/**
 * Makes a change in D1, and brings what D1 has then of these points of sale and accounts to KV: one write each. For a point
 * of sale that also ends or changes all its tokens. The messages of the second look go first: should this be cut off
 * anywhere, or two changes reach KV in the wrong order, the copy is written again. Throws when a copy could be neither
 * written nor queued; all others were.
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

/**
 * The same for a change that adds an API key to a point of sale. With an error the key would be live, and nobody would have
 * seen it. It works without the copy: what is remembered of it, and its tokens, are newer than the copy and count. So an
 * error after the change is logged, and the second look writes the copy.
 */
export async function publishNewKey(env: Env, pos: string, change: () => Promise<void>): Promise<void> {
  await queueSecondLook(env, [{ pos }])
  await change()
  try {
    await refreshProfile(env, pos)
  } catch (error) {
    log.fault('kv.write-failed', error, { pos })
  }
}

/** Writes the copy that a message names. */
export function refreshCopy(env: Env, { pos, account }: CopyMessage): Promise<void> {
  return account === undefined ? refreshProfile(env, pos) : refreshAccount(env, account)
}

/** Names the copy of an account. */
export function accountCopyOf(account: string): CopyMessage {
  return { pos: '', account }
}

/** A shop must be stopped even while the queue takes nothing. */
async function queueSecondLook(env: Env, copies: readonly CopyMessage[]): Promise<void> {
  try {
    await queueRefreshes(env, copies, SECOND_LOOK)
  } catch (error) {
    log.fault('queue.send-failed', error, { messages: copies.length })
  }
}

async function queueRefreshes(env: Env, copies: readonly CopyMessage[], delaySeconds: number): Promise<void> {
  const send = async (batch: readonly CopyMessage[]): Promise<void> => {
    await env.COPIES.sendBatch(batch.map((copy) => ({ body: copyMessage.write(copy), delaySeconds })))
  }
  const sent: Promise<void>[] = []
  for (let start = 0; start < copies.length; start += BATCH)
    sent.push(send(copies.slice(start, start + BATCH)))
  await allOf(sent)
}

/** Waits for all, also when one fails, for what a request leaves behind may be cut off. Then throws the first error. */
async function allOf(all: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(all)) if (outcome.status === 'rejected') throw outcome.reason
}
