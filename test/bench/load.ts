import { setMaxListeners } from 'node:events'
import { Pool } from 'undici'

export type Call = {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}
export type Reply = { header: (name: string) => string; text: string }

/** Makes a request and waits for its whole answer. Throws for another status than the expected one. */
export type Client = (call: Call, expected: number) => Promise<Reply>

/** One turn of the work that is measured: a request, or several. Throws when an answer is not as it must be. */
export type Work = (turn: number, client: Client) => Promise<void>

/** How long one request may take (ms). */
const PATIENCE = 30_000

/**
 * More clients than these get a new connection for each request: in a crowd a connection rests for seconds between two of
 * them, and workerd may close it while the next is under way.
 */
const MOST_KEPT_ALIVE = 64

/**
 * A connection that rests so long (ms) is closed from here. workerd closes it after five seconds, and might do so while
 * the next request is under way.
 */
const KEEP_ALIVE = 2000

export type Load = {
  /** Milliseconds that each turn took, sorted. */
  latencies: number[]
  seconds: number
  /** HTTP requests, of which a turn may have several. */
  calls: number
  errors: number
  firstError: string | null
}

/** The clients of a server, with as many connections as there are clients at once. */
export function openClients(origin: string) {
  const pools = new Map<number, Pool>()
  const poolOf = (concurrency: number): Pool => {
    const known = pools.get(concurrency)
    if (known) return known
    const options = {
      connections: concurrency,
      pipelining: concurrency > MOST_KEPT_ALIVE ? 0 : 1,
      headersTimeout: PATIENCE,
      bodyTimeout: PATIENCE,
      keepAliveTimeout: KEEP_ALIVE,
      keepAliveMaxTimeout: KEEP_ALIVE,
    }
    const pool = new Pool(origin, options)
    pools.set(concurrency, pool)
    return pool
  }
  return {
    /** Does `turns` turns, `concurrency` at a time, each client beginning its next when it has the answer. */
    drive: async (turns: number, concurrency: number, work: Work, deadline: AbortSignal): Promise<Load> => {
      const pool = poolOf(concurrency)
      setMaxListeners(0, deadline)
      if (concurrency <= MOST_KEPT_ALIVE) await connect(pool, concurrency)
      return await drive(pool, turns, concurrency, work, deadline)
    },
    close: async (): Promise<void> => {
      await Promise.all(Array.from(pools.values(), (pool) => pool.destroy()))
    },
  }
}
export type Clients = ReturnType<typeof openClients>

/** Opens the connections ahead, so that no latency holds the opening of one. */
async function connect(pool: Pool, concurrency: number): Promise<void> {
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      const { body } = await pool.request({ method: 'GET', path: '/' })
      await body.dump()
    }),
  )
}

async function drive(
  pool: Pool,
  turns: number,
  concurrency: number,
  work: Work,
  deadline: AbortSignal,
): Promise<Load> {
  const latencies: number[] = []
  let [calls, errors, next] = [0, 0, 0]
  let firstError: string | null = null
  const client: Client = async ({ method, path, headers, body }, expected) => {
    calls++
    const answer = await pool.request({
      method,
      path,
      headers: headers ?? {},
      body: body ?? null,
      signal: deadline,
    })
    const text = await answer.body.text()
    if (answer.statusCode !== expected) {
      throw new Error(
        `${method} ${path} answered ${answer.statusCode}, not ${expected}: ${text.slice(0, 300)}`,
      )
    }
    return { header: (name) => String(answer.headers[name] ?? ''), text }
  }
  const oneClient = async () => {
    while (next < turns && !deadline.aborted) {
      const turn = next++
      const begun = performance.now()
      try {
        await work(turn, client)
      } catch (error) {
        errors++
        firstError ??= error instanceof Error ? error.message : String(error)
      }
      latencies.push(performance.now() - begun)
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: concurrency }, oneClient))
  const seconds = (performance.now() - begun) / 1000
  if (next < turns) firstError ??= `out of time after ${next} of ${turns}`
  return {
    latencies: latencies.toSorted((a, b) => a - b),
    seconds,
    calls,
    errors: errors + turns - next,
    firstError,
  }
}
