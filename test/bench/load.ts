import autocannon from 'autocannon'
import { cpuSeconds, quiet } from './runtime.ts'

/** The number of clients at once, and of their requests together. */
type Pace = { connections: number; amount: number }

/** One round: latencies in ms, and CPU seconds, with the work after the last answer. */
export type Round = { amount: number; seconds: number; latencies: number[]; cpu: number | null }

/** The requests to a server, in turn, and the answer that each must get. */
export type Requests = {
  requests: autocannon.Request[]
  status: number
  /** A text that each body has. */
  saying: string
}

/** The time limit of a request (s). */
const PATIENCE = 30
/** How often (ms) autocannon checks whether all is done. */
const LOOK_EVERY = 20

/** Loads a server, and waits until it is idle. Throws if an answer was wrong. */
export async function load(
  { url, pids }: { url: string; pids: readonly number[] },
  { requests, status, saying }: Requests,
  { connections, amount }: Pace,
): Promise<Round> {
  const latencies: number[] = []
  const others: number[] = []
  const connected = new Set<unknown>()
  let clients = 0
  let ended = 0
  const before = cpuSeconds(pids)
  const begun = performance.now()
  const { errors, mismatches } = await new Promise<autocannon.Result>((resolve, reject) => {
    const options: autocannon.Options = {
      url,
      connections,
      amount,
      requests,
      // Each client starts elsewhere in the list: otherwise all would send the same request at the same time.
      setupClient: (client) => {
        const first = Math.floor((clients++ * requests.length) / connections)
        client.setRequests([...requests.slice(first), ...requests.slice(0, first)])
      },
      timeout: PATIENCE,
      sampleInt: LOOK_EVERY,
      verifyBody: (body) => String(body).includes(saying),
    }
    const run = autocannon(options, (error: Error | null, result) =>
      error ? reject(error) : resolve(result),
    )
    run.on('response', (client, answered, _, milliseconds) => {
      ended = performance.now()
      // Leaves out the first answer of each client, which includes the time to connect.
      if (connected.has(client)) latencies.push(milliseconds)
      connected.add(client)
      if (answered !== status) others.push(answered)
    })
  })
  if (errors + mismatches + others.length > 0) {
    const first = `${requests[0]?.method ?? 'GET'} ${requests[0]?.path ?? ''}`
    throw new Error(
      `${url}: of ${amount} times ${first}, ${errors} had no answer, ${others.length} another status than ` +
        `${status} (${[...new Set(others)].join(', ')}), and ${mismatches} another body`,
    )
  }
  await quiet(pids)
  const after = cpuSeconds(pids)
  const cpu = before === null || after === null ? null : after - before
  return { amount, seconds: (ended - begun) / 1000, latencies, cpu }
}
