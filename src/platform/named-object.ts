import { HOUR, MINUTE } from '../contract/timestamp.ts'
import { log } from './log.ts'
import { inRequest } from './request-context.ts'

/**
 * Returns the object of a name, in the jurisdiction JURISDICTION ("eu"), or anywhere if that is empty.
 * Each jurisdiction has another object for the same name, so a hub that has jobs must never change
 * it. Throws for any other jurisdiction, which a deploy also refuses.
 * https://developers.cloudflare.com/durable-objects/reference/data-location/
 */
export function namedObject<T extends Rpc.DurableObjectBranded | undefined>(
  { JURISDICTION }: Env,
  namespace: DurableObjectNamespace<T>,
  name: string,
): DurableObjectStub<T> {
  if (!JURISDICTION) return namespace.getByName(name)
  if (JURISDICTION !== 'eu') throw new Error(`JURISDICTION must be eu or empty, not ${JURISDICTION}`)
  return namespace.jurisdiction(JURISDICTION).getByName(name)
}

const KEY = 'alarm-failures'
const LONGEST_PAUSE = 12 * HOUR

/**
 * Does the work of an object's alarm, and never throws. After a failure it sets the next alarm, with a
 * pause that doubles with each failure in a row, from a minute to half a day. It counts failures
 * outside the object's own data, which may be unreadable. `about` names the object in the log.
 */
export function withPauses(
  { storage }: DurableObjectState,
  about: Readonly<Record<string, string | undefined>>,
  work: () => Promise<void>,
): Promise<void> {
  return inRequest(async () => {
    const failures = storage.kv.get(KEY)
    try {
      await work()
      if (failures !== undefined) storage.kv.delete(KEY)
    } catch (error) {
      log.fault('alarm.failed', error, about)
      const count = typeof failures === 'number' ? failures : 0
      storage.kv.put(KEY, count + 1)
      await storage.setAlarm(Date.now() + Math.min(MINUTE * 2 ** count, LONGEST_PAUSE))
    }
  })
}
