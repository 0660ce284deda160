import { HOUR, MINUTE } from '../contract/timestamp.ts'
import { log } from './log.ts'
import { inRequest } from './request-context.ts'

const KEY = 'alarm-failures'
const LONGEST_PAUSE = 12 * HOUR

/**
 * Does the work of an object's alarm, and never throws. After a failure the alarm is set again; each one in a row doubles the
 * pause, from a minute to half a day. The count stands beside what the object stores: that may be what cannot be read.
 * `about` names the object in the log.
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
