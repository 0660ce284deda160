import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

/**
 * Objects whose alarms have been ended: remembered once in each runtime, for all test files that
 * share it.
 */
const ended = new Set<string>()

/** Ends the alarms of all objects that have been made since it was last called. */
export async function endAlarms(): Promise<void> {
  const namespaces: DurableObjectNamespace[] = [env.PAYMENT_JOB, env.SANDBOX_PAYMENT]
  for (const namespace of namespaces) {
    const ids = await listDurableObjectIds(namespace)
    await Promise.all(
      ids.map(async (id) => {
        if (ended.has(id.toString())) return
        ended.add(id.toString())
        await runInDurableObject(namespace.get(id), (_, { storage }) => storage.deleteAlarm())
      }),
    )
  }
}
