import * as v from 'valibot'
import { log } from '../platform/log.ts'
import { allOf, eachMessage, sendAll } from '../platform/queues.ts'
import { storedShape } from '../platform/stored.ts'
import { refreshAccount, refreshProfile } from './copies.ts'

/** Queue `copies`: writes the KV copy of a point of sale from D1, or that of an `account`. */
const CopyMessage = v.object({ pos: v.string(), account: v.exactOptional(v.string()) })
type CopyMessage = v.InferOutput<typeof CopyMessage>
export const copyMessage = storedShape(CopyMessage)

/** Seconds until a copy is written once more: by then the change is done, or was cut off. */
const SECOND_LOOK = 90
/** Copies that are written before the operator is answered; the queue writes the others. */
export const AT_ONCE = 100

/**
 * Makes a change in D1, and then writes the KV copies that it changes. The messages of a second
 * look go first: they write the copies again if this is cut off, or if two changes reach KV in the
 * wrong order. Throws when a copy could be neither written nor queued; all others were.
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

/** The same for a new API key. It works without the copy, so a fault of KV is only logged. */
export async function publishNewKey(env: Env, pos: string, change: () => Promise<void>): Promise<void> {
  await queueSecondLook(env, [{ pos }])
  await change()
  try {
    await refreshProfile(env, pos)
  } catch (error) {
    log.fault('kv.write-failed', error, { pos })
  }
}

/** The `copies` queue: each message is a look at one copy in KV. */
export function consumeCopies(batch: MessageBatch, env: Env): Promise<void> {
  return eachMessage(batch, copyMessage, (message) => refreshCopy(env, message))
}

function refreshCopy(env: Env, { pos, account }: CopyMessage): Promise<void> {
  return account === undefined ? refreshProfile(env, pos) : refreshAccount(env, account)
}

export function accountCopyOf(account: string): CopyMessage {
  return { pos: '', account }
}

/** A fault is only logged: a shop must be stopped even while the queue takes nothing. */
async function queueSecondLook(env: Env, copies: readonly CopyMessage[]): Promise<void> {
  try {
    await queueRefreshes(env, copies, SECOND_LOOK)
  } catch (error) {
    log.fault('queue.send-failed', error, { messages: copies.length })
  }
}

function queueRefreshes(env: Env, copies: readonly CopyMessage[], delaySeconds: number): Promise<void> {
  return sendAll(
    env.COPIES,
    copies.map((copy) => ({ body: copyMessage.write(copy), delaySeconds })),
  )
}
