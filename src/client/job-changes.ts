import type { PaymentJob } from '../contract/payment-job.ts'
import { type Answer, HubError, isPassing, readAnswer } from './hub-error.ts'
import { backoff, either, pause } from './pause.ts'
import type { WaitOptions } from './types.ts'
import type { Way } from './way.ts'

/** A server-sent event. */
export type ServerEvent = { event: string; data: string; id: string | null }

/**
 * Reads server-sent events as they come
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 */
export async function* serverEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerEvent, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause: unknown) => {
        throw new HubError({ code: 'no-answer', message: 'The stream was cut off.', cause })
      })
      if (done) return
      onBytes()
      text += decoder.decode(value, { stream: true })
      const blocks = text.split(/\r\n\r\n|\n\n|\r\r/)
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parse(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Null for a block that has no data: a comment, or a time to come back after. */
function parse(block: string): ServerEvent | null {
  let [event, id]: [string, string | null] = ['message', null]
  const data: string[] = []
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === 'event') event = value
    else if (field === 'id') id = value
    else if (field === 'data') data.push(value)
  }
  return data.length === 0 ? null : { event, data: data.join('\n'), id }
}

/** The hub sends a comment every 15 seconds: a stream without anything for so long (ms) is dead. */
const SILENCE = 45_000

/**
 * A job as it stands, and again after each change: by server-sent events, and where the hub gives
 * none now by reads that wait. A network that fails for a while is waited for.
 */
export async function* jobChanges(
  way: Way,
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<PaymentJob, void> {
  const poll = jobPoll(way, path)
  let shown = ''
  for (let inVain = 0; ;) {
    signal?.throwIfAborted()
    try {
      let isStreamed = false
      for await (const text of streamed(way, path, signal)) {
        isStreamed = true
        inVain = 0
        if (text === shown) continue
        shown = text
        yield read(text)
      }
      if (!isStreamed) {
        const { job, isLive } = await poll(LONGEST_WAIT, signal)
        const text = job ? JSON.stringify(job) : shown
        inVain = isLive || text !== shown ? 0 : inVain + 1
        if (job && text !== shown) {
          shown = text
          yield job
        }
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof HubError) || !isPassing(error)) throw error
      inVain += 1
    }
    await pause(backoff(Math.max(inVain, 1)), signal)
  }
}

function read(text: string): PaymentJob {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the hub's tests hold its answers to its schemas
  return JSON.parse(text) as PaymentJob
}

/**
 * The job as JSON text, as events bring it. Nothing where the hub gives no stream: it is too old,
 * or has too many watchers.
 */
async function* streamed(way: Way, path: string, signal?: AbortSignal): AsyncGenerator<string, void> {
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const onBytes = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE)
  }
  try {
    onBytes()
    const body = await openStream(way, path, either(silence.signal, signal))
    if (!body) return
    for await (const { event, data } of serverEvents(body, onBytes)) {
      if (event === 'paymentjob') yield data
    }
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}

async function openStream(
  way: Way,
  path: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | null> {
  const headers = { accept: 'text/event-stream', 'x-request-id': crypto.randomUUID() }
  try {
    return await way.once({ method: 'GET', path, headers }, signal, async (response) => {
      if (!response.ok) await readAnswer(response)
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response.body
      await response.body?.cancel()
      return null
    })
  } catch (error) {
    if (error instanceof HubError && error.status === 429) return null
    throw error
  }
}

/**
 * What a read found: the job if it has changed since the last one. `isLive` says whether the next
 * one may follow at once.
 */
type Polled = { job: PaymentJob | null; isLive: boolean }

/**
 * Reads a job again and again. Each read says what it knows already (`If-None-Match`), and asks the
 * hub to wait for news (`Prefer: wait`, RFC 7240): so no change falls between two reads. A hub that
 * lets nobody wait more is asked without.
 */
function jobPoll(way: Way, path: string) {
  let etag: string | null = null

  const readOnce = (wait: number, signal?: AbortSignal): Promise<Answer> => {
    const headers: Record<string, string> = { 'x-request-id': crypto.randomUUID() }
    if (wait > 0) headers['prefer'] = `wait=${wait}`
    if (etag !== null) headers['if-none-match'] = etag
    const ends = either(AbortSignal.timeout((wait + 15) * 1000), signal)
    return way.once({ method: 'GET', path, headers }, ends, readAnswer)
  }

  const readWaiting = async (wait: number, signal?: AbortSignal): Promise<Answer> => {
    try {
      return await readOnce(wait, signal)
    } catch (error) {
      if (wait === 0 || !(error instanceof HubError) || error.status !== 429) throw error
      return readOnce(0, signal)
    }
  }

  /** The first read is answered at once. `seconds` is how long a later one waits at most. */
  return async (seconds: number, signal?: AbortSignal): Promise<Polled> => {
    const isFirst = etag === null
    const { status, headers, body } = await readWaiting(isFirst ? 0 : seconds, signal)
    etag = headers.get('etag')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the hub's tests hold its answers to its schemas
    const job = status === 304 ? null : (body as PaymentJob)
    return { job, isLive: headers.has('preference-applied') || (isFirst && etag !== null) }
  }
}

const QUARTER = 15 * 60_000
/** Seconds that the hub is asked to wait: less than proxies allow a request. */
const LONGEST_WAIT = 50

/**
 * Waits until a job is as wanted, or the time is over: a network that fails for a while is waited
 * for as well.
 */
export async function waitFor(
  way: Way,
  path: string,
  { until = ({ status }) => status !== 'PENDING', timeout = QUARTER, signal }: WaitOptions = {},
): Promise<PaymentJob> {
  const poll = jobPoll(way, path)
  const end = Date.now() + timeout
  let known: PaymentJob | null = null
  for (let inVain = 0; ;) {
    signal?.throwIfAborted()
    const left = Math.max(end - Date.now(), 0)
    try {
      const { job, isLive } = await poll(Math.min(LONGEST_WAIT, Math.ceil(left / 1000)), signal)
      known = job ?? known
      inVain = isLive ? 0 : inVain + 1
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof HubError) || !isPassing(error) || (Date.now() >= end && !known)) throw error
      inVain += 1
    }
    if (known && (until(known) || Date.now() >= end)) return known
    if (inVain > 0) await pause(Math.min(700 + backoff(inVain), Math.max(end - Date.now(), 0)), signal)
  }
}
