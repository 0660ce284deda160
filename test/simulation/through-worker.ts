import type { env } from 'cloudflare:workers'
import type { PullCall, PullTurn } from '../../src/job/sync-with-psp.ts'

type JobStub = ReturnType<typeof env.PAYMENT_JOB.getByName>
type Method = (...args: unknown[]) => unknown

/**
 * A job's object as a Worker calls it that notes the `pulls` it is at, from their begin to their end. One that does not try reports
 * `atOnce` leaves them to the queue.
 */
export function throughWorker(stub: JobStub, pulls: Set<string>, atOnce: boolean): JobStub {
  return new Proxy(stub, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      const method: Method = (...args) => Reflect.apply(value, target, args)
      if (name === 'beginPull') return beginning(method, pulls)
      if (name === 'endPull') return ending(atOnce ? method : withoutReports(method), pulls)
      return name === 'pull' && !atOnce ? withoutReports(method) : method
    },
  })
}

/** The same method, for a Worker that tries no report itself. */
function withoutReports(method: Method): Method {
  return (call, ...rest) => {
    const { reports: _, ...other } = call as PullCall
    return method(other, ...rest)
  }
}

function beginning(begin: Method, pulls: Set<string>): Method {
  return async (call) => {
    const { id } = call as PullCall
    pulls.add(id)
    let turn: PullTurn | null = null
    try {
      return (turn = (await begin(call)) as PullTurn | null)
    } finally {
      if (turn?.is !== 'pull') pulls.delete(id)
    }
  }
}

function ending(end: Method, pulls: Set<string>): Method {
  return async (call, result) => {
    try {
      return await end(call, result)
    } finally {
      pulls.delete((call as PullCall).id)
    }
  }
}
