import { HOUR, MINUTE } from '../domain/timestamp.ts'

const KEY = 'alarm-failures'
const LONGEST_PAUSE = 12 * HOUR

/**
 * Counts the alarms of an object that failed in a row, beside its job: that may be what cannot be read. Each failure
 * doubles the pause before the next try, from a minute to half a day.
 */
export const alarmFailures = (storage: DurableObjectStorage) => {
  const count = (): number => {
    const stored = storage.kv.get(KEY)
    return typeof stored === 'number' ? stored : 0
  }
  return {
    /** Counts one more. When (ms) to try again. */
    next: (now: number): number => {
      const failures = count()
      storage.kv.put(KEY, failures + 1)
      return now + Math.min(MINUTE * 2 ** failures, LONGEST_PAUSE)
    },
    clear: (): void => {
      if (count() > 0) storage.kv.delete(KEY)
    },
  }
}
