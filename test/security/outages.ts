import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { currentRequestId } from '../../src/platform/request-context.ts'

async function d1Error(): Promise<never> {
  throw new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.')
}

/** Makes D1 fail as in an outage: statements are prepared, and fail when they run. */
export function breakD1(): () => void {
  const statement: D1PreparedStatement = {
    bind: () => statement,
    all: d1Error,
    raw: d1Error,
    first: d1Error,
    run: d1Error,
  }
  const spies = [
    vi.spyOn(env.DB, 'prepare').mockReturnValue(statement),
    vi.spyOn(env.DB, 'batch').mockImplementation(d1Error),
    vi.spyOn(env.DB, 'exec').mockImplementation(d1Error),
  ]
  return () => spies.forEach((spy) => spy.mockRestore())
}

/** Makes KV fail as in an outage. */
export function breakKv(): () => void {
  const fails = (verb: string) => async (): Promise<never> => {
    throw new Error(`KV ${verb} failed: 500 Internal Server Error`)
  }
  const spies = [
    vi.spyOn(env.TOKENS, 'get').mockImplementation(fails('GET')),
    vi.spyOn(env.TOKENS, 'put').mockImplementation(fails('PUT')),
    vi.spyOn(env.TOKENS, 'list').mockImplementation(fails('LIST')),
    vi.spyOn(env.TOKENS, 'delete').mockImplementation(fails('DELETE')),
  ]
  return () => spies.forEach((spy) => spy.mockRestore())
}

/** Makes the queues accept nothing. */
export function breakQueues(): () => void {
  const refuse = async (): Promise<never> => {
    throw new Error('Queue send failed: Internal Server Error')
  }
  const spies = [
    vi.spyOn(env.REPORTS, 'send').mockImplementation(refuse),
    vi.spyOn(env.JOB_INDEX, 'send').mockImplementation(refuse),
  ]
  return () => spies.forEach((spy) => spy.mockRestore())
}

/**
 * Makes each object fail its first `times` calls with this property. `calls` has the calls of each object,
 * those of other tests too, whose timers go on.
 */
export function breakObjects(property: 'overloaded' | 'retryable', times = Infinity) {
  const real = env.PAYMENT_JOB.getByName.bind(env.PAYMENT_JOB)
  // By request and object, because other tests' objects go on with their timers, and a sweep wakes them.
  const calls = new Map<string, number>()
  const fail = () => {
    throw Object.assign(new Error('Durable Object reset because its code was updated.'), { [property]: true })
  }
  const spy = vi.spyOn(env.PAYMENT_JOB, 'getByName').mockImplementation((name) => {
    const call = `${currentRequestId()} ${name}`
    const count = (calls.get(call) ?? 0) + 1
    calls.set(call, count)
    return count > times ? real(name) : (new Proxy({}, { get: () => fail }) as ReturnType<typeof real>)
  })
  return { calls: () => [...calls.values()], mend: () => spy.mockRestore() }
}
