import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'

/** Whether the next write of a job fails, as the schedule says. */
export const jobWrites = { mayFail: (): boolean => false }

/** The key of a journal entry. */
const ENTRY = /^\d+$/

/** The platform's error for a failed write: it resets the object, and the caller may repeat the call. */
function writeError() {
  return Object.assign(
    new Error('Internal error in Durable Object storage write caused object to be reset.'),
    {
      retryable: true,
      durableObjectReset: true,
    },
  )
}

/**
 * Makes writes of jobs fail as `jobWrites` says. All objects of a runtime share one prototype of their
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
      if (ENTRY.test(key) && jobWrites.mayFail()) throw writeError()
      return put.call(this, key, value)
    })
  })
}
