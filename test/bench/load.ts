import autocannon from 'autocannon'
import { cpuSeconds, quiet } from './runtime.ts'

/** How many clients ask at once, and how many requests they make together. */
type Pace = { connections: number; amount: number }

/**
 * One round: latencies in ms, CPU in seconds with that of the work that went on after the last
 * answer.
 */
export type Round = { amount: number; seconds: number; latencies: number[]; cpu: number | null }

/** What is asked of a server in turn, and what each answer must be. */
export type Asked = {
  requests: autocannon.Request[]
  status: number
  /** A part of each body. */
  saying: string
}

/** How long one request may take (s). */
const PATIENCE = 30
/** How often (ms) autocannon looks whether all is done. */
const LOOK_EVERY = 20

/**
 * Asks a server, and waits until it has nothing more to do. Throws when an answer was not as it
 * must be.
 */
export async function load(
  { url, pids }: { url: string; pids: readonly number[] },
  { requests, status, saying }: Asked,
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
      // Each client begins elsewhere in the list: else all would ask for the same at the same time.
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
      // The first answer of a client was waited for while it connected.
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
