import { HOUR, MINUTE } from '../domain/timestamp.ts'
import { log } from '../log.ts'

const KEY = 'alarm-failures'
const LONGEST_PAUSE = 12 * HOUR

/**
 * Does the work of an alarm, and never throws. After a failure the alarm is set again; each one in a row doubles the pause,
 * from a minute to half a day. The count stands beside the job: that may be what cannot be read.
 */
export const withPauses = async (
  { id, storage }: DurableObjectState,
  work: () => Promise<void>,
): Promise<void> => {
  const failures = storage.kv.get(KEY)
  try {
    await work()
    if (failures !== undefined) storage.kv.delete(KEY)
  } catch (error) {
    log.fault('alarm.failed', error, { job: id.name })
    const count = typeof failures === 'number' ? failures : 0
    storage.kv.put(KEY, count + 1)
    await storage.setAlarm(Date.now() + Math.min(MINUTE * 2 ** count, LONGEST_PAUSE))
  }
}
