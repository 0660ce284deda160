import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'

/** Whether the next write of a job fails, as a schedule has it. */
export const jobWrites = { mayFail: (): boolean => false }

/** The key of an entry of a journal. */
const ENTRY = /^\d+$/

/** As the platform says it: the object starts anew, and the call may be repeated. */
function unwritten() {
  return Object.assign(
    new Error('Internal error in Durable Object storage write caused object to be reset.'),
    {
      retryable: true,
      durableObjectReset: true,
    },
  )
}

/**
 * Takes over how objects write a job: all objects of a runtime share one prototype of their
 * storage.
 */
export async function seizeJobWrites(): Promise<void> {
  const stub = env.PAYMENT_JOB.getByName(crypto.randomUUID())
  await runInDurableObject(stub, (_, { storage }) => {
    const shared = Object.getPrototypeOf(storage.kv) as SyncKvStorage
    const { put } = shared
    vi.spyOn(shared, 'put').mockImplementation(function put_(
      this: SyncKvStorage,
      key: string,
      value: unknown,
    ) {
      if (ENTRY.test(key) && jobWrites.mayFail()) throw unwritten()
      return put.call(this, key, value)
    })
  })
}
