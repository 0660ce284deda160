import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

/** Objects of files that have ended, which have no alarm any more. */
const quiet = new Set<string>()

/**
 * Ends the alarms of all objects: a job of a file that has ended would ask its PSP, report and log a minute later, in the middle
 * of another file, whose doubles and spies would count that as their own.
 */
export const endAlarms = async (): Promise<void> => {
  const namespaces: DurableObjectNamespace[] = [env.PAYMENT_JOB, env.SANDBOX_PAYMENT]
  for (const namespace of namespaces) {
    const ids = await listDurableObjectIds(namespace)
    const live = ids.filter((id) => !quiet.has(id.toString()))
    await Promise.all(
      live.map(async (id) => {
        quiet.add(id.toString())
        await runInDurableObject(namespace.get(id), (_, { storage }) => storage.deleteAlarm())
      }),
    )
  }
}
